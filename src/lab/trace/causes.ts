/** Why something happened: the entries that led to it, back to the operations and faults that nobody inside caused. */
import { entryAt, stepOf, type Entry, type Trace } from './trace.ts';

export interface CauseLink { readonly step: number; readonly entry: Entry; /** Distance from the entry asked about. */ readonly depth: number }

/** Every cause of a step, nearest first, each once; at most `limit`. */
export function causesOf(trace: Trace, step: number, limit = 200): readonly CauseLink[] {
  const links: CauseLink[] = [];
  const seen = new Set<number>([step]);
  let level: number[] = [step];
  for (let depth = 1; level.length > 0 && links.length < limit; depth++) {
    const next: number[] = [];
    for (const at of level) {
      for (const id of entryAt(trace, at)?.causes ?? []) {
        const cause = stepOf(trace, id);
        if (cause === undefined || seen.has(cause)) continue;
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

/** One line of causes, newest first: at each turn the latest cause, as a person would tell it. */
export function chainOf(trace: Trace, step: number): readonly CauseLink[] {
  const chain: CauseLink[] = [];
  let at = step;
  for (let depth = 1; depth <= 100; depth++) {
    const steps = (entryAt(trace, at)?.causes ?? []).map((id) => stepOf(trace, id)).filter((found) => found !== undefined);
    const latest = steps.reduce((max, found) => Math.max(max, found), 0);
    const entry = latest === 0 ? undefined : entryAt(trace, latest);
    if (entry === undefined) break;
    chain.push({ step: latest, entry, depth });
    at = latest;
  }
  return chain;
}

/** The steps that wrote an object, oldest first. */
export function writesOf(trace: Trace, target: { readonly kind: string; readonly namespace?: string; readonly name: string }): readonly number[] {
  const key = target.namespace === undefined ? target.name : `${target.namespace}/${target.name}`;
  const steps: number[] = [];
  trace.entries.forEach((entry, i) => { if (entry.type === 'write' && entry.change.kind === target.kind && entry.change.key === key) steps.push(i + 1); });
  return steps;
}
