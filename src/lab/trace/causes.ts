/** Why something happened: the entries that led to it, back to the operations and faults that nobody inside caused. */
import { storeKey } from '../../apiserver/machinery/index.ts';
import { diffValues, valueAt } from './diff.ts';
import { entryAt, stepOf, type Entry, type ObjectName, type Trace } from './trace.ts';

/** One entry that led to another. */
export interface CauseLink {
  readonly step: number;
  readonly entry: Entry;
  /** Distance from the entry asked about. */ readonly depth: number;
}

const stepsOf = (trace: Trace, entry: Entry | undefined): number[] =>
  (entry?.causes ?? []).map((id) => stepOf(trace, id)).filter((step) => step !== undefined);

/** Every cause of a step, nearest first, each once; at most `limit`. */
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

/** One line of causes, newest first: at each turn the latest cause, as a person would tell it. */
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
 * The chain without what goes without saying: a decision whose write stands there with its why, a delivery that came at once, the end of a
 * wait that was decided on.
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

/** The steps that wrote an object, oldest first. */
export function writesOf(trace: Trace, { kind, namespace, name }: ObjectName): readonly number[] {
  const key = storeKey(namespace, name);
  const steps: number[] = [];
  trace.entries.forEach((entry, i) => {
    if (entry.type === 'write' && entry.change.kind === kind && entry.change.key === key) steps.push(i + 1);
  });
  return steps;
}

/** The last step at or before `before` that wrote an object; with a field, that changed it. Undefined when that was before the start. */
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
