/** The names in the registries of these tests, and helpers to read a text. */
import { formatProblem, parseScenario, parseScenarios } from '../../../src/lab/scenario/index.ts';
import type { FaultSpec, Problem, Scenario, Vocabulary } from '../../../src/lab/scenario/index.ts';

const text = { type: 'string', says: 'A name.' } as const;
const duration = { type: 'duration', says: 'A time.' } as const;
const process = { type: 'string', among: ['controller-manager', 'scheduler'], says: 'A process.' } as const;

export const faults: readonly FaultSpec[] = [
  { name: 'crash', description: 'Ends a process.', subject: process, parameters: { restartAfter: duration } },
  {
    name: 'lag',
    description: 'Delays watch events.',
    subject: process,
    parameters: { by: { ...duration, needed: true }, kinds: { type: 'list', items: text, says: 'Kinds.' } },
  },
  {
    name: 'failRequest',
    description: 'Refuses a request.',
    subject: { type: 'target', says: 'Whose.' },
    parameters: { times: { type: 'integer', min: 1, says: 'How often.' } },
  },
  ...['nodeDown', 'nodeUp', 'nodeReady', 'nodeNotReady'].map((name) => ({ name, description: name, subject: text, parameters: {} })),
];

export const vocabulary: Vocabulary = {
  faults,
  invariants: ['job/counts-never-shrink', 'job/finished-is-final', 'stateful-set/at-most-one-pod-per-ordinal'],
  kinds: ['Job', 'CronJob', 'StatefulSet', 'Pod', 'Service', 'Node', 'ConfigMap', 'Namespace', 'Event', 'PersistentVolumeClaim'],
  featureGates: ['JobTrackingWithFinalizers', 'JobReadyPods', 'CronJobTimeZone'],
};

type ReadFile = (path: string, from: string) => string | undefined;
const options = (readFile?: ReadFile) => ({ ...vocabulary, file: 'a.yaml', ...(readFile === undefined ? {} : { readFile }) });

/** Returns the scenario of a text without problems. */
export function scenarioOf(source: string, readFile?: ReadFile): Scenario {
  const parsed = parseScenario(source, options(readFile));
  if ('problems' in parsed) throw new Error(parsed.problems.map(formatProblem).join('\n'));
  return parsed.scenario;
}

function problemsOf(source: string, readFile?: ReadFile): readonly Problem[] {
  const parsed = parseScenarios(source, options(readFile));
  return 'problems' in parsed ? parsed.problems : [];
}

/** Returns messages without the file's name. */
export const messagesOf = (source: string, readFile?: ReadFile): readonly string[] =>
  problemsOf(source, readFile).map((problem) => formatProblem(problem).replace(/^a\.yaml:/, ''));

/** Returns a scenario around the members of `spec`, which start at line 5 with two blanks. */
export const withSpec = (spec: string): string =>
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n${spec.replace(/^/gm, '  ')}\n`;

/** Removes source positions, which differ between a file and its copy. */
export function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => (key === 'source' ? [] : [[key, withoutSources(each)]])));
}
