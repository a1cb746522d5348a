/** What broke in a run: when, in words, and the object whose write broke it. */
import type { Model } from './index.ts';

/**
 * The breaches up to a step, the first one first. `uid`: that of the object of the last write before it; undefined: the breach is about
 * time, or about nothing that is there.
 */
export function breachesAt({ run: { failures }, trace: { entries } }: Model, step: number) {
  return failures
    .filter((failure) => failure.step <= step && failure.step > 0)
    .map(({ step: at, invariant, message }) => {
      let before = at;
      while (before > 0 && (entries[before - 1]?.type === 'check' || entries[before - 1]?.type === 'note')) before--;
      const entry = entries[before - 1];
      const uid = entry?.type === 'write' && entry.change.kind !== 'Event' ? entry.change.object.metadata.uid : undefined;
      return { step: at, title: invariant ?? 'Failed', message, uid };
    });
}
