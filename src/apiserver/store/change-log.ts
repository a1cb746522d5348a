/**
 * The history of a store. The changes of one kind, newest last, are bounded: watches resume from them, and past snapshots are rebuilt from
 * them. What bounds them: compaction, and the approximate memory size of values.
 */
import { accessors, newItems } from '../../engine/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import { bisect } from '../../schema/values/index.ts';

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
  const countUntil = (of: 'revision' | 'at', bound: number): number => bisect(log.changes, (change) => change[of] <= bound);
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

interface Compacted {
  readonly revision: number;
  expire(revision: number): void;
}

const EVERY_MS = 300_000;

/**
 * Returns the compaction of a store that exists since an instant, in milliseconds since the epoch. Every five minutes the server drops all
 * changes older than its previous compaction; the first drops nothing. A client with an older revision must list again. Models: apiserver
 * pkg/storage/etcd3 compact.go, storagebackend DefaultCompactInterval.
 */
export function createCompaction(store: Compacted, startAt: number) {
  const state = { nextAt: startAt + EVERY_MS, seen: 0 };
  return {
    /** Must be called before the clock moves to an instant. Compaction needs no pending event, so it never keeps a run from settling. */
    advance(to: number): void {
      if (to < state.nextAt) return;
      const times = 1 + Math.floor((to - state.nextAt) / EVERY_MS);
      state.nextAt += times * EVERY_MS;
      // When the clock passes several ticks at once, nothing was written between them.
      store.expire(times === 1 ? state.seen : store.revision);
      state.seen = store.revision;
    },
  };
}

// The approximate memory size of a value, equal on every host: it bounds the history.

/** Bytes of a reference and of a small value. */
const SLOT = 8;
/** Bytes of an object or list before its members. */
const HEADER = 32;
/** Deeper than any kind; a body that nests deeper is refused earlier. */
const DEEPEST = 200;

/** Returns the size of a value in bytes, without the parts that it shares by reference with another revision (`beside`). */
export function weightOf(value: unknown, beside?: unknown, depth = 0): number {
  if (typeof value === 'string') return SLOT + HEADER + value.length;
  if (typeof value !== 'object' || value === null || value === beside || depth > DEEPEST) return SLOT;
  return Array.isArray(value) ? weightOfList(value, beside, depth) : weightOfMembers(value, beside, depth);
}

function weightOfMembers(value: object, beside: unknown, depth: number): number {
  const members = value as Readonly<Record<string, unknown>>;
  const other = typeof beside === 'object' && beside !== null ? (beside as Readonly<Record<string, unknown>>) : undefined;
  let bytes = HEADER;
  for (const key in members) {
    const member = members[key];
    const same = other?.[key];
    bytes += SLOT + (member === same ? 0 : weightOf(member, same, depth + 1));
  }
  return bytes;
}

/** By index: iterating over property names would allocate each of them. */
function weightOfList(value: readonly unknown[], beside: unknown, depth: number): number {
  const other: readonly unknown[] = Array.isArray(beside) ? beside : [];
  const { from, to } = newItems(value, other);
  let bytes = HEADER + SLOT * value.length;
  for (let at = from; at < to; at++) {
    const item = value[at];
    if (item !== other[at]) bytes += weightOf(item, other[at], depth + 1);
  }
  return bytes;
}
