/** The changes of one kind, newest last, bounded: watches resume from them, and past snapshots are rebuilt from them. */
import { weightOf } from './weight.ts';
import { accessors } from '../../engine/index.ts';
import type { ApiObject } from '../machinery/index.ts';

const withBytes = accessors('bytes');

export interface ChangeLog {
  /** Bytes that only the log keeps: the previous states of changed objects. */
  readonly bytes: number;
  append(change: Change): void;
  /** Returns the changes after a revision; undefined when some of them have been dropped ("too old"). */
  after(revision: number): readonly Change[] | undefined;
  /** Returns the revision of the last kept change at or before an instant; 0 without one. */
  lastBefore(at: number): number;
  /** Drops all changes up to and including a revision. */
  forget(revision: number): void;
  /** Drops the oldest changes until at most this many bytes are kept. */
  trim(bytes: number): void;
}

/** Only a small number of changes older than this are kept, so that memory does not grow with the length of a run. */
const OLD_MS = 3_600_000;
const FEW = 256;
/** Bytes of a change besides its objects. */
const RECORD = 128;

/** The bytes that only the log keeps: the previous state of a changed object, or all of a deleted one. */
const keptBy = ({ type, object, previous }: Change): number =>
  RECORD + (previous === undefined ? 0 : weightOf(previous, type === 'DELETED' ? undefined : object));

/** Returns an empty log that keeps about `keep` changes, and a few hundred of the old ones. */
export function createChangeLog(keep: number): ChangeLog {
  const few = Math.min(keep, FEW);
  let changes: Change[] = [];
  /** The size of each change in bytes. */
  let weights: number[] = [];
  let bytes = 0;
  let forgotten = 0;
  /** The length at which the log is trimmed again: twice the remaining length, so that trimming has a constant amortised cost. */
  let trimAt = 2 * few;

  /** Returns the number of changes with a revision or an instant up to this one; both increase monotonically. */
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
        if (length < trimAt) return;
        trim(Math.max(Math.min(countUntil('at', change.at - OLD_MS), length - few), length >= 2 * keep ? length - keep : 0));
        trimAt = Math.min(2 * Math.max(changes.length, few), 2 * keep);
      },
      after: (revision) => (revision < forgotten ? undefined : changes.slice(countUntil('revision', revision))),
      lastBefore: (at) => changes[countUntil('at', at) - 1]?.revision ?? 0,
      forget(revision) {
        trim(countUntil('revision', revision));
        forgotten = Math.max(forgotten, revision);
      },
      trim(allowed) {
        let left = bytes;
        let count = 0;
        for (; count < changes.length && left > allowed; count++) left -= weights[count] ?? 0;
        trim(count);
      },
    },
  );
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface Change {
  readonly revision: number;
  readonly type: ChangeType;
  readonly kind: string;
  readonly key: string;
  /** The object after the change; for a deletion its last state, with the deletion's resourceVersion. */
  readonly object: ApiObject;
  readonly previous?: ApiObject | undefined;
  /** The instant in milliseconds since the epoch. */
  readonly at: number;
  /** The trace entry that wrote it. */
  readonly entry: number;
}
