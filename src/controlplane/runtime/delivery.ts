/**
 * From a commit to caches and queues: changes are sent on the streams that carry them, arrive as deltas, and are mapped to keys. Models:
 * client-go reflectors and shared informers.
 */
import { keyOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { ownerKindOf, replaceObject } from './cache.ts';
import type { Enqueue } from './outcome.ts';
import { carries, takeNext, touch, touchStream, type Audience, type Listener, type Running, type Stream } from './process.ts';
import { LEASE } from './renewal-elision.ts';
import { drawDelay } from './requests.ts';
import type { RuntimeState } from './runtime-state.ts';
import { changedBits, heldBits, passes, type Delta, type DeltaType, type ObserveContext } from './watches.ts';

/** Plans the delivery of a change to every stream that carries it. Called by the store. */
export function fanOut(runtimeState: RuntimeState, change: Change): void {
  const audience = runtimeState.streams.following(change.kind, change.object);
  if (!sendTogether(runtimeState, audience, change)) for (const stream of audience.streams) send(runtimeState, stream, change);
}

/** Plans the delivery of a change on one stream. */
function send({ context, points }: RuntimeState, stream: Stream, change: Change): void {
  const { watch } = context.latency;
  const { name } = stream.process.spec;
  let delay = typeof watch === 'number' ? watch : drawDelay(watch, context.random, `watch/${name}`);
  const { now } = context.kernel;
  // Lags add up. Of several cuts the latest end counts, because all of them delay the same connection.
  let from = now;
  for (const rules of context.faults()) {
    delay += rules.delivery?.(name, change, now) ?? 0;
    from = Math.max(from, rules.cutUntil?.(name) ?? now);
  }
  if (points !== undefined) delay += points.see(name, change);
  const at = Math.max(from + delay, stream.lastAt);
  touchStream(stream);
  stream.lastAt = at;
  stream.inFlight[stream.tail++] = change;
  context.kernel.schedule(at, { type: 'deliver', to: [stream.number], kind: stream.kind, revision: change.revision }, [change.entry]);
}

/** Plans one record for several streams, where they have the same latency. */
function sendTogether(
  { context: { kernel, latency, faults }, points }: RuntimeState,
  { streams, numbers }: Audience,
  change: Change,
): boolean {
  const { watch } = latency;
  if (typeof watch !== 'number' || faults().length > 0 || points !== undefined) return false;
  const at = kernel.now + watch;
  const { length } = streams;
  if (length === 0) return true;
  // A loop by index: this runs at every write, and unoptimised code allocates an iterator and its results for each.
  for (let place = 0; place < length; place++) if ((streams[place]?.lastAt ?? 0) > at) return false;
  for (let place = 0; place < length; place++) {
    const stream = streams[place];
    if (stream === undefined) continue;
    touchStream(stream);
    stream.lastAt = at;
    stream.inFlight[stream.tail++] = change;
  }
  const event = { type: 'deliver', to: numbers, kind: change.kind, revision: change.revision } as const;
  kernel.schedule(at, event, [change.entry], false, length);
  return true;
}

/** The next change of a stream arrives. */
export function deliver(runtimeState: RuntimeState, stream: Stream, revision: number, causes: readonly number[]): void {
  const change = takeNext(stream, revision);
  if (change === undefined) return;
  stream.seenRevision = change.revision;
  const { kind, key, object } = change;
  const gone = change.type === 'DELETED';
  const old = replaceObject(stream.kindTable, key, gone ? undefined : object);
  if (gone && old === undefined) return;
  const type = gone ? 'DELETED' : old === undefined ? 'ADDED' : 'MODIFIED';
  const cause = runtimeState.context.observers.delivered(stream.process, type, kind, key, change.revision, causes);
  const interested = interestedIn(stream, type, object, old);
  // Nobody reads the delta of most deliveries.
  if (interested.length > 0) pass(runtimeState, interested, { type, kind, key, object, old }, cause);
}

/** Reports a delta and passes it to the listeners. */
function reportDelivery(runtimeState: RuntimeState, stream: Stream, delta: Delta, causes: readonly number[]): void {
  const { type, kind, key, object } = delta;
  const revision = Number(object.metadata.resourceVersion);
  dispatch(runtimeState, stream, delta, runtimeState.context.observers.delivered(stream.process, type, kind, key, revision, causes));
}

/** Objects of a kind mostly change in a few ways: only so many are cached. */
const MAX_CLASSES = 32;

/**
 * The listeners of a stream whose predicates let a change pass. Most of two dozen listeners are excluded once for each class of change, not
 * at each change.
 */
function interestedIn(stream: Stream, type: DeltaType, object: ApiObject, old: ApiObject | undefined): readonly Listener[] {
  const { fields, listeners } = stream;
  // Most streams of agents.
  if (!stream.chooses) return listeners;
  const bits = changedBits(fields, type, object, old);
  const held = heldBits(fields, object, old);
  const owner = ownerKindOf(object);
  const isKept = old === undefined || old.metadata.ownerReferences === object.metadata.ownerReferences;
  const former = isKept ? owner : ownerKindOf(old);
  const classes = (stream.interested ??= []);
  for (let at = 0; at < classes.length; at++) {
    const known = classes[at];
    if (known?.bits === bits && known.held === held && known.owner === owner && known.former === former) return known.listeners;
  }
  return classified(stream, classes, bits, held, owner, former);
}

// Apart, because a function that holds a closure allocates its variables at each call.
function classified(
  { listeners: all }: Stream,
  classes: NonNullable<Stream['interested']>,
  bits: number,
  held: number,
  owner: string,
  former: string,
): readonly Listener[] {
  const change = { bits, held, owner, former };
  const listeners = all.filter(({ wanted }) => passes(wanted, change));
  if (classes.length < MAX_CLASSES) classes.push({ listeners, ...change });
  return listeners;
}

/** Passes a delta to the controllers that listen, and enqueues the keys that it concerns. */
export function dispatch(runtimeState: RuntimeState, stream: Stream, delta: Delta, cause: number): void {
  pass(runtimeState, interestedIn(stream, delta.type, delta.object, delta.old), delta, cause);
}

function pass(runtimeState: RuntimeState, interested: readonly Listener[], delta: Delta, cause: number): void {
  for (let place = 0; place < interested.length; place++) {
    const listener = interested[place];
    if (listener === undefined || listener.wanted.beside?.size === 0) continue;
    const { running, watch } = listener;
    const at = observing(runtimeState, running);
    touch(running);
    running.controller.observe?.(delta, at);
    enqueue(runtimeState, running, watch.enqueue === undefined ? delta.key : watch.enqueue(delta, at), cause);
  }
}

/** The input of a controller's mappings, as of now. */
export function observing({ context: { kernel } }: RuntimeState, running: Running): ObserveContext {
  const { observing: context, process } = running;
  const { now } = kernel;
  if (context.now !== now + process.skewMs) context.now = now + process.skewMs;
  if (context.elapsed !== now) context.elapsed = now;
  return context;
}

const isList = (wanted: readonly Enqueue[] | Enqueue): wanted is readonly Enqueue[] => Array.isArray(wanted);

/** Puts keys into a controller's queue, at once or later. */
export function enqueue(
  runtimeState: RuntimeState,
  running: Running,
  wanted: readonly Enqueue[] | Enqueue | undefined,
  cause: number,
): void {
  if (wanted === undefined) return;
  touch(running);
  const { queue } = running;
  if (typeof wanted === 'string') queue.add(queue.open(wanted), cause);
  else if (!isList(wanted)) queue.addAt(queue.open(wanted.key), runtimeState.context.kernel.now + wanted.afterMs, cause);
  else for (let at = 0; at < wanted.length; at++) enqueue(runtimeState, running, wanted[at], cause);
}

/** A lease's renewals are real again: caches that did not follow the elided ones get the present value. */
export function notifyProcess(runtimeState: RuntimeState, object: ApiObject): void {
  const key = keyOf(object);
  for (const stream of runtimeState.streams.following(LEASE, object).streams) {
    const { process } = stream;
    if (!stream.unseenRenewals || !process.up || process.cache.byKey(LEASE, key) === undefined) continue;
    touchStream(stream);
    const old = replaceObject(stream.kindTable, key, object);
    reportDelivery(runtimeState, stream, { type: 'MODIFIED', kind: LEASE, key, object, old }, []);
  }
}

/** Objects of a kind for a stream as of a revision (undefined: now), by key in key order. */
export function listed(
  { context: { store } }: RuntimeState,
  stream: Stream,
  atRevision: number | undefined,
): ReadonlyMap<string, ApiObject> {
  const { kind, only } = stream;
  const found = new Map<string, ApiObject>();
  const snapshot = atRevision === undefined || atRevision >= store.revision ? undefined : store.snapshotAt(kind, atRevision);
  if (snapshot !== undefined) {
    for (const [key, object] of snapshot) if (carries(stream, object)) found.set(key, object);
    return found;
  }
  if (only?.index === 'nodeName') {
    for (const object of store.by(kind, 'nodeName', only.value)) found.set(keyOf(object), object);
    return found;
  }
  if (store.size(kind) === 0) return found;
  for (const key of store.sortedKeys(kind)) {
    const object = store.get(kind, key);
    if (object !== undefined && carries(stream, object)) found.set(key, object);
  }
  return found;
}

/** An older list is followed by the changes since then, as a watch from its revision would deliver them. */
export function catchUp(runtimeState: RuntimeState, stream: Stream, atRevision: number | undefined): void {
  const { store } = runtimeState.context;
  stream.seenRevision = Math.min(atRevision ?? store.revision, store.revision);
  if (stream.seenRevision === store.revision) return;
  for (const change of store.changesAfter(stream.kind, stream.seenRevision) ?? [])
    if (carries(stream, change.object)) send(runtimeState, stream, change);
}

/** Lists a kind again, as of a revision (default: now), and turns the difference into deltas. */
export function relist(runtimeState: RuntimeState, stream: Stream, causes: readonly number[], atRevision?: number): void {
  const { kind, kindTable, process } = stream;
  // Expectations that came true may be awaited again.
  touchStream(stream);
  for (const running of process.running.values()) touch(running);
  const objects = listed(runtimeState, stream, atRevision);
  stream.inFlight = [];
  stream.head = 0;
  stream.tail = 0;
  catchUp(runtimeState, stream, atRevision);
  const deltas: Delta[] = [];
  for (const key of kindTable.table.sortedKeys()) {
    if (objects.has(key)) continue;
    const old = replaceObject(kindTable, key, undefined);
    if (old !== undefined) deltas.push({ type: 'DELETED', kind, key, object: old, old });
  }
  for (const [key, object] of objects) {
    const old = replaceObject(kindTable, key, object);
    if (old !== undefined && old.metadata.uid !== object.metadata.uid) {
      // Another object of the same name. Upstream reports an update; those that go by uid have informers of their own there.
      deltas.push({ type: 'DELETED', kind, key, object: old, old }, { type: 'ADDED', kind, key, object, old: undefined });
    } else if (old !== object) deltas.push({ type: old === undefined ? 'ADDED' : 'MODIFIED', kind, key, object, old });
  }
  for (const delta of deltas) reportDelivery(runtimeState, stream, delta, causes);
}
