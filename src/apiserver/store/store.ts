/** The store: a table and a log for each kind, one revision, listeners. Models: etcd3 storage and the watch cache, as clients see them. */
import { deepFreeze } from '../../schema/shape/index.ts';
import type { ObjectNamed } from '../kinds/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import type { Envelope } from '../request/index.ts';
import { type Change, type ChangeLog, createChangeLog } from './change-log.ts';
import { createTable, type IndexName, type Table, type Tally } from './table.ts';
import { accessors } from '../../engine/index.ts';

const withRevisionCompactedAtTotalHistoryBytes = accessors('revision', 'compactedAt', 'total', 'historyBytes');

/** The store, for reading. */
export interface Store {
  /** The revision of the last commit; 1 in an empty store. */
  readonly revision: number;
  get<K extends string>(kind: K, key: string): ObjectNamed<K> | undefined;
  /** Returns all objects of a kind in order of creation. */
  values<K extends string>(kind: K): Iterable<ObjectNamed<K>>;
  by<K extends string>(kind: K, index: IndexName, value: string): readonly ObjectNamed<K>[];
  countBy(kind: string, index: IndexName, value: string): number;
  size(kind: string): number;
  /** The number of objects of all kinds. */
  readonly total: number;
  /** The approximate size of history in bytes: past states of changed and deleted objects. */
  readonly historyBytes: number;
  sortedKeys(kind: string): readonly string[];
  /** Returns the kinds that have or had objects, in order of first use. */
  kinds(): readonly string[];
  /** Returns the changes of a kind after a revision; undefined when some of them have been dropped. */
  changesAfter(kind: string, revision: number): readonly Change[] | undefined;
  /** Returns the objects of a kind at a revision, by key; undefined when the history has been dropped. */
  snapshotAt(kind: string, revision: number): ReadonlyMap<string, ApiObject> | undefined;
  /** Returns the last revision committed at or before an instant, as far as the logs reach; 1 before them. */
  revisionAt(at: number): number;
  readonly compactedAt: number;
  /** Returns the counter of a kind's changes, which is updated from now on. It does not create a table. */
  tally(kind: string): Readonly<Tally>;
  /** Calls the listener for every later commit, with the request that caused it, until the returned function is called. */
  onChange(listener: ChangeListener): () => void;
}

export type ChangeListener = (change: Change, envelope: Envelope) => void;

/** The store with write access, for the handlers. */
export interface WritableStore extends Store {
  /** Makes a change at the next revision. `object` must have `revision + 1` as its resourceVersion; it is frozen if it is not. */
  commit(change: NewChange, envelope: Envelope): Change;
  /** Drops history up to a revision (etcd compaction). */
  compact(revision: number): void;
  /** Makes older revisions too old for reads and watches. The history stays available for faults that show past states. */
  expire(revision: number): void;
  /** The next commit has at least this revision: objects of another cluster keep theirs. */
  continueAt(revision: number): void;
  /** Derives the objects of a kind from the clock from now on; a kind has at most one derivation. */
  derive(kind: string, derivation: Derivation): Derived;
}

interface Derivation {
  /** Updates the current values before objects are read: of one key, or (undefined) of all. */
  refresh(key: string | undefined): void;
}

export interface Derived {
  /** Returns an object as it was last written or put. */
  stored(key: string): ApiObject | undefined;
  /** Replaces an object silently: without a new revision and without a change event. */
  put(key: string, object: ApiObject): void;
  /** Skips this many revisions, of writes that no watcher has observed. */
  pass(revisions: number): void;
}

/** A change before its revision is known. The record becomes the change: with places for both it is allocated once. */
export type NewChange = Omit<Change, 'revision' | 'previous'> & { readonly revision?: 0; readonly previous?: undefined };

interface KindTable {
  readonly kind: string;
  readonly tally: Tally;
  /** Created by the first read or write of objects; a counter alone does not create it. */
  table: Table | undefined;
  log: ChangeLog | undefined;
  derivation: Derivation | undefined;
  /** Its objects are being derived: reads meanwhile do not derive them again. */
  derives: boolean;
}

interface State {
  readonly keep: number;
  readonly keepBytes: number;
  readonly kindTables: Map<string, KindTable>;
  /** The kinds with a table, in order of first use. */
  readonly inUse: KindTable[];
  readonly listeners: ChangeListener[];
  /** A cache, because consecutive requests are often for one kind. */
  last: KindTable | undefined;
  before: KindTable | undefined;
  revision: number;
  compactedAt: number;
  total: number;
  historyBytes: number;
}

export interface StoreOptions {
  /** The approximate number of changes of a kind over which a watch can resume. */
  readonly keepChanges?: number;
  /** The number of bytes of history that are kept, for all kinds together. */
  readonly keepBytes?: number;
}

const KEEP_BYTES = 64 * 1024 * 1024;

export function createStore({ keepChanges = 8192, keepBytes = KEEP_BYTES }: StoreOptions = {}): WritableStore {
  const state: State = {
    keep: keepChanges,
    keepBytes,
    kindTables: new Map(),
    inUse: [],
    listeners: [],
    last: undefined,
    before: undefined,
    revision: 1,
    compactedAt: 0,
    total: 0,
    historyBytes: 0,
  };
  return withRevisionCompactedAtTotalHistoryBytes(
    {
      revision: () => state.revision,
      compactedAt: () => state.compactedAt,
      total: () => state.total,
      historyBytes: () => state.historyBytes,
    },
    {
      // The registry of kinds guarantees that the table of a kind has objects of its type.
      get<K extends string>(kind: K, key: string) {
        const kindTable = kindTableOf(state, kind);
        kindTable.derivation?.refresh(key);
        return kindTable.table?.get(key) as ObjectNamed<K> | undefined;
      },
      values<K extends string>(kind: K) {
        const kindTable = kindTableOf(state, kind);
        kindTable.derivation?.refresh(undefined);
        return (kindTable.table?.values() ?? []) as Iterable<ObjectNamed<K>>;
      },
      by<K extends string>(kind: K, index: IndexName, value: string) {
        const kindTable = kindTableOf(state, kind);
        kindTable.derivation?.refresh(undefined);
        const found: readonly ApiObject[] = kindTable.table?.by(index, value) ?? [];
        return found as readonly ObjectNamed<K>[];
      },
      countBy: (kind, index, value) => kindTableOf(state, kind).table?.countBy(index, value) ?? 0,
      size: (kind) => kindTableOf(state, kind).table?.size ?? 0,
      sortedKeys: (kind) => kindTableOf(state, kind).table?.sortedKeys() ?? [],
      kinds: () => state.inUse.map(({ kind }) => kind),
      commit: (change, envelope) => commit(state, change, envelope),
      tally: (kind) => kindTableOf(state, kind).tally,
      changesAfter: (kind, after) => logOf(state, kindTableOf(state, kind)).after(after),
      snapshotAt: (kind, at) => snapshotAt(state, kindTableOf(state, kind), at),
      revisionAt(at) {
        let last = 1;
        for (const { log } of state.kindTables.values()) last = Math.max(last, log?.lastBefore(at) ?? 0);
        return last;
      },
      compact(at) {
        state.compactedAt = Math.max(state.compactedAt, at);
        for (const { log } of state.kindTables.values()) log?.forget(at);
        state.historyBytes = bytesOf(logsOf(state));
      },
      expire(at) {
        state.compactedAt = Math.max(state.compactedAt, at);
      },
      continueAt(revision) {
        state.revision = Math.max(state.revision, revision - 1);
      },
      derive: (kind, derivation) => derive(state, kindTableOf(state, kind), derivation),
      onChange: (listener) => listen(state.listeners, listener),
    },
  );
}

function listen(listeners: ChangeListener[], listener: ChangeListener): () => void {
  listeners.push(listener);
  return () => {
    const at = listeners.indexOf(listener);
    if (at >= 0) listeners.splice(at, 1);
  };
}

function kindTableOf(state: State, kind: string): KindTable {
  if (state.last?.kind === kind) return state.last;
  let found = state.before?.kind === kind ? state.before : state.kindTables.get(kind);
  if (found === undefined) {
    found = { kind, tally: { changes: 0 }, table: undefined, log: undefined, derivation: undefined, derives: false };
    state.kindTables.set(kind, found);
  }
  state.before = state.last;
  state.last = found;
  return found;
}

function tableOf(state: State, kindTable: KindTable): Table {
  if (kindTable.table === undefined) {
    kindTable.table = createTable(kindTable.tally);
    state.inUse.push(kindTable);
  }
  return kindTable.table;
}

function logOf({ keep, compactedAt }: State, kindTable: KindTable): ChangeLog {
  if (kindTable.log === undefined) {
    kindTable.log = createChangeLog(keep);
    if (compactedAt > 0) kindTable.log.forget(compactedAt);
  }
  return kindTable.log;
}

function commit(state: State, given: NewChange, envelope: Envelope): Change {
  const change = given as { -readonly [K in keyof Change]: Change[K] };
  const { type, kind, key, object } = change;
  deepFreeze(object);
  const kindTable = kindTableOf(state, kind);
  const previous = tableOf(state, kindTable).set(key, type === 'DELETED' ? undefined : object);
  change.revision = ++state.revision;
  change.previous = previous;
  if (previous === undefined) state.total++;
  else if (type === 'DELETED') state.total--;
  remember(state, logOf(state, kindTable), change);
  for (const listener of state.listeners) listener(change, envelope);
  return change;
}

function remember(state: State, log: ChangeLog, change: Change): void {
  const before = log.bytes;
  log.append(change);
  state.historyBytes += log.bytes - before;
  if (state.historyBytes > state.keepBytes) state.historyBytes = trim(logsOf(state), state.keepBytes);
}

function snapshotAt(state: State, kindTable: KindTable, at: number): ReadonlyMap<string, ApiObject> | undefined {
  kindTable.derivation?.refresh(undefined);
  const undo = logOf(state, kindTable).after(at);
  if (undo === undefined) return undefined;
  const table = tableOf(state, kindTable);
  const objects = new Map<string, ApiObject>();
  for (const key of table.sortedKeys()) {
    const object = table.get(key);
    if (object !== undefined) objects.set(key, object);
  }
  for (let i = undo.length - 1; i >= 0; i--) {
    const change = undo[i];
    if (change === undefined) continue;
    if (change.previous === undefined) objects.delete(change.key);
    else objects.set(change.key, change.previous);
  }
  return objects;
}

function derive(state: State, kindTable: KindTable, { refresh }: Derivation): Derived {
  kindTable.derivation = {
    refresh(key) {
      if (kindTable.derives) return;
      kindTable.derives = true;
      refresh(key);
      kindTable.derives = false;
    },
  };
  return {
    stored: (key) => kindTable.table?.get(key),
    put: (key, object) => tableOf(state, kindTable).set(key, deepFreeze(object)),
    pass(revisions) {
      state.revision += revisions;
    },
  };
}

const logsOf = ({ kindTables }: State): readonly ChangeLog[] => [...kindTables.values()].flatMap(({ log }) => log ?? []);

const bytesOf = (logs: readonly ChangeLog[]): number => logs.reduce((sum, { bytes }) => sum + bytes, 0);

/** Repeatedly drops the older half of the largest log until all logs together are small enough; returns the remaining size. */
function trim(logs: readonly ChangeLog[], allowed: number): number {
  let left = bytesOf(logs);
  while (left > allowed && logs.length > 0) {
    const heaviest = logs.reduce((most, log) => (log.bytes > most.bytes ? log : most));
    heaviest.trim(heaviest.bytes / 2);
    left = bytesOf(logs);
  }
  return left;
}
