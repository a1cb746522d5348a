/** Compares two signatures. Two recordings of the real system agree in 52 of 59 cases, which is the noise of the comparison. */
import type { Milestone, Signature } from './signature.ts';

export interface Tolerance {
  /** Times may differ by so many seconds … */
  readonly seconds?: number;
  /** … or by this share of the recorded time, whichever is larger. */
  readonly share?: number;
}

/**
 * Compares final states and milestones as multisets, the n-th occurrence of each milestone by its time, and controller events as a set.
 * Empty if equal.
 */
export function compare(recorded: Signature, simulated: Signature, { seconds = 2, share = 0.15 }: Tolerance = {}): string[] {
  return [
    ...bagDifferences(recorded.final, simulated.final).map((line) => `final   ${line}`),
    ...bagDifferences(recorded.milestones.map(whatOf), simulated.milestones.map(whatOf)).map((line) => `happens ${line}`),
    ...timeDifferences(recorded.milestones, simulated.milestones, seconds, share),
    ...recorded.events.filter((event) => !simulated.events.includes(event)).map((event) => `event   missing: ${event}`),
    ...simulated.events.filter((event) => !recorded.events.includes(event)).map((event) => `event   extra: ${event}`),
  ];
}

function timeDifferences(recorded: readonly Milestone[], simulated: readonly Milestone[], seconds: number, share: number): string[] {
  const found: string[] = [];
  const theirs = times(simulated);
  for (const [what, ours] of times(recorded)) {
    const others = theirs.get(what) ?? [];
    for (const [i, at] of ours.entries()) {
      const other = others[i];
      if (other !== undefined && Math.abs(at - other) > Math.max(seconds, share * at))
        found.push(`time    ${what} #${i + 1}: ${at} vs ${other}`);
    }
  }
  return found;
}

function bagDifferences(a: readonly string[], b: readonly string[]): string[] {
  const inA = counts(a);
  const inB = counts(b);
  return [...new Set([...inA.keys(), ...inB.keys()])]
    .filter((key) => inA.get(key) !== inB.get(key))
    .map((key) => `${inA.get(key) ?? 0} vs ${inB.get(key) ?? 0}: ${key}`);
}

function counts(items: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of items) found.set(item, (found.get(item) ?? 0) + 1);
  return found;
}

function times(milestones: readonly Milestone[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { t, what } of milestones) {
    const list = found.get(what);
    if (list === undefined) found.set(what, [t]);
    else list.push(t);
  }
  return found;
}

function whatOf({ what }: Milestone): string {
  return what;
}
