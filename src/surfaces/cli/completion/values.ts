/**
 * Values of options and arguments: names from the registries, choices, files. Plugins are not loaded, because completion must not run code
 * of a folder.
 */
import { kindsFor } from '../../../apiserver/kinds/index.ts';
import { namesFor, RULES_MODES } from '../../../apiserver/machinery/index.ts';
import { faultKinds } from '../../../lab/choices/index.ts';
import { faults } from '../../../lab/faults/index.ts';
import { invariants } from '../../../lab/invariants/index.ts';
import { processesOf, type Scenario } from '../../../lab/scenario/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import { commands } from '../commands/index.ts';
import { fileIn, guideTopics } from '../../guide/index.ts';
import type { CompletionRequest, Candidate } from './candidate.ts';
import { loadScenarios } from '../load.ts';
import { LOG_LEVELS } from '../run/log-levels.ts';
import { filesFor, foldersFor, pathsFor } from './files.ts';
import { SHELLS } from './scripts.ts';

type Values = (request: CompletionRequest) => readonly Candidate[];

const plain = (words: readonly string[]): readonly Candidate[] => words.map((word) => ({ word }));
const choices =
  (...words: readonly string[]): Values =>
  () =>
    plain(words);

const kinds: Values = () =>
  plain(
    kindsFor(namesFor('orch.io'))
      .list()
      .map(({ kind }) => kind),
  );

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
  'search --format': choices('text', 'json'),
  '--shard': choices('1/2', '2/2'),
  '--faults': choices(...faultKinds.map(({ name }) => name), '+hang'),
  '--budget': choices('60s', '250 runs', 'plateau'),
  '--rules': choices(...RULES_MODES),
  '--domain': choices('orch.io', 'k8s.io'),
  '--format': choices('text', 'json', 'junit'),
  '--log-level': choices(...LOG_LEVELS),
  '--clock': choices('manual', 'auto', 'realtime'),
  '--tls': choices('on', 'off', 'both'),
  '--start': choices('now'),
  '--scenario': (request) =>
    scenarios(request).map(({ scenario: { name, title } }) => ({ word: name, ...(title === undefined ? {} : { about: title }) })),
  what: (request) => [{ word: 'scenario', about: 'scenario files' }, ...kinds(request)],
  shell: choices(...SHELLS),
  topic: () =>
    [...guideTopics, ...commands.filter(({ name }) => guideTopics.every((topic) => topic.name !== name))].map(({ name, summary }) => ({
      word: name,
      about: summary,
    })),
  target: targets,
  kind: kinds,
  process: processes,
  moment: moments,
  fault: () => faults.map(({ name, description }) => ({ word: name, about: description })),
  invariant: () => invariants.map(({ name, description }) => ({ word: name, about: description })),
  path: pathsFor,
  other: pathsFor,
  file: filesFor,
  folder: foldersFor,
  dir: foldersFor,
};

/** Values that cannot be completed: numbers, addresses, fields. */
export const FREE: ReadonlySet<string> = new Set([
  'n',
  'a..b',
  'from..to',
  'text',
  'words',
  'address',
  'url',
  'image',
  'request',
  'flags',
  '--field',
]);

/** The keys of an option or argument in the tables, the most specific first. */
export const keysOf = (command: string, name: string, placeholder: string): readonly string[] => [`${command} ${name}`, name, placeholder];
