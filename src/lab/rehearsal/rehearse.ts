/** Runs a rehearsal: what each phase took, what was available at least, what failed, and whether the way back leads to the same. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { simulate, type Run, type RunFailure, type SimulateOptions } from '../simulation/index.ts';
import { present } from '../../schema/values/index.ts';
import { diffValues, type Entry } from '../trace/index.ts';
import { collectEffects, type Effects } from '../what-if/index.ts';
import type { Phase, Plan } from './plan.ts';
import { brokenText } from './said.ts';
import { keyOf } from './release.ts';

/** A phase with its effects; absent: the run did not reach it. `said`: in a sentence, what is wrong where an invariant of the plan does not hold. */
export interface PhaseResult extends Phase {
  readonly effects?: Effects;
  readonly failures: readonly (RunFailure & { readonly said?: string })[];
}

/** A finished rehearsal, as plain data but for its run. */
export interface Rehearsal {
  readonly phases: readonly PhaseResult[];
  /** How the end differs from the state after the installation, a line each; undefined: it was not reached. */
  readonly differences?: readonly string[];
  readonly run: Run;
}

const STEPS: ReadonlySet<string> = new Set(['step', 'expectation', 'limit']);

export function rehearse({ scenario, phases, targets }: Plan, options: Pick<SimulateOptions, 'seed' | 'with' | 'trace'> = {}): Rehearsal {
  const { startAt } = scenario;
  const collected = phases.map((phase) => ({ phase, of: collectEffects([], startAt + phase.fromMs) }));
  const kept = statesOf(new Set(targets.map(keyOf)));
  let installed: ReadonlyMap<string, ApiObject> | undefined;
  const rollAt = startAt + (phases[1]?.fromMs ?? 0);
  /** The object of the last write: an invariant that it breaks is checked before the next. */
  let written: ApiObject | undefined;
  const broken = new Map<string, string>();
  const onEntry = (entry: Entry): void => {
    if (entry.type === 'write') written = entry.change.object;
    if (entry.type === 'check' && !entry.held) {
      const text = brokenText(entry.name, written);
      if (text !== undefined) broken.set(entry.name, text);
    }
    if (installed === undefined && entry.at >= rollAt) installed = new Map(kept.states);
    kept.observe(entry);
    for (const { phase, of } of collected) if (entry.at < startAt + phase.untilMs) of.observe(entry);
  };
  const run = simulate(scenario, { ...options, mayBeIdle: true, onEntry });
  const last = phases[phases.length - 1];
  // A step that fails ends the steps; a failed expectation of the last phase is no step.
  const ended = run.failures.find(({ kind, sinceStartMs }) => STEPS.has(kind) && sinceStartMs < (last?.fromMs ?? 0));
  const isReached = ({ fromMs }: Phase): boolean => run.lengthMs > fromMs && (ended === undefined || ended.sinceStartMs >= fromMs);
  return {
    phases: collected.map(({ phase, of }) => ({
      ...phase,
      ...(isReached(phase) ? { effects: of.effects() } : {}),
      failures: run.failures
        .filter(({ sinceStartMs }) => sinceStartMs >= phase.fromMs && (sinceStartMs < phase.untilMs || phase === last))
        .map((failure) => ({ ...failure, ...present({ said: broken.get(failure.invariant ?? '') }) })),
    })),
    ...(installed === undefined || last === undefined || ended !== undefined || run.lengthMs < last.untilMs
      ? {}
      : { differences: differences(installed, kept.states) }),
    run,
  };
}

function statesOf(keys: ReadonlySet<string>) {
  const states = new Map<string, ApiObject>();
  return {
    states,
    observe(entry: Entry): void {
      if (entry.type !== 'write') return;
      const { type, kind, object } = entry.change;
      const { namespace, name } = object.metadata;
      const key = keyOf(present({ kind, namespace, name }));
      if (!keys.has(key)) return;
      if (type === 'DELETED') states.delete(key);
      else states.set(key, object);
    },
  };
}

/** Marks that controllers count up. */
const COUNTED = /^metadata\.annotations\.(?:deployment\.kubernetes\.io|deployment\.orch\.io|deprecated\.daemonset)/;
const SHOWN = 80;

function differences(before: ReadonlyMap<string, ApiObject>, after: ReadonlyMap<string, ApiObject>): readonly string[] {
  const lines: string[] = [];
  const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, SHOWN));
  for (const [key, was] of before) {
    const is = after.get(key);
    if (is === undefined) lines.push(`${key} is gone`);
    else
      for (const { path, before: one, after: other } of diffValues(essence(was), essence(is)))
        if (!COUNTED.test(path)) lines.push(`${key}: ${path} was ${text(one)}, is ${text(other)}`);
  }
  for (const key of after.keys()) if (!before.has(key)) lines.push(`${key} is left over`);
  return lines;
}

/** What a release states of an object; the server and controllers state the rest. */
function essence({ metadata: { labels, annotations }, ...rest }: ApiObject): unknown {
  const { status: _, ...stated } = rest as typeof rest & { readonly status?: unknown };
  return { metadata: { labels, annotations }, ...stated };
}
