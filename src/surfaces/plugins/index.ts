/** Plugins: definitions of a user, read from files, bundled, run with this instance as `orchsim`, and checked. */
export { type LoadedPlugins, type Plugins, pluginsFrom, pluginLoader, type PluginOptions, type Sources } from './load.ts';
