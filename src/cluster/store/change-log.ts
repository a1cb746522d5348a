/** The changes of one kind, newest last, bounded: what a watch resumes from and what old snapshots are rebuilt from. */
import type { Change } from './change.ts';

export interface ChangeLog {
  append(change: Change): void;
  /** Changes after a revision; undefined when some of them are forgotten ("too old"). */
  after(revision: number): readonly Change[] | undefined;
  /** Revision of the last remembered change at or before an instant; 0 without one. */
  lastBefore(at: number): number;
  /** Forgets everything up to and including a revision. */
  forget(revision: number): void;
}

/** An empty log that keeps about `keep` changes. */
export function createChangeLog(keep: number): ChangeLog {
  let changes: Change[] = [];
  let forgotten = 0;

  const firstAfter = (revision: number): number => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.revision ?? Infinity) > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const trim = (count: number): void => {
    forgotten = Math.max(forgotten, changes[count - 1]?.revision ?? 0);
    changes = changes.slice(count);
  };

  return {
    append(change) {
      changes.push(change);
      // In halves, so that the cost of trimming is constant per change.
      if (changes.length >= 2 * keep) trim(changes.length - keep);
    },
    after: (revision) => (revision < forgotten ? undefined : changes.slice(firstAfter(revision))),
    lastBefore(at) {
      let low = 0;
      let high = changes.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((changes[middle]?.at ?? Infinity) > at) high = middle;
        else low = middle + 1;
      }
      return changes[low - 1]?.revision ?? 0;
    },
    forget(revision) {
      trim(firstAfter(revision));
      forgotten = Math.max(forgotten, revision);
    },
  };
}
