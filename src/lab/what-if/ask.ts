/**
 * Asks a question of a scenario: runs it with the steps of the question, and says what they changed. The first minute of a dump is left to the
 * cluster itself, so that its own writes are told from those that follow; of another scenario it is asked at one of its moments.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { blockersOf, type Situation, situationOf, waitingText } from '../blockers/index.ts';
import type { Scenario, Step } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';
import type { ObjectName } from '../trace/index.ts';
import { collectEffects, type Effects } from './effects.ts';

/** When questions are asked of a dump, milliseconds since the start. */
export const ASKED_AT_MS = 60_000;

/** A run without a write for so long is at rest. */
const REST_MS = 120_000;
/** The lines that say why pods wait, and the pods that are asked for. */
const LINES = 12;
const ASKED_PODS = 60;

/** The answer to a question, as plain data but for its run. */
export interface Answer extends Effects {
  /** When the question was asked, milliseconds since the start. */
  readonly askedAtMs: number;
  /** Nothing was written any more at the end. */
  readonly atRest: boolean;
  /** Why pods wait at the end, a line each. */
  readonly why: readonly string[];
  readonly run: Run;
}

type Options = Pick<SimulateOptions, 'seed' | 'with'>;

const startOf = ({ timing }: Step): number | undefined => (timing.when === 'at' ? timing.atMs : undefined);

/**
 * Returns the scenario with the steps of a question among its own, by their times: later ones come when they would, or when the question is
 * done with. What is expected of them, and what was recorded, holds no longer.
 */
export function withQuestion({ recorded: _, ...base }: Scenario, question: readonly Step[], askedAtMs: number): Scenario {
  const first = base.steps.findIndex((step) => (startOf(step) ?? 0) > askedAtMs);
  const at = first < 0 ? base.steps.length : first;
  const later = base.steps.slice(at).flatMap((step): readonly Step[] => {
    if (!('code' in step)) return 'expect' in step && step.expect !== undefined ? [] : [step];
    const { code: _code, ...unchecked } = step;
    return [unchecked];
  });
  return { ...base, steps: [...base.steps.slice(0, at), ...question, ...later] };
}

/** The objects of a run at a moment, milliseconds since the start: those that a question may name. */
export function objectsAt(scenario: Scenario, atMs: number, options: Options = {}): readonly ApiObject[] {
  const { snapshot } = scenario.from ?? {};
  const objects = new Map((snapshot?.objects ?? []).map((object) => [object.metadata.uid, object]));
  const { steps } = withQuestion(scenario, [], atMs);
  simulate(
    { ...scenario, steps: steps.filter((step) => (startOf(step) ?? 0) <= atMs), untilMs: Math.max(atMs, 1) },
    {
      ...options,
      invariants: [],
      mayBeIdle: true,
      onEntry(entry) {
        if (entry.type !== 'write' || entry.at > scenario.startAt + atMs) return;
        const { type, object } = entry.change;
        if (type === 'DELETED') objects.delete(object.metadata.uid);
        else objects.set(object.metadata.uid, object);
      },
    },
  );
  return [...objects.values()];
}

/** Runs the scenario with the steps of the question, and returns the answer. */
export function askWhatIf(
  scenario: Scenario,
  { askedAtMs = ASKED_AT_MS, ...options }: Options & { readonly askedAtMs?: number } = {},
): Answer {
  const collected = collectEffects(scenario.from?.snapshot.objects ?? [], scenario.startAt + askedAtMs);
  const run = simulate(scenario, { ...options, trace: true, invariants: [], mayBeIdle: true, onEntry: collected.observe });
  const effects = collected.effects();
  const { trace, cluster } = run;
  const why = trace === undefined || effects.waiting.length === 0 ? [] : reasons(effects.waiting, situationOf(cluster, trace));
  const askedForMs = run.lengthMs - askedAtMs;
  return { ...effects, askedAtMs, atRest: run.settled || askedForMs - effects.restMs >= REST_MS, why, run };
}

/** Runs the scenario as long without the question, with a trace: what would be otherwise. */
export const withoutQuestion = (scenario: Scenario, options: Options = {}): Run =>
  simulate(scenario, { ...options, trace: true, invariants: [], mayBeIdle: true });

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
