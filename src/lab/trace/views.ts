/**
 * What each process's cache held at a step, from the trace alone: its lists, as of which revision and of what the entries of its starts
 * say, then what was delivered to it. A view is a world like the server's, seen through other eyes.
 */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';
import type { Lists } from '../../controlplane/runtime/index.ts';
import { renewalIntervalsOf, type RenewalIntervals } from './renewal-intervals.ts';
import type { Entry, Trace } from './trace.ts';
import { accessors } from '../../engine/index.ts';

const withStepUp = accessors('step', 'up');

/** A process's eyes at a step. */
export interface View {
  readonly process: string;
  readonly step: number;
  /** Goes to a step, forwards or backwards. */
  moveTo(step: number): void;
  /** Whether its controllers run; one that stands by or is down sees next to nothing. */
  readonly up: boolean;
  /** Kinds it follows. */
  kinds(): readonly string[];
  /** Whether an object like this one reaches it. */
  follows(kind: string, object: ApiObject): boolean;
  get(kind: string, namespace: string | undefined, name: string): ApiObject | undefined;
  byKey(kind: string, key: string): ApiObject | undefined;
  /** By key, in the order of the names. */
  list(kind: string, namespace?: string): readonly ApiObject[];
  /** By key, in no order, without a copy. */
  each(kind: string): Iterable<readonly [string, ApiObject]>;
  /** The controllers that run in it, and the kind that the keys of each name. */
  controllers(): Lists['controllers'];
}

/** Something that changed in a cache: an object, or what the process follows. */
type Delta = { readonly step: number } & (
  | { readonly kind: string; readonly key: string; readonly before: ApiObject | undefined; readonly after: ApiObject | undefined }
  | { readonly before: Following; readonly after: Following }
);

interface Following {
  readonly up: boolean;
  /** Kinds, and which of their objects. */
  readonly kinds: ReadonlyMap<string, Only>;
  readonly controllers: Lists['controllers'];
}

type Only = Lists['kinds'][number]['only'];
type Tables = Map<string, Map<string, ApiObject>>;
const NOTHING: Following = { up: false, kinds: new Map(), controllers: [] };

/** The view of a process; of one that never was, an empty one. */
export function viewAt(trace: Trace, process: string, step: number): View {
  return viewOf(process, logOf(trace, process), step);
}

/** The processes that a trace knows, in the order of their first start. */
export function viewsOf({ prologue, entries }: Trace): readonly string[] {
  const names = new Set<string>();
  for (const list of [prologue, entries]) for (const entry of list) if (entry.type === 'process') names.add(entry.process);
  return [...names];
}

function viewOf(process: string, log: readonly Delta[], step: number): View {
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
  return withStepUp(
    {
      step: () => here,
      up: () => following.up,
    },
    {
      process,
      moveTo,
      kinds: () => [...following.kinds.keys()],
      follows: (kind, object) => following.kinds.has(kind) && isMeant(object, following.kinds.get(kind)),
      byKey,
      get: (kind, namespace, name) => byKey(kind, storeKey(namespace, name)),
      list: (kind, namespace) =>
        [...(tables.get(kind)?.entries() ?? [])]
          .filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace)
          .sort(([a], [b]) => compareText(a, b))
          .map(([, object]) => object),
      each: (kind) => tables.get(kind) ?? [],
      controllers: () => following.controllers,
    },
  );
}

function put(tables: Tables, kind: string, key: string, object: ApiObject | undefined): void {
  let table = tables.get(kind);
  if (table === undefined) tables.set(kind, (table = new Map()));
  if (object === undefined) table.delete(key);
  else table.set(key, object);
}

/** The changes of one process's cache, oldest first; those of the prologue at step 0. */
function logOf(trace: Trace, process: string): readonly Delta[] {
  const logs = known.get(trace) ?? new Map<string, readonly Delta[]>();
  known.set(trace, logs);
  let log = logs.get(process);
  if (log === undefined) logs.set(process, (log = derive(trace, process)));
  return log;
}

const known = new WeakMap<Trace, Map<string, readonly Delta[]>>();

/** What is kept on the way through a trace: the server's objects, how they came to be, and the cache of one process. */
interface Derivation {
  readonly process: string;
  readonly renewalIntervals: RenewalIntervals;
  readonly server: Tables;
  readonly byRevision: Map<number, ApiObject>;
  /** Writes of each kind, for lists of the past. */
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
  else if (entry.type === 'process' && entry.process === of.process) turn(of, entry, step);
  else if (entry.type === 'delivery' && entry.process === of.process) {
    const { kind, key, revision } = entry;
    set(of, step, kind, key, entry.delta === 'DELETED' ? undefined : (of.byRevision.get(revision) ?? standing(of, kind, key, entry.at)));
  }
}

function write(
  { server, byRevision, history }: Derivation,
  { change: { kind, key, type, object, previous, revision } }: Extract<Entry, { type: 'write' }>,
): void {
  put(server, kind, key, type === 'DELETED' ? undefined : object);
  byRevision.set(revision, object);
  const list = history.get(kind);
  if (list === undefined) history.set(kind, [{ revision, key, previous }]);
  else list.push({ revision, key, previous });
}

function turn(of: Derivation, { what, lists, at }: Extract<Entry, { type: 'process' }>, step: number): void {
  // A leader that lets go keeps the streams of its elector; they carry nothing that anybody looks at.
  if (what !== 'leads') empty(of, step);
  if (lists === undefined) return;
  const kinds = new Map([...of.following.kinds, ...lists.kinds.map(({ kind, only }) => [kind, only] as const)]);
  become(of, step, { up: true, kinds, controllers: [...of.following.controllers, ...lists.controllers] });
  for (const { kind, only } of lists.kinds)
    for (const [key, object] of listAt(of, kind, lists.revision, at)) if (isMeant(object, only)) set(of, step, kind, key, object);
}

function empty(of: Derivation, step: number): void {
  for (const [kind, table] of of.cache) for (const key of table.keys()) set(of, step, kind, key, undefined);
  become(of, step, NOTHING);
}

function become(of: Derivation, step: number, after: Following): void {
  of.log.push({ step, before: of.following, after });
  of.following = after;
}

function set({ cache, log }: Derivation, step: number, kind: string, key: string, after: ApiObject | undefined): void {
  const before = cache.get(kind)?.get(key);
  if (before === after) return;
  put(cache, kind, key, after);
  log.push({ step, kind, key, before, after });
}

const isMeant = (object: ApiObject, only: Only): boolean =>
  only === undefined || (only.index === 'name' ? object.metadata.name : nodeNameOf(object)) === only.value;

function nodeNameOf(object: ApiObject): unknown {
  const { spec } = object;
  return typeof spec === 'object' && spec !== null && 'nodeName' in spec ? spec.nodeName : undefined;
}

/** An object of the server as it stands at an instant: leases are renewed unseen. */
function standing({ server, renewalIntervals }: Derivation, kind: string, key: string, at: number): ApiObject | undefined {
  const object = server.get(kind)?.get(key);
  return object === undefined ? undefined : renewalIntervals.standing(kind, key, object, at);
}

/** The objects of a kind as of a revision: what was written since is taken back. */
function listAt(of: Derivation, kind: string, revision: number, at: number): ReadonlyMap<string, ApiObject> {
  const table = new Map<string, ApiObject>();
  for (const object of of.server.get(kind)?.values() ?? []) {
    const key = keyOf(object);
    table.set(key, standing(of, kind, key, at) ?? object);
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
