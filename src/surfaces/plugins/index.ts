/**
 * Controllers, invariants, faults and kinds of somebody's own, read from their files: bundled, run with this instance as `orchsim`,
 * checked.
 */
export { type LoadedPlugins, type Plugins, pluginsFrom, pluginLoader, type PluginOptions, type Sources } from './load.ts';
