/**
 * The baseline of a search: the scenario with a healing phase, whether it holds without faults, which points it has, how long it lasts.
 */
import { LONGEST_BACKOFF_MS } from '../../controlplane/runtime/index.ts';
import type { Point } from '../choices/index.ts';
import type { Expectation, Scenario, Step } from '../scenario/index.ts';
import { isLiveness } from './cause.ts';
import { attempt, type Making } from './reproduction.ts';
import type { Field } from './swarm.ts';
import { NEVER_EXERCISED, type Run, simulate } from '../simulation/index.ts';

/** The time for the effects of a key's last retry: other controllers see its writes and act on them. Milliseconds. */
const ACTS_WITHIN_MS = 2 * 60_000;
/** Longer than any back-off: of a queue, a Job, a container, or the detach of a volume. Milliseconds. */
const MENDS_WITHIN_MS = LONGEST_BACKOFF_MS + ACTS_WITHIN_MS;
/** The limit of events of one run; a run that needs more makes no progress. */
const MOST_STEPS = 2_000_000;

export interface Quiescence {
  readonly scenario: Scenario;
  /** The end of fault injection, milliseconds since the start. */
  readonly quietMs: number;
  /** The number of expectations in the middle, which are not checked. */
  readonly left: number;
}

/** Returns a step without its narration. */
function bare(step: Step): Step {
  const { before: _, note: __, about: ___, assertions: ____, ask: _____, look: ______, tries: _______, ...rest } = step;
  return rest;
}

/**
 * Returns the scenario with a healing phase. The final expectations are those after the last action. `rests`: the cluster settles by
 * itself.
 */
export function quiesced(scenario: Scenario, quietMs: number, rests: boolean): Quiescence {
  const lastInjectedFault = scenario.steps.findLastIndex(({ verb }) => verb !== 'expect' && verb !== 'note');
  const claims: Expectation[] = [];
  let left = 0;
  const steps: Step[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    if (step.verb === 'expect') {
      if (index > lastInjectedFault) claims.push(...step.expectations);
      else left += step.expectations.length;
    }
    const plain = bare(step);
    if (plain.verb === 'waitFor') {
      const { withinMs: _, ...patient } = plain;
      steps.push(patient);
    } else if (plain.verb === 'expect' || plain.verb === 'note') {
      // A step at an instant is kept as a note, because later steps count from it.
      if (index <= lastInjectedFault && plain.timing.when !== 'next') steps.push({ timing: plain.timing, ...source(plain), verb: 'note' });
    } else steps.push(plain);
  }
  const { untilMs: _, ...open } = scenario;
  const timing = rests ? ({ when: 'settled' } as const) : ({ when: 'at', atMs: quietMs + MENDS_WITHIN_MS } as const);
  return {
    quietMs,
    left,
    scenario: {
      ...open,
      limits: { steps: MOST_STEPS, ...scenario.limits, timeMs: quietMs + MENDS_WITHIN_MS + 1 },
      ...(rests ? {} : { untilMs: quietMs + MENDS_WITHIN_MS }),
      steps: claims.length === 0 ? steps : [...steps, { timing, verb: 'expect', expectations: claims }],
    },
  };
}

const source = ({ source: at }: Step): Pick<Step, 'source'> => (at === undefined ? {} : { source: at });

/** Returns the end of fault injection in a scenario with a healing phase, milliseconds since the epoch; the start in any other scenario. */
export const quietAtOf = ({ startAt, limits: { timeMs } }: Scenario): number =>
  timeMs === undefined ? startAt : startAt + Math.max(0, timeMs - MENDS_WITHIN_MS - 1);

/** The reason why a scenario cannot be searched, with the messages of its run. */
export interface Unfit {
  readonly unfit: string;
  readonly messages: readonly string[];
}

/** The baseline of a scenario that can be searched. */
export interface Baseline {
  readonly quiescence: Quiescence;
  readonly field: Omit<Field, 'seed' | 'faults'>;
  /** Reasons that controllers gave in the run without faults. */
  readonly reached: ReadonlySet<string>;
  /** The names of the invariants that the scenario selects or defines and that no run has exercised so far. */
  readonly idle: readonly string[];
}

/** Runs a scenario without faults. Returns what a search needs, or why the scenario cannot be searched. */
export function baseline(scenario: Scenario, making: Making): Baseline | Unfit {
  const { choices = [], ...plain } = scenario;
  if (choices.length > 0)
    return { unfit: 'it has choices already: remove spec.choices to search it, or run it to replay them', messages: [] };
  const asWritten = simulate(plain, { ...making, digest: false, tries: false });
  if (asWritten.failures.length > 0) return failsWithoutFaults(asWritten);
  // Events of the last instant of the scenario are included.
  const quietMs = asWritten.lengthMs + 1;
  for (const rests of [true, false]) {
    const quiescence = quiesced(plain, quietMs, rests);
    const observed = observeBaseline(quiescence, making);
    const [first] = observed.broken;
    if (first === undefined) return observed.baseline;
    if (isLiveness(first)) return { unfit: 'it makes no progress without any choice', messages: [first.message] };
    if (rests && observed.broken.every(({ claim }) => claim === 'the cluster settles')) continue;
    return {
      unfit: `it holds as written, but not when its final expectations are checked ${rests ? 'in the settled cluster' : 'after its end and the longest back-off'}`,
      messages: observed.broken.map(({ message }) => message),
    };
  }
  return { unfit: 'it neither settles nor reaches its end', messages: [] };
}

/** Returns why a scenario fails without faults. A named invariant that is never exercised is a failure too. */
function failsWithoutFaults({ failures }: Run): Unfit {
  const messages = failures.flatMap(({ invariant, message, detail }) => [
    invariant === undefined ? message : `${invariant}: ${message}`,
    ...detail,
  ]);
  return failures.every(({ message }) => message.startsWith(NEVER_EXERCISED))
    ? { unfit: 'it has assertions that nothing in its run could break: remove them, or add events that exercise them', messages }
    : { unfit: 'it breaks without any choice', messages };
}

function observeBaseline(quiescence: Quiescence, making: Making) {
  const points: Record<string, number> = {};
  const actors = new Set<string>();
  const { scenario, quietMs } = quiescence;
  const { run, broken, reached } = attempt(scenario, making, {
    slow: new Map(),
    choose({ sort, actor }: Point, now) {
      if (now >= scenario.startAt + quietMs) return undefined;
      points[sort] = (points[sort] ?? 0) + 1;
      if (actor !== '') actors.add(actor);
      return undefined;
    },
  });
  const named = new Set([...(scenario.invariants ?? []), ...(scenario.expressed ?? []).map(({ name }) => name)]);
  const idle = run.invariants.filter(({ name, exercised }) => named.has(name) && exercised === 0).map(({ name }) => name);
  return { broken, baseline: { quiescence, field: { points, actors: [...actors], quietMs }, reached, idle } satisfies Baseline };
}
