/** The form of a known bug: a published bug as a small model, with its mend and an innocent story. */
import type { Cause } from '../../../../src/testing.ts';
import { formatProblem, readScenarios } from '../../../../src/index.ts';
import type { Definitions, Invariant, Scenario, UserController } from '../../../../src/index.ts';

/** What misleads the controller, in one or two words. */
export type Pattern =
  | 'time travel'
  | 'stale read'
  | 'own write unseen'
  | 'name reuse'
  | 'missing uid'
  | 'crash between writes'
  | 'lost response'
  | 'unobserved state'
  | 'conflict not retried'
  | 'lost update'
  | 'finalizer order'
  | 'unverified absence'
  | 'memory lost';

export interface Story {
  /** YAML lists, with the indentation of a top-level key. */
  readonly steps: string;
  /** YAML mappings of invariants. */
  readonly invariants?: readonly string[];
  readonly nodes?: number;
}

export interface Bug {
  readonly name: string;
  /** The project with the number of the issue, or the paper. */
  readonly source: string;
  /** What was reported, in one sentence of our own. */
  readonly facts: string;
  readonly pattern: Pattern;
  readonly kinds: NonNullable<Definitions['kinds']>;
  readonly invariants?: readonly Invariant[];
  readonly story: Story;
  /** Names of invariants, or beginnings of descriptions, of which one must break. */
  readonly breaks: readonly RegExp[];
  /** Why a search does not find it, where it does not. */
  readonly missed?: string;
  /** Choices that break it, where a search of today does not: YAML mappings. They say which fault it takes. */
  readonly takes?: readonly string[];
  readonly controllers: (mended: boolean) => readonly UserController[];
}

export const defineBug = (bug: Bug): Bug => bug;

/** The final expectation. */
export const IN_THE_END = /^the expectation/;

/** Messages take some milliseconds, as in any cluster: a state that lasts no time could never be seen. */
const LATENCY = 'latency: { api: 10ms, watch: 10ms }';

/** The text of a story. */
export const storyText = (name: string, { steps, invariants = [], nodes = 0 }: Story, choices: readonly string[] = []): string =>
  `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: ${name} }
spec:
  cluster: { nodes: { count: ${nodes} }, ${LATENCY} }
${invariants.length === 0 ? '' : `  invariants:\n${invariants.map((each) => `    - ${each}\n`).join('')}`}  steps:${steps.trimEnd()}
${choices.length === 0 ? '' : `  choices:\n${choices.map((each) => `    - ${each}\n`).join('')}`}`;

/** The scenario of a text, with the kinds of a user. */
export function scenarioWith(text: string, definitions: Definitions): Scenario {
  const read = readScenarios(text, { with: definitions });
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('the text has no scenario');
  return scenario;
}

/** The definitions of a bug. */
export const definitionsOf = ({ kinds, invariants = [], controllers }: Bug, mended: boolean): Definitions => ({
  kinds,
  invariants,
  controllers: controllers(mended),
});

/** Whether a cause is the bug: its claim broke, and by no controller but its own. */
export const isCauseOf =
  ({ breaks, controllers }: Bug) =>
  ({ claim, controller }: Cause): boolean =>
    breaks.some((each) => each.test(claim)) &&
    (controller === undefined || controllers(false).some((each) => 'name' in each && each.name === controller));

/** The story of a bug, with choices or without. */
export const scenarioOf = (bug: Bug, choices: readonly string[] = []): Scenario =>
  scenarioWith(storyText(bug.name, bug.story, choices), { kinds: bug.kinds, invariants: bug.invariants ?? [] });
