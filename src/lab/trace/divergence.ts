/**
 * The first divergence of two runs: two seeds, a run and its fork, two files. Decisions, writes and faults are compared in their order;
 * generated names and timestamps are not.
 */
import { sentenceOf } from './features.ts';
import type { Trace } from './trace.ts';

/** The first entry that one run has and the other has not at that place; a run that had ended by then has no step. */
export interface Divergence {
  /** The number of entries that both runs have in the same order before it. */
  readonly common: number;
  readonly first?: number;
  readonly second?: number;
}

/** Returns the first divergence; undefined: both runs are the same from beginning to end. */
export function firstDivergence(a: Trace, b: Trace): Divergence | undefined {
  const [mine, theirs] = [faultsOf(a), faultsOf(b)];
  for (let common = 0; ; common++) {
    const [one, other] = [mine.next(), theirs.next()];
    const [first, second] = [one.done === true ? undefined : one.value, other.done === true ? undefined : other.value];
    if (first === undefined && second === undefined) return undefined;
    if (first?.sentence === second?.sentence) continue;
    return {
      common,
      ...(first === undefined ? {} : { first: first.step }),
      ...(second === undefined ? {} : { second: second.step }),
    };
  }
}

function* faultsOf({ entries, startAt }: Trace): Generator<{ readonly step: number; readonly sentence: string }> {
  for (const [at, entry] of entries.entries()) {
    const sentence = sentenceOf(entry, startAt);
    if (sentence !== undefined) yield { step: at + 1, sentence };
  }
}
