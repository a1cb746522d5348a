/**
 * What may stand where an option or an argument takes something: names from the registries, choices, files. Nobody's own definitions: a key
 * pressed in a folder runs none of its code.
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
import type { Asked, Candidate } from './candidate.ts';
import { loadScenarios } from '../load.ts';
import { LOG_LEVELS } from '../run/log-levels.ts';
import { filesFor, foldersFor, pathsFor } from './files.ts';
import { SHELLS } from './scripts.ts';

type Values = (asked: Asked) => readonly Candidate[];

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

/** The scenarios of the files named so far; none where one cannot be read. */
function scenarios({ io, paths }: Asked): ReturnType<typeof loadScenarios> {
  try {
    return loadScenarios(paths, io);
  } catch {
    return [];
  }
}

const processes: Values = (asked) => {
  const found = scenarios(asked).map(({ scenario }) => scenario);
  return plain([...new Set((found.length === 0 ? plainScenarios() : found).flatMap(({ cluster }) => processesOf(cluster)))]);
};

/** Where no scenario is named: one that says nothing of processes. */
function plainScenarios(): readonly Scenario[] {
  const read = readScenarios(guideTopics.map((topic) => fileIn(topic, 'retry.yaml')).join(''));
  return 'scenarios' in read ? read.scenarios : [];
}

const targets: Values = (asked) => kinds(asked).map(({ word }) => ({ word: `${word}/` }));

const moments = choices('start', 'end');

/**
 * By `COMMAND --option` or `COMMAND argument`, else by the option, else by what its value or the argument is called. A test holds choices
 * against what commands say of a wrong one, and finds every option that is in neither of these tables.
 */
export const VALUES: Readonly<Record<string, Values>> = {
  'config process': choices('agent', 'scheduler', 'credential-provider'),
  // An object, or a run to compare with another.
  'diff target': (asked) => [...targets(asked), ...pathsFor(asked)],
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
  '--scenario': (asked) =>
    scenarios(asked).map(({ scenario: { name, title } }) => ({ word: name, ...(title === undefined ? {} : { about: title }) })),
  what: (asked) => [{ word: 'scenario', about: 'scenario files' }, ...kinds(asked)],
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

/** What only a person can say: numbers, addresses, fields. */
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

/** How an option or an argument of a command is called in the tables, the most particular first. */
export const keysOf = (command: string, name: string, placeholder: string): readonly string[] => [`${command} ${name}`, name, placeholder];
