/** Finds and loads the plugins of a command line: those named by `--with`, and `orchsim.config.ts` beside a scenario or above it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { nearest } from '../../schema/values/index.ts';
import { readCustomKinds, joinDefinitions, NO_DEFINITIONS, problemsOf, type Definitions } from '../../lab/definitions/index.ts';
import { bundle, type Bundle } from './bundle.ts';
import { evaluate, kindsIn } from './evaluate.ts';
import { placeIn } from './places.ts';

export interface PluginOptions {
  /** Files named by `--with`, in order. */
  readonly with: readonly string[];
  /** False: no `orchsim.config.ts` is loaded. */
  readonly config: boolean;
}

/** Loaded plugins, and the sources from which a worker thread loads them again. */
export interface Plugins {
  readonly definitions: Definitions;
  /** Plain data, to be posted to worker threads. */
  readonly sources: Sources;
}

export interface Sources {
  readonly bundles: readonly Bundle[];
  /** Definitions of custom resources, as text. */
  readonly texts: readonly { readonly shown: string; readonly text: string }[];
  /** The command line options that load the same plugins. */
  readonly words: readonly string[];
  readonly cwd: string;
}

export type LoadedPlugins =
  | { readonly plugins: Plugins; readonly files: readonly string[] }
  | { readonly problems: readonly string[]; readonly files: readonly string[] };

const CONFIG_NAMES = ['orchsim.config.ts', 'orchsim.config.mts', 'orchsim.config.js', 'orchsim.config.mjs'] as const;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Returns a loader that reads each module once: scenarios of one folder share their plugins. */
export function pluginLoader({ with: named, config }: PluginOptions, cwd: string) {
  const made = new Map<string, LoadedPlugins>();
  return {
    /** Returns the plugins for a scenario file, or for a command without one. */
    of(scenario: string | undefined): LoadedPlugins {
      const found = config ? configFor(scenario === undefined ? cwd : dirname(resolve(cwd, scenario)), cwd) : undefined;
      const key = found ?? '';
      let loaded = made.get(key);
      if (loaded === undefined) made.set(key, (loaded = load(found, named, config, cwd)));
      return loaded;
    },
  };
}

/** Searches the folder, and its parents up to the working directory. A folder outside the working directory is searched alone. */
function configFor(folder: string, cwd: string): string | undefined {
  const inside = !relative(cwd, folder).startsWith('..');
  for (let at = folder; ; at = dirname(at)) {
    const found = CONFIG_NAMES.map((name) => join(at, name)).find(isFile);
    if (found !== undefined || !inside || at === cwd || at === dirname(at)) return found;
  }
}

function load(config: string | undefined, named: readonly string[], useConfig: boolean, cwd: string): LoadedPlugins {
  const paths = [...(config === undefined ? [] : [config]), ...named.map((path) => resolve(cwd, path))];
  const problems: string[] = [];
  const bundles: Bundle[] = [];
  const texts: { shown: string; text: string }[] = [];
  for (const path of new Set(paths)) {
    const shown = shownAs(path, cwd);
    if (!isFile(path)) problems.push(`--with ${shown}: no such file${nearestBeside(path, shown)}`);
    else if (/\.(?:ya?ml|json)$/.test(path)) texts.push({ shown, text: readFileSync(path, 'utf8') });
    else {
      const made = bundle(path, shown, cwd, problems);
      if (made !== undefined) bundles.push(made);
    }
  }
  const files = [...paths, ...bundles.flatMap(({ inputs }) => inputs)];
  if (problems.length > 0) return { problems, files };
  const words = [...named.flatMap((path) => ['--with', path]), ...(useConfig ? [] : ['--no-config'])];
  const plugins = pluginsFrom({ bundles, texts, words, cwd });
  return 'problems' in plugins ? { ...plugins, files } : { plugins, files };
}

/** Returns a suggestion: the nearest name in the folder of a missing file. */
function nearestBeside(path: string, shown: string): string {
  let names: readonly string[] = [];
  try {
    names = readdirSync(dirname(path));
  } catch {
    // The folder is missing too.
  }
  const near = nearest(basename(path), names);
  return near === undefined ? '' : `; did you mean ${join(dirname(shown), near)}?`;
}

const shownAs = (path: string, cwd: string): string => {
  const shown = relative(cwd, path);
  return shown.startsWith('..') ? path : shown;
};

/** Evaluates sources. Every thread gets the same definitions from them. */
export function pluginsFrom(sources: Sources): Plugins | { readonly problems: readonly string[] } {
  const { bundles, texts, cwd } = sources;
  const problems: string[] = [];
  const all: Definitions[] = [];
  for (const { shown, text } of texts) {
    const read = readCustomKinds(text, shown);
    if ('problems' in read) problems.push(...read.problems);
    else all.push({ kinds: read.kinds });
  }
  const modules = bundles
    .map((each) => ({ shown: each.shown, exported: evaluate(each, cwd, problems) }))
    .filter(({ exported }) => exported !== undefined);
  // A controller of one source may use a kind of another source.
  const kinds = all.flatMap((given) => given.kinds ?? []);
  for (const { shown, exported } of modules) {
    const others = modules.filter((each) => each.exported !== exported).flatMap((each) => kindsIn(each.exported));
    const found = problemsOf(exported, [...kinds, ...others]);
    problems.push(...found.map(({ path, message }) => `${shown}: ${path === '' ? '' : `${path}: `}${message}`));
    if (found.length === 0) all.push(exported as Definitions);
  }
  if (problems.length > 0) return { problems };
  if (all.length === 0) return { definitions: NO_DEFINITIONS, sources };
  const definitions: Definitions = { ...joinDefinitions(all), locate: (stack) => placeIn(stack, bundles, cwd) };
  const clashes = problemsOf(definitions).map(({ path, message }) => `definitions of several files: ${path}: ${message}`);
  return clashes.length > 0 ? { problems: clashes } : { definitions, sources };
}
