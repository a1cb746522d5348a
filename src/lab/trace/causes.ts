/** The causes of a step: the entries that led to it, back to the operations and faults that come from outside the cluster. */
import { storeKey } from '../../apiserver/machinery/index.ts';
import { diffValues, valueAt } from './diff.ts';
import { entryAt, stepOf, type Entry, type ObjectName, type Trace } from './trace.ts';

/** An entry that is among the causes of another. */
export interface CauseLink {
  readonly step: number;
  readonly entry: Entry;
  /** The distance from the entry in question. */ readonly depth: number;
}

const stepsOf = (trace: Trace, entry: Entry | undefined): number[] =>
  (entry?.causes ?? []).map((id) => stepOf(trace, id)).filter((step) => step !== undefined);

/** Returns every cause of a step, nearest first, each once; at most `limit`. */
export function causesOf(trace: Trace, step: number, limit = 200): readonly CauseLink[] {
  const links: CauseLink[] = [];
  const seen = new Set<number>([step]);
  let level: number[] = [step];
  for (let depth = 1; level.length > 0 && links.length < limit; depth++) {
    const next: number[] = [];
    for (const at of level) {
      for (const cause of stepsOf(trace, entryAt(trace, at))) {
        if (seen.has(cause)) continue;
        seen.add(cause);
        next.push(cause);
        const entry = entryAt(trace, cause);
        if (entry !== undefined && links.length < limit) links.push({ step: cause, entry, depth });
      }
    }
    level = next.sort((a, b) => b - a);
  }
  return links;
}

const LONGEST = 1_000;

/** Returns one chain of causes, newest first: at each link the latest of the causes, because it is the one that triggered the effect. */
export function chainOf(trace: Trace, step: number, limit = LONGEST): readonly CauseLink[] {
  const chain: CauseLink[] = [];
  let at = step;
  for (let depth = 1; depth <= limit; depth++) {
    const latest = stepsOf(trace, entryAt(trace, at)).reduce((max, found) => Math.max(max, found), 0);
    const entry = latest === 0 ? undefined : entryAt(trace, latest);
    if (entry === undefined) break;
    chain.push({ step: latest, entry, depth });
    at = latest;
  }
  return chain;
}

/**
 * Returns the chain without the links that add no information: a decision whose write is in the chain with its reason, a delivery at the
 * instant of its write, the end of a delay that a decision requested.
 */
export function storyOf(trace: Trace, step: number, limit = LONGEST): readonly CauseLink[] {
  let effect = entryAt(trace, step);
  const links = chainOf(trace, step, limit);
  return links.filter(({ entry }, at) => {
    const before = effect;
    effect = entry;
    const source = links[at + 1]?.entry;
    switch (entry.type) {
      case 'reconcile':
        return before?.type !== 'write';
      case 'delivery':
        return source !== undefined && source.at < entry.at;
      case 'timer':
        return entry.because === 'backoff' || source?.type !== 'reconcile';
      default:
        return true;
    }
  });
}

/** Returns the steps that wrote an object, oldest first. */
export function writesOf(trace: Trace, { kind, namespace, name }: ObjectName): readonly number[] {
  const key = storeKey(namespace, name);
  const steps: number[] = [];
  trace.entries.forEach((entry, i) => {
    if (entry.type === 'write' && entry.change.kind === kind && entry.change.key === key) steps.push(i + 1);
  });
  return steps;
}

/**
 * Returns the last step at or before `before` that wrote an object; with a field, the last that changed it. Undefined: that write is in the
 * prologue, or there is none.
 */
export function lastWriteOf(trace: Trace, { kind, namespace, name }: ObjectName, before: number, field?: string): number | undefined {
  const key = storeKey(namespace, name);
  for (let step = Math.min(before, trace.entries.length); step > 0; step--) {
    const entry = entryAt(trace, step);
    if (entry?.type !== 'write' || entry.change.kind !== kind || entry.change.key !== key) continue;
    if (field === undefined) return step;
    const { previous, object, type } = entry.change;
    if (diffValues(valueAt(previous, field), type === 'DELETED' ? undefined : valueAt(object, field)).length > 0) return step;
  }
  return undefined;
}
