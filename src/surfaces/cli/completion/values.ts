/** Values of options and arguments. Plugins are not loaded, because completion must not run code of a folder. */
import { kindsFor } from '../../../apiserver/kinds/index.ts';
import { namesFor, RULES_MODES } from '../../../apiserver/machinery/index.ts';
import { faultKinds } from '../../../lab/choices/index.ts';
import { invariants } from '../../../lab/invariants/index.ts';
import { processesOf, type Scenario } from '../../../lab/scenario/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import type { Setting } from '../command.ts';
import { fileIn, guideTopics } from '../../guide/index.ts';
import { loadScenarios } from '../load.ts';
import { LOG_LEVELS } from '../options.ts';
import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareText, present } from '../../../schema/values/index.ts';
import { shippedScenarios } from '../install.ts';
import bash from './bash.sh';
import fish from './fish.sh';
import zsh from './zsh.sh';

export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

export interface CompletionRequest extends Setting {
  /** The part of the word that is typed already. */
  readonly current: string;
  /** The earlier arguments that are paths. */
  readonly paths: readonly string[];
}

function pathsFor(request: CompletionRequest): readonly Candidate[] {
  const local = entriesFor(request, (name) => /\.(?:ya?ml|json|jsonl)$/.test(name));
  const shipped = shippedFor(request);
  return local.some(({ word }) => word === shipped) ? local : [...local, { word: shipped, about: 'shipped scenarios' }];
}

const filesFor = (request: CompletionRequest): readonly Candidate[] => entriesFor(request, () => true);
const foldersFor = (request: CompletionRequest): readonly Candidate[] => entriesFor(request, () => false);

function shippedFor({ io: { cwd } }: CompletionRequest): string {
  const folder = fileURLToPath(shippedScenarios());
  const near = relative(cwd, folder);
  return near.startsWith('..') ? folder : `${near}/`;
}

function entriesFor({ io: { cwd }, current }: CompletionRequest, wanted: (name: string) => boolean): readonly Candidate[] {
  const before = current.slice(0, current.lastIndexOf('/') + 1);
  const begun = current.slice(before.length);
  let entries;
  try {
    entries = readdirSync(resolve(cwd, before === '' ? '.' : before), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !HIDDEN.test(name)) && !/[\t\n\r]/.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? [`${before}${entry.name}/`] : entry.isFile() && wanted(entry.name) ? [before + entry.name] : [],
    )
    .sort(compareText)
    .map((word) => ({ word }));
}

/** Offered only if the typed word begins with their first characters. */
const HIDDEN = /^(?:\.|node_modules$)/;

/** The scripts by which shells complete. Each runs orchsim for the candidates, so the script never gets out of date. */
export const completionScripts = { bash, zsh, fish } as const;

export const SHELLS = Object.keys(completionScripts) as readonly (keyof typeof completionScripts)[];

type Values = (request: CompletionRequest) => readonly Candidate[];

export const plain = (words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word }));
const choices =
  (...words: readonly string[]): Values =>
  () =>
    plain(words);

const kinds: Values = () => [...kindsFor(namesFor('orch.io')).list()].map(({ kind }) => ({ word: kind }));

/** The scenarios of the files named so far; empty if one cannot be read. */
function scenarios({ io, paths }: CompletionRequest): ReturnType<typeof loadScenarios> {
  try {
    return loadScenarios(paths, io);
  } catch {
    return [];
  }
}

const processes: Values = (request) => {
  const found = scenarios(request).map(({ scenario }) => scenario);
  return plain([...new Set((found.length === 0 ? plainScenarios() : found).flatMap(({ cluster }) => processesOf(cluster)))]);
};

/** The default if no scenario is named: one without configured processes. */
function plainScenarios(): readonly Scenario[] {
  const read = readScenarios(guideTopics.map((topic) => fileIn(topic, 'retry.yaml')).join(''));
  return 'scenarios' in read ? read.scenarios : [];
}

const targets: Values = (request) => kinds(request).map(({ word }) => ({ word: `${word}/` }));

const moments = choices('start', 'end');

/**
 * By `COMMAND --option` or `COMMAND argument`, else by the option, else by the placeholder. A test compares the choices with the errors of
 * the commands, and finds every option that is in neither table.
 */
export const VALUES: Readonly<Record<string, Values>> = {
  'config process': choices('agent', 'scheduler', 'credential-provider'),
  // An object, or a run to compare with another.
  'diff target': (request) => [...targets(request), ...pathsFor(request)],
  'serve --log-level': choices(...LOG_LEVELS, 'silent'),
  'search --format': choices('text', 'json', 'junit'),
  '--judge': choices('mine', 'all'),
  'what-if dump': pathsFor,
  'import log': filesFor,
  'what-if question': choices('drain', 'lose', 'scale', 'apply', 'delete', 'upgrade'),
  '--shard': choices('1/2', '2/2'),
  '--faults': choices(...faultKinds.map(({ name, onRequest }) => (onRequest === undefined ? name : `+${name}`))),
  '--budget': choices('60s', '250 runs', 'plateau'),
  '--rules': choices(...RULES_MODES),
  '--domain': choices('orch.io', 'k8s.io'),
  '--format': choices('text', 'json', 'junit'),
  '--log-level': choices(...LOG_LEVELS),
  '--clock': choices('manual', 'auto', 'realtime'),
  '--tls': choices('on', 'off', 'both'),
  '--start': choices('now'),
  '--scenario': (request) => scenarios(request).map(({ scenario: { name, title: about } }) => ({ word: name, ...present({ about }) })),
  what: (request) => [{ word: 'scenario', about: 'scenario files' }, ...kinds(request)],
  shell: choices(...SHELLS),
  topic: ({ commands }) =>
    [...guideTopics, ...commands.filter(({ name }) => guideTopics.every((topic) => topic.name !== name))].map(({ name, summary }) => ({
      word: name,
      about: summary,
    })),
  target: targets,
  kind: kinds,
  process: processes,
  moment: moments,
  invariant: () => invariants.map(({ name, description }) => ({ word: name, about: description })),
  path: pathsFor,
  other: pathsFor,
  file: filesFor,
  old: pathsFor,
  new: pathsFor,
  folder: foldersFor,
  dir: foldersFor,
};

/** The keys of an option or argument in the tables, the most specific first. */
export const keysOf = (command: string, name: string, placeholder: string): readonly string[] => [`${command} ${name}`, name, placeholder];
