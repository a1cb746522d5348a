/**
 * The scenario in the form that a search runs: its steps, then a healing phase without faults, then the final checks. Expectations in the
 * middle are about an instant, which any delay moves, so they are not checked. The final ones are checked when the cluster is settled, or
 * has had the time to recover.
 */
import { namesFor } from '../../apiserver/machinery/index.ts';
import { LONGEST_BACKOFF_MS } from '../../controlplane/runtime/index.ts';
import { keptIn } from '../../schema/values/index.ts';
import { LONGEST_FAULT_MS } from '../choices/index.ts';
import { type Definitions, kindsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import { type Expectation, type Scenario, type Step, withoutNarration } from '../scenario/index.ts';

/** The time for the effects of a key's last retry: other controllers see its writes and act on them. Milliseconds. */
const ACTS_WITHIN_MS = 2 * 60_000;
interface Windows {
  /** Until everything has healed. */
  readonly mendsMs: number;
  /** Of a cluster that never rests, where all of the time is run: one back-off long, because more would only cost. */
  readonly restlessMs: number;
}
const windows = new WeakMap<Definitions, Windows>();

/**
 * Returns the time to heal: until the last fault is over, and then longer than any back-off in force, of built-in controllers (a queue, a
 * Job, a container, the detach of a volume) and of the user's. Controllers that write one object and have failed equally often come back at
 * one instant: one of them writes, the others conflict and wait once more.
 */
const windowsOf = ({ with: own = NO_DEFINITIONS }: Healed): Windows =>
  keptIn(windows, own, () => {
    const kinds = kindsWith(namesFor('orch.io'), own);
    const backoffs = (own.controllers ?? []).map((each) => (typeof each === 'function' ? each(kinds) : each).backoff?.maxMs ?? 0);
    const longest = Math.max(LONGEST_BACKOFF_MS, ...backoffs);
    const restlessMs = LONGEST_FAULT_MS + longest + ACTS_WITHIN_MS;
    return { restlessMs, mendsMs: restlessMs + (Math.max(2, backoffs.length) - 1) * longest };
  });

/** Returns the time to heal, milliseconds. */
export const mendsWithinMs = (healed: Healed): number => windowsOf(healed).mendsMs;

/** What the time to heal depends on: a user's definitions. */
interface Healed {
  readonly with?: Definitions;
}

/** The limit of events of one run; a run that needs more makes no progress. */
const MOST_STEPS = 2_000_000;

export interface Quiescence {
  readonly scenario: Scenario;
  /** The end of fault injection, milliseconds since the start. */
  readonly quietMs: number;
  /** The number of expectations in the middle, which are not checked. */
  readonly left: number;
}

/**
 * Returns the scenario with a healing phase. The final expectations are those after the last action. `rests`: the cluster settles by
 * itself.
 */
export function quiesced(scenario: Scenario, quietMs: number, rests: boolean, healed: Healed = {}): Quiescence {
  const { mendsMs, restlessMs } = windowsOf(healed);
  const lastInjectedFault = scenario.steps.findLastIndex(({ verb }) => verb !== 'expect' && verb !== 'note');
  const claims: Expectation[] = [];
  let left = 0;
  const steps: Step[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    if (step.verb === 'expect') {
      if (index > lastInjectedFault) claims.push(...step.expectations);
      else left += step.expectations.length;
    }
    const plain = withoutNarration(step);
    if (plain.verb === 'waitFor') {
      const { withinMs: _, ...patient } = plain;
      steps.push(patient);
    } else if (plain.verb === 'expect' || plain.verb === 'note') {
      // A step at an instant is kept as a note, because later steps count from it.
      if (index <= lastInjectedFault && plain.timing.when !== 'next') steps.push({ timing: plain.timing, ...source(plain), verb: 'note' });
    } else steps.push(plain);
  }
  const { untilMs: _, ...open } = scenario;
  const endMs = quietMs + restlessMs;
  const timing = rests ? ({ when: 'settled' } as const) : ({ when: 'at', atMs: endMs } as const);
  return {
    quietMs,
    left,
    scenario: {
      ...open,
      limits: { steps: MOST_STEPS, ...scenario.limits, timeMs: quietMs + mendsMs + 1 },
      ...(rests ? {} : { untilMs: endMs }),
      steps: claims.length === 0 ? steps : [...steps, { timing, verb: 'expect', expectations: claims }],
    },
  };
}

const source = ({ source: at }: Step): Pick<Step, 'source'> => (at === undefined ? {} : { source: at });

/** Returns the end of fault injection in a scenario with a healing phase, milliseconds since the epoch; the start in any other scenario. */
export const quietAtOf = ({ startAt, limits: { timeMs } }: Scenario, healed: Healed = {}): number =>
  timeMs === undefined ? startAt : startAt + Math.max(0, timeMs - mendsWithinMs(healed) - 1);
