/**
 * Asks a question of a scenario that begins with a dump: runs it, and says what its steps changed. The first minute is left to the cluster
 * itself, so that its own writes are told from those that follow.
 */
import { blockersOf, type Situation, situationOf, waitingText } from '../blockers/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';
import type { ObjectName } from '../trace/index.ts';
import { collectEffects, type Effects } from './effects.ts';

/** When questions are asked, milliseconds since the start. */
export const ASKED_AT_MS = 60_000;

/** A run without a write for so long is at rest. */
const REST_MS = 120_000;
/** The lines that say why pods wait, and the pods that are asked for. */
const LINES = 12;
const ASKED_PODS = 60;

/** The answer to a question, as plain data but for its run. */
export interface Answer extends Effects {
  /** Nothing was written any more at the end. */
  readonly atRest: boolean;
  /** Why pods wait at the end, a line each. */
  readonly why: readonly string[];
  readonly run: Run;
}

/** Runs the scenario, whose steps are the question, and returns the answer. */
export function askWhatIf(scenario: Scenario, options: Pick<SimulateOptions, 'seed' | 'with'> = {}): Answer {
  const collected = collectEffects(scenario.from?.snapshot.objects ?? [], scenario.startAt + ASKED_AT_MS);
  const run = simulate(scenario, { ...options, trace: true, invariants: [], mayBeIdle: true, onEntry: collected.observe });
  const effects = collected.effects();
  const { trace, cluster } = run;
  const why = trace === undefined || effects.waiting.length === 0 ? [] : reasons(effects.waiting, situationOf(cluster, trace));
  const askedForMs = run.lengthMs - ASKED_AT_MS;
  return { ...effects, atRest: run.settled || askedForMs - effects.restMs >= REST_MS, why, run };
}

/** Runs the same time without the question, with a trace: what would be otherwise. */
export const withoutQuestion = (scenario: Scenario, options: Pick<SimulateOptions, 'seed' | 'with'> = {}): Run =>
  simulate({ ...scenario, steps: [] }, { ...options, trace: true, invariants: [], mayBeIdle: true });

/** Why pods wait: pods with the same reasons are said once. */
function reasons(waiting: readonly ObjectName[], situation: Situation): readonly string[] {
  const groups = new Map<string, { readonly lines: readonly string[]; count: number }>();
  for (const name of waiting.slice(0, ASKED_PODS)) {
    const waits = blockersOf(situation, name);
    const key = JSON.stringify(waits.map(({ text, depth }) => [text, depth]));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { lines: waitingText(waits), count: 1 });
    else group.count++;
  }
  return [...groups.values()]
    .flatMap(({ lines: [first = '', ...rest], count }) => [count === 1 ? first : `${first} (and ${count - 1} alike)`, ...rest])
    .slice(0, LINES);
}
