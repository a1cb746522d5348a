/** The baseline of a search: whether the scenario holds without faults, which points it has, how long it lasts. */
import type { Point } from '../choices/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { NEVER_EXERCISED, simulate, type Run } from '../simulation/index.ts';
import { attempt, type Making } from './run.ts';
import { quiesced, type Quiescence } from './healing.ts';
import { isLiveness } from './liveness.ts';
import type { Field } from './swarm.ts';

/** Why a scenario cannot be searched: the run to report, and a sentence. */
export interface Unfit {
  readonly unfit: string;
  readonly messages: readonly string[];
}

export interface Baseline {
  readonly quiescence: Quiescence;
  readonly field: Omit<Field, 'seed' | 'faults'>;
  /** Reasons of controllers in the run without faults. */
  readonly reached: ReadonlySet<string>;
  /** Invariants that no run has exercised so far, by name, of those that the scenario names or says. */
  readonly idle: readonly string[];
}

/** Runs a scenario without faults; returns what a search needs to know of it, or why it cannot be searched. */
export function baseline(scenario: Scenario, making: Making): Baseline | Unfit {
  const { choices = [], ...plain } = scenario;
  if (choices.length > 0)
    return { unfit: 'it has choices already: take them out (spec.choices) to search it, or run it to see them', messages: [] };
  const asWritten = simulate(plain, { ...making, digest: false, tries: false });
  if (asWritten.failures.length > 0) return brokenAlone(asWritten);
  // Events of the last instant of the scenario are included.
  const quietMs = asWritten.lengthMs + 1;
  for (const rests of [true, false]) {
    const quiescence = quiesced(plain, quietMs, rests);
    const looked = lookAround(quiescence, making);
    const [first] = looked.broken;
    if (first === undefined) return looked.baseline;
    if (isLiveness(first)) return { unfit: 'it gets nowhere by itself, without any choice', messages: [first.message] };
    if (rests && looked.broken.every(({ claim }) => claim === 'it comes to rest')) continue;
    return {
      unfit: `it holds as it is written, but not when its claims are asked at ${rests ? 'rest' : 'its end and the longest back-off after it'}`,
      messages: looked.broken.map(({ message }) => message),
    };
  }
  return { unfit: 'it neither comes to rest nor to its end', messages: [] };
}

/** Named invariants that are never exercised could not break: they are reported. */
function brokenAlone({ failures }: Run): Unfit {
  const messages = failures.flatMap(({ invariant, message, detail }) => [
    invariant === undefined ? message : `${invariant}: ${message}`,
    ...detail,
  ]);
  return failures.every(({ message }) => message.startsWith(NEVER_EXERCISED))
    ? { unfit: 'it claims what nothing in its run could break: leave that out, or let something happen that it is about', messages }
    : { unfit: 'it breaks by itself, without any choice', messages };
}

function lookAround(quiescence: Quiescence, making: Making) {
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
