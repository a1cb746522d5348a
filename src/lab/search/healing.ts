/**
 * A scenario as a search runs it: its story first, then calm, then its claims. What a story expects in the middle is about instants, which
 * any delay shifts; what it expects last is a claim about what it comes to, and is asked when the world is at rest, or has had the time
 * to mend.
 */
import { LONGEST_BACKOFF_MS } from '../../controlplane/runtime/index.ts';
import type { Expectation, Scenario, Step } from '../scenario/index.ts';

/** What a key that has come back needs: others see what it wrote, and act on it. */
const ACTS_WITHIN_MS = 2 * 60_000;
/** Longer than any wait in force: no back-off of a queue, of a Job, of a container or of a volume that is torn off is longer. Milliseconds. */
const MENDS_WITHIN_MS = LONGEST_BACKOFF_MS + ACTS_WITHIN_MS;
/** Events of one run; one that needs more goes round in circles. */
const MOST_STEPS = 2_000_000;

export interface Quiescence {
  readonly scenario: Scenario;
  /** Until then things may go otherwise, milliseconds since the start. */
  readonly quietMs: number;
  /** Expectations in the middle, which are not asked. */
  readonly left: number;
}

/** What a step does, without what is told of it. */
function bare(step: Step): Step {
  const { before: _, note: __, about: ___, assertions: ____, ask: _____, look: ______, tries: _______, ...rest } = step;
  return rest;
}

/** The claims are what is expected once nothing is done any more. `rests`: the world comes to rest by itself. */
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
      // Its instant is kept: steps after it count from there.
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

/** From when on nothing goes otherwise in a calm scenario any more, milliseconds since the epoch; in any other: always. */
export const quietAtOf = ({ startAt, limits: { timeMs } }: Scenario): number =>
  timeMs === undefined ? startAt : startAt + Math.max(0, timeMs - MENDS_WITHIN_MS - 1);
