/** The store: tables by kind, one revision counter, one log per kind, one listener for fan-out. Models: etcd3 storage and the watch cache, as far as clients can tell. */
import { deepFreeze } from '../../grammar/schema/index.ts';
import type { ApiObject } from '../vocabulary/index.ts';
import type { Envelope } from '../request/index.ts';
import type { Change, ChangeType } from './change.ts';
import { createChangeLog, type ChangeLog } from './change-log.ts';
import type { IndexName } from './indexes.ts';
import { createTable, type Table, type Tally } from './table.ts';

/** The truth, for reading. */
export interface Store {
  /** The revision of the last commit; 1 in an empty store. */
  readonly revision: number;
  get(kind: string, key: string): ApiObject | undefined;
  /** All objects of a kind in order of creation. */
  values(kind: string): Iterable<ApiObject>;
  by(kind: string, index: IndexName, value: string): readonly ApiObject[];
  countBy(kind: string, index: IndexName, value: string): number;
  size(kind: string): number;
  sortedKeys(kind: string): readonly string[];
  /** Kinds that hold or held objects, in order of first use. */
  kinds(): readonly string[];
  /** Changes of a kind after a revision; undefined when they are partly forgotten. */
  changesAfter(kind: string, revision: number): readonly Change[] | undefined;
  /** Objects of a kind as they were at a revision, by key; undefined when that is forgotten. */
  snapshotAt(kind: string, revision: number): ReadonlyMap<string, ApiObject> | undefined;
  /** The last revision committed at or before an instant, as far as the logs remember; 1 before them. */
  revisionAt(at: number): number;
  readonly compactedAt: number;
  /** The count of a kind's changes, kept up from now on. Asking makes no table. */
  tally(kind: string): Readonly<Tally>;
  /** Calls back for every commit from now on, with the request it came of. */
  onChange(listener: ChangeListener): void;
}

export type ChangeListener = (change: Change, envelope: Envelope) => void;

/** The same for the verbs, who alone write. */
export interface WritableStore extends Store {
  /** Makes a change at the next revision; `object` must carry `revision + 1` as its resourceVersion, and is frozen if it is not. */
  commit(
    change: {
      readonly type: ChangeType;
      readonly kind: string;
      readonly key: string;
      readonly object: ApiObject;
      readonly at: number;
      readonly entry: number;
    },
    envelope: Envelope,
  ): Change;
  /** Forgets history up to a revision (etcd compaction). */
  compact(revision: number): void;
  /** Lets so many revisions pass that no object shows (see runtime/hearts.ts). */
  skipRevisions(count: number): void;
  /** Calls `refresh` before objects of a kind are read: of one key, or (undefined) of all. */
  provide(kind: string, refresh: (key: string | undefined) => void): void;
  /** Reads without refreshing. */
  peek(kind: string, key: string): ApiObject | undefined;
  /** Replaces an object silently: no revision, no change. */
  put(kind: string, key: string, object: ApiObject): void;
}

/** An empty store. `keepChanges`: about how many changes per kind a watch can resume over. */
export function createStore(options: { readonly keepChanges?: number } = {}): WritableStore {
  const keep = options.keepChanges ?? 8192;
  const tables = new Map<string, Table>();
  const tallies = new Map<string, Tally>();
  const logs = new Map<string, ChangeLog>();
  const listeners: ChangeListener[] = [];
  const providers = new Map<string, (key: string | undefined) => void>();
  const refresh = (kind: string, key?: string): void => {
    if (providers.size > 0) providers.get(kind)?.(key);
  };
  let revision = 1;
  let compactedAt = 0;

  const tally = (kind: string): Tally => {
    let found = tallies.get(kind);
    if (found === undefined) tallies.set(kind, (found = { changes: 0 }));
    return found;
  };
  const table = (kind: string): Table => {
    let found = tables.get(kind);
    if (found === undefined) tables.set(kind, (found = createTable(tally(kind))));
    return found;
  };
  const log = (kind: string): ChangeLog => {
    let found = logs.get(kind);
    if (found === undefined) {
      logs.set(kind, (found = createChangeLog(keep)));
      if (compactedAt > 0) found.forget(compactedAt);
    }
    return found;
  };

  return {
    get revision() {
      return revision;
    },
    get compactedAt() {
      return compactedAt;
    },
    get(kind, key) {
      refresh(kind, key);
      return tables.get(kind)?.get(key);
    },
    values(kind) {
      refresh(kind);
      return tables.get(kind)?.values() ?? [];
    },
    by(kind, index, value) {
      refresh(kind);
      return tables.get(kind)?.by(index, value) ?? [];
    },
    countBy: (kind, index, value) => tables.get(kind)?.countBy(index, value) ?? 0,
    size: (kind) => tables.get(kind)?.size ?? 0,
    sortedKeys: (kind) => tables.get(kind)?.sortedKeys() ?? [],
    kinds: () => [...tables.keys()],
    commit({ type, kind, key, object, at, entry }, envelope) {
      deepFreeze(object);
      const previous = table(kind).set(key, type === 'DELETED' ? undefined : object);
      revision++;
      const change: Change =
        previous === undefined
          ? { revision, type, kind, key, object, at, entry }
          : { revision, type, kind, key, object, at, entry, previous };
      log(kind).append(change);
      for (const listener of listeners) listener(change, envelope);
      return change;
    },
    tally,
    changesAfter: (kind, after) => log(kind).after(after),
    snapshotAt(kind, at) {
      refresh(kind);
      const undo = log(kind).after(at);
      if (undo === undefined) return undefined;
      const objects = new Map<string, ApiObject>();
      for (const key of table(kind).sortedKeys()) {
        const object = table(kind).get(key);
        if (object !== undefined) objects.set(key, object);
      }
      for (let i = undo.length - 1; i >= 0; i--) {
        const change = undo[i];
        if (change === undefined) continue;
        if (change.previous === undefined) objects.delete(change.key);
        else objects.set(change.key, change.previous);
      }
      return objects;
    },
    revisionAt(at) {
      let last = 1;
      for (const each of logs.values()) last = Math.max(last, each.lastBefore(at));
      return last;
    },
    compact(at) {
      compactedAt = Math.max(compactedAt, at);
      for (const each of logs.values()) each.forget(at);
    },
    skipRevisions: (count) => {
      revision += count;
    },
    provide: (kind, refreshing) => {
      providers.set(kind, refreshing);
    },
    peek: (kind, key) => tables.get(kind)?.get(key),
    put: (kind, key, object) => {
      table(kind).set(key, deepFreeze(object));
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
