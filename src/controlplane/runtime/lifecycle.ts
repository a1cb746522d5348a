/** Starting, feeding and crashing processes: lists, watch deliveries, deltas to caches, controllers and queues. Models: client-go reflectors and shared informers. */
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import { type ApiObject, keyOf } from '../../apiserver/vocabulary/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { createCache } from './cache.ts';
import { drawDelay, type RuntimeContext } from './context.ts';
import type { Controller, Delta, Enqueue, ObserveContext, Watch } from './contract.ts';
import { createCorrelator } from './event-correlator.ts';
import { LEASE } from './hearts.ts';
import { watchesOf, type Process, type ProcessSpec, type Running } from './process.ts';
import { createStreams, takeNext, type Stream } from './streams.ts';
import { createWorkQueue } from './work-queue.ts';

export interface Lifecycle {
  create(spec: ProcessSpec): Process;
  start(process: Process, causes: readonly number[], atRevision?: number): void;
  /** A process whose elector ran alone starts its controllers. */
  lead(process: Process, causes: readonly number[]): void;
  /** All but the elector of a process stop working. */
  retire(process: Process): void;
  crash(process: Process, what: 'crashed' | 'stopped', causes: readonly number[]): void;
  /** The next change of a stream arrives. */
  deliver(process: Process, kind: string, revision: number, causes: readonly number[]): void;
  /** Lists a kind again, as of a revision (default: now), and turns the difference into deltas. */
  relist(process: Process, kind: string, causes: readonly number[], atRevision?: number): void;
  /** A lease that beat unseen is real again: caches that did not follow its beats get its present value. */
  tellReal(object: ApiObject): void;
  /** Plans deliveries of a change: the store's listener. */
  fanOut(change: Change): void;
}

/** Upstream's DefaultControllerRateLimiter: 5 ms to 1000 s a key, 10 a second with a burst of 100 for the queue. */
const DEFAULT_BACKOFF = { baseMs: 5, maxMs: 1_000_000, shared: { burst: 100, everyMs: 100 } } as const;

const isList = (wanted: readonly Enqueue[] | Enqueue): wanted is readonly Enqueue[] => Array.isArray(wanted);

export function createLifecycle(context: RuntimeContext, find: (process: string) => Process | undefined): Lifecycle {
  const { kernel, store } = context;
  const streams = createStreams();

  const observing = (process: Process, running: Running): ObserveContext => {
    running.observing.now = kernel.now + process.skewMs;
    running.observing.elapsed = kernel.now;
    return running.observing;
  };
  const enqueue = (running: Running, wanted: readonly Enqueue[] | Enqueue | undefined, cause: number): void => {
    if (wanted === undefined) return;
    if (typeof wanted === 'string') running.queue.add(wanted, [cause]);
    else if (!isList(wanted)) running.queue.addAt(wanted.key, kernel.now + wanted.afterMs, [cause]);
    else for (let at = 0; at < wanted.length; at++) enqueue(running, wanted[at], cause);
  };

  const dispatch = (process: Process, delta: Delta, cause: number): void => {
    const listeners = process.listeners.get(delta.kind);
    if (listeners === undefined) return;
    for (const { running, watch } of listeners) {
      const at = observing(process, running);
      running.controller.observe?.(delta, at);
      enqueue(running, watch.enqueue === undefined ? delta.key : watch.enqueue(delta, at), cause);
    }
  };

  const tell = (
    process: Process,
    delta: Delta,
    causes: readonly number[],
    revision = Number(delta.object.metadata.resourceVersion),
  ): void => dispatch(process, delta, context.delivered(process.spec.name, delta, revision, causes));

  const matches = (watch: Stream['only'], object: ApiObject): boolean => {
    if (watch === undefined) return true;
    if (watch.index === 'name') return object.metadata.name === watch.value;
    return (object['spec'] as { readonly nodeName?: string } | undefined)?.nodeName === watch.value;
  };
  /** Objects of a kind for a stream, by key in key order. */
  const listed = (stream: Stream, atRevision: number | undefined): ReadonlyMap<string, ApiObject> => {
    const snapshot = atRevision === undefined || atRevision >= store.revision ? undefined : store.snapshotAt(stream.kind, atRevision);
    const found = new Map<string, ApiObject>();
    if (snapshot !== undefined) {
      for (const [key, object] of snapshot) if (matches(stream.only, object)) found.set(key, object);
      return found;
    }
    if (stream.only?.index === 'nodeName')
      for (const object of store.by(stream.kind, 'nodeName', stream.only.value)) found.set(keyOf(object), object);
    else
      for (const key of store.sortedKeys(stream.kind)) {
        const object = store.get(stream.kind, key);
        if (object !== undefined && matches(stream.only, object)) found.set(key, object);
      }
    return found;
  };

  const openStream = (process: Process, watch: Watch): void => {
    if (process.streams.has(watch.kind)) return;
    const stream: Stream = {
      process: process.spec.name,
      incarnation: process.incarnation,
      kind: watch.kind,
      inFlight: [],
      head: 0,
      lastAt: 0,
      unseenBeats: watch.beats === false,
      seenRevision: store.revision,
      open: true,
      ...(watch.only === undefined ? {} : { only: { index: watch.only.index, value: watch.only.value(process.spec.name) } }),
    };
    process.streams.set(watch.kind, stream);
    process.cache.open(watch.kind);
    streams.add(stream);
    // Whoever follows renewals needs them made for real, as long as it lives.
    if (watch.kind === LEASE && !stream.unseenBeats) process.ends.push(context.hearts.forbid());
  };

  const relist = (process: Process, kind: string, causes: readonly number[], atRevision?: number): void => {
    const stream = process.streams.get(kind);
    if (stream === undefined) return;
    const objects = listed(stream, atRevision);
    stream.inFlight = [];
    stream.head = 0;
    stream.seenRevision = Math.min(atRevision ?? store.revision, store.revision);
    // An older list is followed by the changes since, as a watch from its revision would bring them.
    for (const change of store.changesAfter(kind, stream.seenRevision) ?? []) if (matches(stream.only, change.object)) send(stream, change);
    const deltas: Delta[] = [];
    for (const key of process.cache.keysOf(kind)) {
      if (objects.has(key)) continue;
      const old = process.cache.set(kind, key, undefined);
      if (old !== undefined) deltas.push({ type: 'DELETED', kind, key, object: old, old });
    }
    for (const [key, object] of objects) {
      const old = process.cache.set(kind, key, object);
      if (old !== object) deltas.push({ type: old === undefined ? 'ADDED' : 'MODIFIED', kind, key, object, old });
    }
    for (const delta of deltas) tell(process, delta, causes);
  };

  const send = (stream: Stream, change: Change): void => {
    const { watch } = context.latency;
    let delay = typeof watch === 'number' ? watch : drawDelay(watch, context.random, `watch/${stream.process}`);
    for (const rules of context.faults()) delay += rules.delivery?.(stream.process, change, kernel.now) ?? 0;
    const at = Math.max(kernel.now + delay, stream.lastAt);
    stream.lastAt = at;
    stream.inFlight.push(change);
    kernel.schedule(at, { type: 'deliver', to: [stream], kind: stream.kind, revision: change.revision }, [change.entry]);
  };
  /** The same for all of them, as one record, where they take equally long. */
  const sendTogether = (concerned: readonly Stream[], change: Change): boolean => {
    const { watch } = context.latency;
    if (typeof watch !== 'number' || context.faults().length > 0) return false;
    const at = kernel.now + watch;
    for (const { lastAt } of concerned) if (lastAt > at) return false;
    if (concerned.length === 0) return true;
    for (const stream of concerned) {
      stream.lastAt = at;
      stream.inFlight.push(change);
    }
    kernel.schedule(
      at,
      { type: 'deliver', to: concerned, kind: change.kind, revision: change.revision },
      [change.entry],
      false,
      concerned.length,
    );
    return true;
  };

  const closeAll = (process: Process): void => {
    for (const stream of process.streams.values()) streams.close(stream);
    for (const { queue } of process.running.values()) queue.close();
    for (const end of process.ends) end();
    process.ends = [];
    process.streams = new Map();
    process.running = new Map();
    process.listeners = new Map();
    process.cache = createCache();
  };

  const mount = (process: Process, controller: Controller): void => {
    const { name } = process.spec;
    const random = context.random.stream(`${name}/${controller.name}`);
    const queue = createWorkQueue({
      kernel,
      process: name,
      incarnation: process.incarnation,
      controller: controller.name,
      backoff: controller.backoff ?? DEFAULT_BACKOFF,
    });
    const state = controller.start?.({ names: context.names, gates: context.gates, now: kernel.now, process: name, random });
    const running: Running = {
      controller,
      random,
      queue,
      state,
      correlator: createCorrelator(),
      awaiting: { keys: [], head: 0 },
      observing: {
        names: context.names,
        gates: context.gates,
        cache: process.cache,
        now: kernel.now,
        elapsed: kernel.now,
        state,
        process: name,
        failures: queue.failures,
      },
    };
    process.running.set(controller.name, running);
    for (const watch of watchesOf(controller)) {
      openStream(process, watch);
      const listeners = process.listeners.get(watch.kind);
      if (listeners === undefined) process.listeners.set(watch.kind, [{ running, watch }]);
      else listeners.push({ running, watch });
    }
    for (const aggregate of controller.aggregates ?? []) process.cache.addAggregate(aggregate);
  };

  /** Starts controllers: caches are filled as of the revision that the process lists at. */
  const begin = (process: Process, controllers: readonly Controller[], entry: number): void => {
    for (const controller of controllers) mount(process, controller);
    // Every cache is filled before the first delta is mapped: a handler may look at any kind.
    const first: Delta[] = [];
    const atRevision = process.listsAt;
    for (const [kind, stream] of process.streams) {
      stream.seenRevision = Math.min(atRevision ?? store.revision, store.revision);
      for (const [key, object] of listed(stream, atRevision)) {
        process.cache.set(kind, key, object);
        first.push({ type: 'ADDED', kind, key, object, old: undefined });
      }
      for (const change of store.changesAfter(kind, stream.seenRevision) ?? [])
        if (matches(stream.only, change.object)) send(stream, change);
    }
    for (const delta of first) dispatch(process, delta, entry);
    for (const { name } of controllers) {
      const running = process.running.get(name);
      if (running !== undefined) enqueue(running, running.controller.startKeys?.(observing(process, running)), entry);
    }
  };

  return {
    create(spec) {
      return {
        spec,
        user: { name: spec.name, groups: [PRIVILEGED] },
        incarnation: 0,
        up: false,
        leading: false,
        listsAt: undefined,
        skewMs: spec.skewMs ?? 0,
        ends: [],
        cache: createCache(),
        streams: new Map(),
        running: new Map(),
        listeners: new Map(),
      };
    },
    start(process, causes, atRevision) {
      closeAll(process);
      process.up = true;
      const entry = context.observe({ type: 'process', causes, process: process.spec.name, what: 'started' });
      process.leading = process.spec.elector === undefined;
      process.listsAt = atRevision;
      begin(process, process.spec.elector === undefined ? process.spec.controllers : [process.spec.elector], entry);
    },
    lead(process, causes) {
      if (process.leading) return;
      process.leading = true;
      begin(process, process.spec.controllers, context.observe({ type: 'process', causes, process: process.spec.name, what: 'leads' }));
    },
    retire(process) {
      const elector = process.spec.elector === undefined ? undefined : process.running.get(process.spec.elector.name);
      if (elector !== undefined) process.running.delete(elector.controller.name);
      closeAll(process);
      process.leading = false;
      if (elector !== undefined) process.running.set(elector.controller.name, elector);
    },
    crash(process, what, causes) {
      if (!process.up) return;
      process.up = false;
      process.leading = false;
      process.incarnation++;
      closeAll(process);
      context.observe({ type: 'process', causes, process: process.spec.name, what });
    },
    deliver(process, kind, revision, causes) {
      const stream = process.streams.get(kind);
      const change = stream === undefined ? undefined : takeNext(stream, revision);
      if (stream === undefined || change === undefined) return;
      stream.seenRevision = change.revision;
      const gone = change.type === 'DELETED';
      const old = process.cache.set(kind, change.key, gone ? undefined : change.object);
      if (gone && old === undefined) return;
      const type = gone ? 'DELETED' : old === undefined ? 'ADDED' : 'MODIFIED';
      tell(process, { type, kind, key: change.key, object: change.object, old }, causes, change.revision);
    },
    relist,
    tellReal(object) {
      const key = keyOf(object);
      for (const stream of streams.following(object)) {
        const process = stream.unseenBeats ? find(stream.process) : undefined;
        if (process?.up !== true || process.cache.byKey(LEASE, key) === undefined) continue;
        const old = process.cache.set(LEASE, key, object);
        tell(process, { type: 'MODIFIED', kind: LEASE, key, object, old }, []);
      }
    },
    fanOut(change) {
      const concerned = streams.concerned(change);
      if (!sendTogether(concerned, change)) for (const stream of concerned) send(stream, change);
    },
  };
}
