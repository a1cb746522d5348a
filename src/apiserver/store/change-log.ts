/** The changes of one kind, newest last, bounded: what a watch resumes from and what old snapshots are rebuilt from. */
import type { Change } from './change.ts';
import { weightOf } from './weight.ts';
import { accessors } from '../../engine/index.ts';

const withBytes = accessors('bytes');

export interface ChangeLog {
  /** Bytes that only the log keeps: what objects were before their changes. */
  readonly bytes: number;
  append(change: Change): void;
  /** Changes after a revision; undefined when some of them are forgotten ("too old"). */
  after(revision: number): readonly Change[] | undefined;
  /** Revision of the last remembered change at or before an instant; 0 without one. */
  lastBefore(at: number): number;
  /** Forgets everything up to and including a revision. */
  forget(revision: number): void;
  /** Forgets the oldest changes until no more than so many bytes are kept. */
  lighten(bytes: number): void;
}

/** Changes this old are only kept as long as they are few: what goes on for ever takes no more memory than an hour of it. */
const OLD_MS = 3_600_000;
const FEW = 256;
/** Bytes of a change beside its objects. */
const RECORD = 128;

/** What nobody would keep but for the log: of an object that was changed what it was before, of one that is gone all of it. */
const keptBy = ({ type, object, previous }: Change): number =>
  RECORD + (previous === undefined ? 0 : weightOf(previous, type === 'DELETED' ? undefined : object));

/** An empty log that keeps about `keep` changes, and of those that are old a few hundred. */
export function createChangeLog(keep: number): ChangeLog {
  const few = Math.min(keep, FEW);
  let changes: Change[] = [];
  /** What each of them weighs. */
  let weights: number[] = [];
  let bytes = 0;
  let forgotten = 0;
  /** The length at which to look for what may go: twice what was left, so that looking costs nothing per change. */
  let lookAt = 2 * few;

  /** How many changes have a revision or an instant up to this one; both only grow. */
  const countUntil = (of: 'revision' | 'at', bound: number): number => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.[of] ?? Infinity) > bound) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const trim = (count: number): void => {
    if (count <= 0) return;
    forgotten = Math.max(forgotten, changes[count - 1]?.revision ?? 0);
    for (let at = 0; at < count; at++) bytes -= weights[at] ?? 0;
    changes = changes.slice(count);
    weights = weights.slice(count);
  };

  return withBytes(
    { bytes: () => bytes },
    {
      append(change) {
        const weight = keptBy(change);
        changes.push(change);
        weights.push(weight);
        bytes += weight;
        const { length } = changes;
        if (length < lookAt) return;
        trim(Math.max(Math.min(countUntil('at', change.at - OLD_MS), length - few), length >= 2 * keep ? length - keep : 0));
        lookAt = Math.min(2 * Math.max(changes.length, few), 2 * keep);
      },
      after: (revision) => (revision < forgotten ? undefined : changes.slice(countUntil('revision', revision))),
      lastBefore: (at) => changes[countUntil('at', at) - 1]?.revision ?? 0,
      forget(revision) {
        trim(countUntil('revision', revision));
        forgotten = Math.max(forgotten, revision);
      },
      lighten(allowed) {
        let left = bytes;
        let count = 0;
        for (; count < changes.length && left > allowed; count++) left -= weights[count] ?? 0;
        trim(count);
      },
    },
  );
}
