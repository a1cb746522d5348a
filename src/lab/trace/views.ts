/**
 * The cache of each process at a step, computed from the trace alone: the lists of its starts and relists at their revisions, then the
 * deliveries. A view has the methods of a world, over the objects in the cache. Single objects are looked up in their own history, so that a
 * move costs nothing; the objects of a kind are brought to the step when all of them are asked for.
 */
import type { ObjectNamed } from '../../apiserver/kinds/index.ts';
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import { bisect, compareText, keptIn, matcherOfText, pushTo } from '../../schema/values/index.ts';
import type { Lists } from '../../controlplane/runtime/index.ts';
import { renewalIntervalsOf } from './renewal-intervals.ts';
import { put, type Tables } from './cursor.ts';
import { goesOn } from './entries.ts';
import type { Entry, Trace } from './trace.ts';

/** The cache of one process at a step. */
export type View = ReturnType<typeof viewOf>;

/** One change of an object in a cache. */
interface Delta {
  readonly step: number;
  readonly key: string;
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
  /** The number of objects of the kind after it. */
  readonly size: number;
}

/** The changes of a cache, oldest first. */
interface Log {
  readonly byKind: ReadonlyMap<string, KindLog>;
  /** What the process watches from a step on. */
  readonly followings: readonly { readonly step: number; readonly after: Following }[];
}

interface KindLog {
  readonly deltas: Delta[];
  readonly byKey: Map<string, Delta[]>;
}

interface Following {
  readonly up: boolean;
  /** The watched kinds, each with the restriction to some of its objects. */
  readonly kinds: ReadonlyMap<string, Only>;
  readonly controllers: Lists['controllers'];
  /** It is a client outside the cluster: its lists are known, and its decisions are not. */
  readonly isClient: boolean;
}

type Only = Lists['kinds'][number]['only'];
const NOTHING: Following = { up: false, kinds: new Map(), controllers: [], isClient: false };

/** Returns the view of a process at a step; an empty view for an unknown process. */
export const viewAt = (trace: Trace, process: string, step: number): View => viewOf(process, logOf(trace, process), step);

/** Returns the processes of a trace, in the order of their first start. */
export function viewsOf({ prologue, entries }: Trace): readonly string[] {
  const names = new Set<string>();
  for (const list of [prologue, entries]) for (const entry of list) if (entry.type === 'process') names.add(entry.process);
  return [...names];
}

function viewOf(process: string, { byKind, followings }: Log, step: number) {
  const tables = new Map<string, Table>();
  let here = step;
  const following = (): Following => lastAt(followings, here)?.after ?? NOTHING;
  const objectsOf = (kind: string): ReadonlyMap<string, ApiObject> => {
    const table = keptIn(tables, kind, (): Table => ({ objects: new Map(), deltas: byKind.get(kind)?.deltas ?? [], applied: 0 }));
    bring(table, here);
    return table.objects;
  };
  const byKey = <K extends string>(kind: K, key: string) =>
    lastAt(byKind.get(kind)?.byKey.get(key), here)?.after as ObjectNamed<K> | undefined;
  return {
    process,
    get step(): number {
      return here;
    },
    /** Whether its controllers run; a process that is on standby or down watches next to nothing. */
    get up(): boolean {
      return following().up;
    },
    /** Whether it is a client outside the cluster, whose decisions no entry reports. */
    get isClient(): boolean {
      return following().isClient;
    },
    /** Moves to a step, forwards or backwards. */
    moveTo(to: number): void {
      here = to;
    },
    /** The kinds that it watches. */
    kinds: (): readonly string[] => [...following().kinds.keys()],
    /** Whether it watches objects like this one. */
    follows(kind: string, object: ApiObject): boolean {
      const { kinds } = following();
      return kinds.has(kind) && isMeant(object, kinds.get(kind));
    },
    byKey,
    get: <K extends string>(kind: K, namespace: string | undefined, name: string) => byKey(kind, storeKey(namespace, name)),
    /** Sorted by key. */
    list: <K extends string>(kind: K, namespace?: string) =>
      [...objectsOf(kind)]
        .filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace)
        .sort(([a], [b]) => compareText(a, b))
        .map(([, object]) => object) as ObjectNamed<K>[],
    /** The number of its objects of a kind. */
    count: (kind: string): number => lastAt(byKind.get(kind)?.deltas, here)?.size ?? 0,
    /** Key and object, in no particular order, without a copy. */
    each: (kind: string): Iterable<readonly [string, ApiObject]> => objectsOf(kind),
    /** The controllers that run in the process, each with the kind of its keys. */
    controllers: (): Lists['controllers'] => following().controllers,
  };
}

/** The objects of a kind at some step. */
interface Table {
  readonly objects: Map<string, ApiObject>;
  readonly deltas: readonly Delta[];
  /** How many of the deltas are applied. */
  applied: number;
}

/** Brings the objects of a kind to a step. */
function bring(table: Table, to: number): void {
  const { deltas, objects } = table;
  const take = (key: string, object: ApiObject | undefined): void => {
    if (object === undefined) objects.delete(key);
    else objects.set(key, object);
  };
  for (let delta = deltas[table.applied]; delta !== undefined && delta.step <= to; delta = deltas[++table.applied])
    take(delta.key, delta.after);
  for (let delta = deltas[table.applied - 1]; delta !== undefined && delta.step > to; delta = deltas[--table.applied - 1])
    take(delta.key, delta.before);
}

/** The last item at or before a step. */
function lastAt<T extends { readonly step: number }>(list: readonly T[] | undefined, step: number): T | undefined {
  return list?.[bisect(list, (each) => each.step <= step) - 1];
}

/** Returns the changes of a process's cache; those of the prologue have step 0. */
const logOf = (trace: Trace, process: string): Log =>
  keptIn(
    keptIn(known, trace, () => new Map<string, Log>()),
    process,
    () => derive(trace, process),
  );

const known = new WeakMap<Trace, Map<string, Log>>();

type Derivation = ReturnType<typeof beginDerivation>;

/** The state while the entries are applied: the server's objects, their history, and the cache of one process. */
const beginDerivation = (trace: Trace, process: string) => ({
  process,
  renewalIntervals: renewalIntervalsOf(trace),
  server: new Map() as Tables,
  byRevision: new Map<number, ApiObject>(),
  /** The writes of each kind, for lists at earlier revisions. */
  history: new Map<string, { readonly revision: number; readonly key: string; readonly previous: ApiObject | undefined }[]>(),
  cache: new Map() as Tables,
  following: NOTHING,
  byKind: new Map<string, KindLog>(),
  followings: [] as { readonly step: number; readonly after: Following }[],
});

function derive(trace: Trace, process: string): Log {
  const of = beginDerivation(trace, process);
  for (const entry of trace.prologue) follow(of, entry, 0);
  for (const [at, entry] of trace.entries.entries()) follow(of, entry, at + 1);
  return of;
}

function follow(of: Derivation, entry: Entry, step: number): void {
  if (entry.type === 'write') write(of, entry);
  else if (entry.type === 'process' && entry.process === of.process) transition(of, entry, step);
  else if (entry.type === 'delivery' && entry.process === of.process) {
    const { kind, key, revision } = entry;
    set(of, step, kind, key, entry.delta === 'DELETED' ? undefined : (of.byRevision.get(revision) ?? objectAt(of, kind, key, entry.at)));
  }
}

function write(
  { server, byRevision, history }: Derivation,
  { change: { kind, key, type, object, previous, revision } }: Extract<Entry, { type: 'write' }>,
): void {
  put(server, kind, key, type === 'DELETED' ? undefined : object);
  byRevision.set(revision, object);
  pushTo(history, kind, { revision, key, previous });
}

function transition(of: Derivation, { what, lists, at }: Extract<Entry, { type: 'process' }>, step: number): void {
  const isClient = what === 'lists';
  // A leader that releases its lease keeps the watch of its elector; no reader needs that one.
  if (!goesOn({ what })) empty(of, step);
  if (lists === undefined) return;
  const kinds = new Map([...of.following.kinds, ...lists.kinds.map(({ kind, only }) => [kind, only] as const)]);
  setFollowing(of, step, { up: true, kinds, controllers: [...of.following.controllers, ...lists.controllers], isClient });
  for (const { kind, only } of lists.kinds) {
    const listed = listAt(of, kind, lists.revision, at);
    // A client lists again, in place of what it had.
    if (isClient)
      for (const [key, object] of of.cache.get(kind) ?? [])
        if (isMeant(object, only) && !listed.has(key)) set(of, step, kind, key, undefined);
    for (const [key, object] of listed) if (isMeant(object, only)) set(of, step, kind, key, object);
  }
}

function empty(of: Derivation, step: number): void {
  for (const [kind, table] of of.cache) for (const key of table.keys()) set(of, step, kind, key, undefined);
  setFollowing(of, step, NOTHING);
}

function setFollowing(of: Derivation, step: number, after: Following): void {
  of.followings.push({ step, after });
  of.following = after;
}

function set({ cache, byKind }: Derivation, step: number, kind: string, key: string, after: ApiObject | undefined): void {
  const before = cache.get(kind)?.get(key);
  if (before === after) return;
  put(cache, kind, key, after);
  const log = keptIn(byKind, kind, (): KindLog => ({ deltas: [], byKey: new Map() }));
  const delta = { step, key, before, after, size: cache.get(kind)?.size ?? 0 };
  log.deltas.push(delta);
  pushTo(log.byKey, key, delta);
}

function isMeant(object: ApiObject, only: Only): boolean {
  if (only === undefined) return true;
  switch (only.index) {
    case 'name':
      return object.metadata.name === only.value;
    case 'namespace':
      return object.metadata.namespace === only.value;
    case 'nodeName':
      return nodeNameOf(object) === only.value;
    case 'labels':
      return matcherOfText(only.value)(object.metadata.labels);
    default:
      return only.index satisfies never;
  }
}

function nodeNameOf(object: ApiObject): unknown {
  const { spec } = object;
  return typeof spec === 'object' && spec !== null && 'nodeName' in spec ? spec.nodeName : undefined;
}

/** Returns an object of the server at an instant, with elided lease renewals. */
function objectAt({ server, renewalIntervals }: Derivation, kind: string, key: string, at: number): ApiObject | undefined {
  const object = server.get(kind)?.get(key);
  return object === undefined ? undefined : renewalIntervals.objectAt(kind, key, object, at);
}

/** Returns the objects of a kind at a revision: later writes are undone. */
function listAt(of: Derivation, kind: string, revision: number, at: number): ReadonlyMap<string, ApiObject> {
  const table = new Map<string, ApiObject>();
  for (const object of of.server.get(kind)?.values() ?? []) {
    const key = keyOf(object);
    table.set(key, objectAt(of, kind, key, at) ?? object);
  }
  const writes = of.history.get(kind) ?? [];
  for (let index = writes.length - 1; index >= 0; index--) {
    const write = writes[index];
    if (write === undefined || write.revision <= revision) break;
    if (write.previous === undefined) table.delete(write.key);
    else table.set(write.key, write.previous);
  }
  return table;
}
