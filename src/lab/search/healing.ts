/**
 * The scenario in the form that a search runs: its steps, then a healing phase without faults, then the final checks. Expectations in the
 * middle are about an instant, which any delay moves, so they are not checked. The final ones are checked when the cluster is settled, or
 * has had the time to recover.
 */
import { LONGEST_BACKOFF_MS } from '../../controlplane/runtime/index.ts';
import { type Expectation, type Scenario, type Step, withoutNarration } from '../scenario/index.ts';

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
