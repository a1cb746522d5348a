/** What broke in a run: when, in words, and the object whose write broke it. */
import type { Model } from './index.ts';

export interface Breach {
  readonly step: number;
  /** The invariant, or `Failed`. */
  readonly title: string;
  readonly message: string;
  /** The uid of the object of the last write before it; absent: it is about time, or about nothing that is there. */
  readonly uid?: string;
}

/** The breaches up to a step, the first one first. */
export function breachesAt({ run: { failures }, trace: { entries } }: Model, step: number): readonly Breach[] {
  return failures
    .filter((failure) => failure.step <= step && failure.step > 0)
    .map(({ step: at, invariant, message }) => {
      let before = at;
      while (before > 0 && (entries[before - 1]?.type === 'check' || entries[before - 1]?.type === 'note')) before--;
      const entry = entries[before - 1];
      const uid = entry?.type === 'write' && entry.change.kind !== 'Event' ? { uid: entry.change.object.metadata.uid } : {};
      return { step: at, title: invariant ?? 'Failed', message, ...uid };
    });
}
