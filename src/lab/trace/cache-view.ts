/**
 * Compares the cache of a process at a decision with the server. For each object that the decision concerns: the object in the cache, the
 * object on the server, since when they differ, and the cause (old lists, slow or cut connections). Writes at the instant of the decision
 * do not count as staleness; neither do elided lease renewals.
 */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import { membersOf, pushTo } from '../../schema/values/index.ts';
import { cursorAt, type World } from './cursor.ts';
import { reasonsFor, type Reason, type Unseen } from './staleness.ts';
import { entryAt, stepOf, type Entry, type Trace } from './trace.ts';
import { viewAt, type View } from './views.ts';

type WriteEntry = Extract<Entry, { readonly type: 'write' }>;

/** A decision, and the object that it is about. Of a client outside, whose decisions are not known, a write stands for its decision. */
interface Decision {
  readonly id: number;
  readonly at: number;
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  /** The kind of the object; absent: the process determines it. */
  readonly kind?: string;
}

/** The stale objects of a decision, and the reasons for the staleness. */
export interface CacheView {
  readonly step: number;
  readonly process: string;
  readonly controller: string;
  /** The objects that the decision concerns and whose cached state differed from the server's; empty: the cache was up to date. */
  readonly unseen: readonly Unseen[];
  readonly reasons: readonly Reason[];
}

/** Returns the decision that a step is or carries out; undefined: no controller decided on it. */
function decisionAt(trace: Trace, step: number): { readonly step: number; readonly entry: Decision } | undefined {
  const entry = entryAt(trace, step);
  if (entry?.type === 'reconcile') return { step, entry };
  if (entry?.type !== 'write' && entry?.type !== 'refusal') return undefined;
  for (const id of entry.causes) {
    const at = stepOf(trace, id);
    const cause = at === undefined ? undefined : entryAt(trace, at);
    if (at !== undefined && cause?.type === 'reconcile') return { step: at, entry: cause };
  }
  return entry.type === 'write' && viewAt(trace, entry.actor, step).isClient ? { step, entry: decisionOfClient(entry) } : undefined;
}

/** It is about the owner of what was written, or about that itself. */
function decisionOfClient({ id, at, actor, change: { kind, key, object } }: WriteEntry): Decision {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true) ?? object.metadata.ownerReferences?.[0];
  const about = owner === undefined ? { kind, key } : { kind: owner.kind, key: storeKey(object.metadata.namespace, owner.name) };
  return { id, at, process: actor, controller: actor, ...about };
}

/**
 * Returns the cache view of the decision behind a step; undefined where there is no decision, or where the trace does not contain the lists
 * of its process.
 */
export function cacheViewOf(trace: Trace, step: number): CacheView | undefined {
  const decision = decisionAt(trace, step);
  if (decision === undefined) return undefined;
  const { process, controller, at } = decision.entry;
  const view = viewAt(trace, process, decision.step);
  if (view.kinds().length === 0) return undefined;
  // The write of a client is not among what it had not seen.
  const before = view.isClient ? decision.step - 1 : decision.step;
  const server = cursorAt(trace, before);
  const writes = writesBefore(trace, before);
  const unseen: Unseen[] = [];
  for (const [place, { kind, key }] of concerned(trace, decision, view, server)) {
    const saw = view.byKey(kind, key);
    const was = server.byKey(kind, key);
    const found = compare({ kind, key }, saw, was, view, writes.get(place) ?? []);
    if (found !== undefined && found.since < at) unseen.push(found);
  }
  const reasons = unseen.length === 0 ? [] : reasonsFor(trace, decision.step, process, unseen);
  return { step: decision.step, process, controller, unseen, reasons };
}

interface Place {
  readonly kind: string;
  readonly key: string;
}

function writesBefore(trace: Trace, step: number): ReadonlyMap<string, readonly WriteEntry[]> {
  const writes = new Map<string, WriteEntry[]>();
  const note = (entry: Entry | undefined): void => {
    if (entry?.type === 'write') pushTo(writes, placeOf(entry.change), entry);
  };
  trace.prologue.forEach(note);
  for (let at = 0; at < step; at++) note(trace.entries[at]);
  return writes;
}

const placeOf = ({ kind, key }: Place): string => `${kind} ${key}`;

function compare(
  { kind, key }: Place,
  saw: ApiObject | undefined,
  was: ApiObject | undefined,
  view: View,
  writes: readonly WriteEntry[],
): Unseen | undefined {
  const seen = Number(saw?.metadata.resourceVersion ?? 0);
  const first = writes.find(({ change: { revision, type } }) =>
    saw === undefined ? type === 'ADDED' && revision === lastCreation(writes) : revision > seen,
  );
  if (first === undefined) return undefined;
  const found = { kind, key, since: first.at, revision: first.change.revision };
  if (saw === undefined) return was === undefined || !view.follows(kind, was) ? undefined : { ...found, how: 'missing', was };
  return was === undefined ? { ...found, how: 'gone', saw } : { ...found, how: 'older', saw, was };
}

/** The revision at which the present object was created. Earlier objects may have had the same name. */
const lastCreation = (writes: readonly WriteEntry[]): number | undefined =>
  writes.findLast(({ change: { type } }) => type === 'ADDED')?.change.revision;

/**
 * Returns the objects that a decision concerns: the object of its key, the objects that it owns and names, and the objects that the
 * decision wrote. For a controller without a kind of its own: all objects that its process watches.
 */
function concerned(
  trace: Trace,
  { step, entry: { id, controller, key, kind } }: { readonly step: number; readonly entry: Decision },
  view: View,
  server: World,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const add = (kind: string, object: ApiObject): void => {
    const place = { kind, key: keyOf(object) };
    places.set(placeOf(place), place);
  };
  const { reconciles } = kind === undefined ? (view.controllers().find(({ name }) => name === controller) ?? {}) : { reconciles: kind };
  const both = (kind: string): readonly ApiObject[] => [...view.list(kind), ...server.list(kind)];
  if (reconciles === undefined) {
    for (const kind of view.kinds()) if (kind !== 'Event') for (const object of both(kind)) add(kind, object);
    return places;
  }
  const selves = [view.byKey(reconciles, key), server.byKey(reconciles, key)].filter((object) => object !== undefined);
  for (const self of selves) add(reconciles, self);
  const uids = new Set(selves.map(({ metadata }) => metadata.uid));
  const names = new Set(selves.flatMap(namesIn));
  for (const kind of view.kinds())
    for (const object of both(kind))
      if (isOwned(object, uids) || names.has(`${kind} ${object.metadata.name}`) || namesIn(object).includes(`${reconciles} ${key}`))
        add(kind, object);
  for (let at = step; at < trace.entries.length; at++) {
    const entry = trace.entries[at];
    if (entry?.type !== 'write' || !entry.causes.includes(id)) continue;
    add(entry.change.kind, entry.change.object);
  }
  return places;
}

const isOwned = ({ metadata: { ownerReferences = [] } }: ApiObject, uids: ReadonlySet<string>): boolean =>
  ownerReferences.some(({ uid }) => uids.has(uid));

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the objects that an object refers to, as `kind name`: its node, its claims, its volume. The lease of a node has the node's name.
 */
function namesIn(object: ApiObject): readonly string[] {
  const spec = membersOf(object['spec']);
  const claims = list(spec['volumes']).map((volume) => membersOf(membersOf(volume)['persistentVolumeClaim'])['claimName']);
  return [
    ...(object.kind === 'Node' ? [`Lease ${object.metadata.name}`] : []),
    ...(typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '' ? [`Node ${spec['nodeName']}`] : []),
    ...(typeof spec['volumeName'] === 'string' ? [`PersistentVolume ${spec['volumeName']}`] : []),
    ...claims.flatMap((claim) => (typeof claim === 'string' ? [`PersistentVolumeClaim ${claim}`] : [])),
  ];
}
