/**
 * Where two runs part: two seeds, a run and its fork, two files. What is done is compared, in its order; names that chance made and
 * instants are not.
 */
import { sentenceOf } from './features.ts';
import type { Trace } from './trace.ts';

/** The first thing that one run does and the other does not then; a run that had ended by then has no step. */
export interface Divergence {
  /** Faults and decisions that both have in the same order. */
  readonly alike: number;
  readonly first?: number;
  readonly second?: number;
}

/** undefined: both do the same from beginning to end. */
export function firstDivergence(a: Trace, b: Trace): Divergence | undefined {
  const [mine, theirs] = [faultsOf(a), faultsOf(b)];
  for (let alike = 0; ; alike++) {
    const [one, other] = [mine.next(), theirs.next()];
    const [first, second] = [one.done === true ? undefined : one.value, other.done === true ? undefined : other.value];
    if (first === undefined && second === undefined) return undefined;
    if (first?.sentence === second?.sentence) continue;
    return {
      alike,
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
