/** The baseline of a search: whether the scenario holds without faults, which points it has, how long it lasts. */
import { listening, type Point } from '../choices/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { NEVER_EXERCISED, simulate, type Run } from '../simulation/index.ts';
import { attempt } from './reproduction.ts';
import { quiesced, type Quiescence } from './healing.ts';
import { isLiveness, type Making, SETTLES } from './cause.ts';
import type { Field } from './swarm.ts';
import { judgementOf } from './judgement.ts';
import { type Moment, momentsOf } from './moments-tried.ts';
import { historian } from './history.ts';

/** The reason why a scenario cannot be searched, with the messages of its run. */
export interface Unfit {
  readonly unfit: string;
  readonly messages: readonly string[];
}

export interface Baseline {
  readonly quiescence: Quiescence;
  readonly field: Omit<Field, 'seed' | 'faults'>;
  /** Reasons that controllers gave in the run without faults. */
  readonly reached: ReadonlySet<string>;
  /** The moments at which faults concern what is judged. */
  readonly moments: readonly Moment[];
  /** The user's controllers. */
  readonly mine: ReadonlySet<string>;
  /** The names of the invariants that the scenario selects or defines and that no run has exercised so far. */
  readonly idle: readonly string[];
}

/** Runs a scenario without faults. Returns what a search needs, or why the scenario cannot be searched. */
export function baseline(scenario: Scenario, making: Making): Baseline | Unfit {
  // Under faults a run leaves the record of a real cluster on purpose.
  const { choices = [], recorded: _, ...plain } = scenario;
  if (choices.length > 0)
    return { unfit: 'it has choices already: remove spec.choices to search it, or run it to replay them', messages: [] };
  const asWritten = simulate(plain, { ...making, digest: false, tries: false });
  if (asWritten.failures.length > 0) return failsWithoutFaults(asWritten);
  // Events of the last instant of the scenario are included.
  const quietMs = asWritten.lengthMs + 1;
  for (const rests of [true, false]) {
    const quiescence = quiesced(plain, quietMs, rests, making);
    const observed = observeBaseline(quiescence, making);
    const [first] = observed.broken;
    if (first === undefined) return observed.baseline;
    if (isLiveness(first)) return { unfit: 'it makes no progress without any choice', messages: [first.message] };
    if (rests && observed.broken.every(({ claim }) => claim === SETTLES)) continue;
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
  const reachedPoints = new Map<string, Point>();
  const { scenario, quietMs } = quiescence;
  const heard = historian();
  const listener = listening((point, now) => {
    if (now >= scenario.startAt + quietMs) return;
    heard.reached(point, now - scenario.startAt);
    const { sort, actor } = point;
    reachedPoints.set(point.address, point);
    points[sort] = (points[sort] ?? 0) + 1;
    if (actor !== '') actors.add(actor);
  });
  const { run, broken, reached } = attempt(scenario, making, listener, heard.observe);
  const history = heard.history(run.cluster, making);
  const named = new Set([...(scenario.invariants ?? []), ...(scenario.expressed ?? []).map(({ name }) => name)]);
  const idle = run.invariants.filter(({ name, exercised }) => named.has(name) && exercised === 0).map(({ name }) => name);
  const { mine } = judgementOf(scenario, making);
  const field = { points, actors: [...actors], quietMs, history };
  return {
    broken,
    baseline: { quiescence, field, reached, idle, moments: momentsOf(reachedPoints.values(), history, mine), mine } satisfies Baseline,
  };
}
