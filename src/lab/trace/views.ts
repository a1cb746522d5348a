/**
 * The cache of each process at a step, computed from the trace alone: the lists of its starts and relists at their revisions, then the
 * deliveries. A view has the methods of a world, over the objects in the cache.
 */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import { compareText, parseLabelSelector, pushTo } from '../../schema/values/index.ts';
import type { Lists } from '../../controlplane/runtime/index.ts';
import { renewalIntervalsOf, type RenewalIntervals } from './renewal-intervals.ts';
import { put, type Tables } from './cursor.ts';
import { goesOn } from './entries.ts';
import type { Entry, Trace } from './trace.ts';

/** The cache of one process at a step. */
export type View = ReturnType<typeof viewOf>;

/** One change of a cache: of an object, or of what the process watches. */
type Delta = { readonly step: number } & (
  | { readonly kind: string; readonly key: string; readonly before: ApiObject | undefined; readonly after: ApiObject | undefined }
  | { readonly before: Following; readonly after: Following }
);

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
export function viewAt(trace: Trace, process: string, step: number): View {
  return viewOf(process, logOf(trace, process), step);
}

/** Returns the processes of a trace, in the order of their first start. */
export function viewsOf({ prologue, entries }: Trace): readonly string[] {
  const names = new Set<string>();
  for (const list of [prologue, entries]) for (const entry of list) if (entry.type === 'process') names.add(entry.process);
  return [...names];
}

function viewOf(process: string, log: readonly Delta[], step: number) {
  const tables: Tables = new Map();
  let following = NOTHING;
  let applied = 0;
  let here = 0;
  const take = (delta: Delta, which: 'before' | 'after'): void => {
    if ('kind' in delta) put(tables, delta.kind, delta.key, delta[which]);
    else following = delta[which];
  };
  const moveTo = (to: number): void => {
    here = to;
    for (let delta = log[applied]; delta !== undefined && delta.step <= to; delta = log[++applied]) take(delta, 'after');
    for (let delta = log[applied - 1]; delta !== undefined && delta.step > to; delta = log[--applied - 1]) take(delta, 'before');
  };
  const byKey = (kind: string, key: string): ApiObject | undefined => tables.get(kind)?.get(key);
  moveTo(step);
  return {
    process,
    get step(): number {
      return here;
    },
    /** Whether its controllers run; a process that is on standby or down watches next to nothing. */
    get up(): boolean {
      return following.up;
    },
    /** Whether it is a client outside the cluster, whose decisions no entry reports. */
    get isClient(): boolean {
      return following.isClient;
    },
    /** Moves to a step, forwards or backwards. */
    moveTo,
    /** The kinds that it watches. */
    kinds: (): readonly string[] => [...following.kinds.keys()],
    /** Whether it watches objects like this one. */
    follows: (kind: string, object: ApiObject): boolean => following.kinds.has(kind) && isMeant(object, following.kinds.get(kind)),
    byKey,
    get: (kind: string, namespace: string | undefined, name: string): ApiObject | undefined => byKey(kind, storeKey(namespace, name)),
    /** Sorted by key. */
    list: (kind: string, namespace?: string): readonly ApiObject[] =>
      [...(tables.get(kind)?.entries() ?? [])]
        .filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace)
        .sort(([a], [b]) => compareText(a, b))
        .map(([, object]) => object),
    /** Key and object, in no particular order, without a copy. */
    each: (kind: string): Iterable<readonly [string, ApiObject]> => tables.get(kind) ?? [],
    /** The controllers that run in the process, each with the kind of its keys. */
    controllers: (): Lists['controllers'] => following.controllers,
  };
}

/** Returns the changes of a process's cache, oldest first; those of the prologue have step 0. */
function logOf(trace: Trace, process: string): readonly Delta[] {
  const logs = known.get(trace) ?? new Map<string, readonly Delta[]>();
  known.set(trace, logs);
  let log = logs.get(process);
  if (log === undefined) logs.set(process, (log = derive(trace, process)));
  return log;
}

const known = new WeakMap<Trace, Map<string, readonly Delta[]>>();

/** State while the entries are applied: the server's objects, their history, and the cache of one process. */
interface Derivation {
  readonly process: string;
  readonly renewalIntervals: RenewalIntervals;
  readonly server: Tables;
  readonly byRevision: Map<number, ApiObject>;
  /** The writes of each kind, for lists at earlier revisions. */
  readonly history: Map<string, { readonly revision: number; readonly key: string; readonly previous: ApiObject | undefined }[]>;
  readonly cache: Tables;
  following: Following;
  readonly log: Delta[];
}

function derive(trace: Trace, process: string): readonly Delta[] {
  const of: Derivation = {
    process,
    renewalIntervals: renewalIntervalsOf(trace),
    server: new Map(),
    byRevision: new Map(),
    history: new Map(),
    cache: new Map(),
    following: NOTHING,
    log: [],
  };
  for (const entry of trace.prologue) follow(of, entry, 0);
  trace.entries.forEach((entry, at) => {
    follow(of, entry, at + 1);
  });
  return of.log;
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
  of.log.push({ step, before: of.following, after });
  of.following = after;
}

function set({ cache, log }: Derivation, step: number, kind: string, key: string, after: ApiObject | undefined): void {
  const before = cache.get(kind)?.get(key);
  if (before === after) return;
  put(cache, kind, key, after);
  log.push({ step, kind, key, before, after });
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
      return parseLabelSelector(only.value).value?.matches(object.metadata.labels ?? {}) === true;
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
