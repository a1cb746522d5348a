/** The changes of one kind, newest last, bounded: watches resume from them, and past snapshots are rebuilt from them. */
import { weightOf } from './table.ts';
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

interface State {
  changes: Change[];
  /** The size of each change in bytes. */
  weights: number[];
  bytes: number;
  forgotten: number;
  /** The length at which the log is trimmed again: twice the remaining length, so that trimming has a constant amortised cost. */
  trimAt: number;
}

/** Returns an empty log that keeps about `keep` changes, and a few hundred of the old ones. */
export function createChangeLog(keep: number): ChangeLog {
  const few = Math.min(keep, FEW);
  const log: State = { changes: [], weights: [], bytes: 0, forgotten: 0, trimAt: 2 * few };

  /** Returns the number of changes with a revision or an instant up to this one; both increase monotonically. */
  const countUntil = (of: 'revision' | 'at', bound: number): number => {
    let low = 0;
    let high = log.changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((log.changes[middle]?.[of] ?? Infinity) > bound) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const trim = (count: number): void => {
    if (count <= 0) return;
    log.forgotten = Math.max(log.forgotten, log.changes[count - 1]?.revision ?? 0);
    for (let at = 0; at < count; at++) log.bytes -= log.weights[at] ?? 0;
    log.changes = log.changes.slice(count);
    log.weights = log.weights.slice(count);
  };

  return withBytes(
    { bytes: () => log.bytes },
    {
      append(change) {
        const weight = keptBy(change);
        log.changes.push(change);
        log.weights.push(weight);
        log.bytes += weight;
        const { length } = log.changes;
        if (length < log.trimAt) return;
        trim(Math.max(Math.min(countUntil('at', change.at - OLD_MS), length - few), length >= 2 * keep ? length - keep : 0));
        log.trimAt = Math.min(2 * Math.max(log.changes.length, few), 2 * keep);
      },
      after: (revision) => (revision < log.forgotten ? undefined : log.changes.slice(countUntil('revision', revision))),
      lastBefore: (at) => log.changes[countUntil('at', at) - 1]?.revision ?? 0,
      forget(revision) {
        trim(countUntil('revision', revision));
        log.forgotten = Math.max(log.forgotten, revision);
      },
      trim(allowed) {
        let left = log.bytes;
        let count = 0;
        for (; count < log.changes.length && left > allowed; count++) left -= log.weights[count] ?? 0;
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
