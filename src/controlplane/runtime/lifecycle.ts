/**
 * Processes start, lead, retire and crash. A start lists what the controllers watch, fills the cache, and maps the listed objects to keys.
 */
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { createCache, replaceObject } from './cache.ts';
import type { Controller } from './contract.ts';
import { catchUp, dispatch, enqueue, listed, observing } from './delivery.ts';
import type { Lists } from './observation.ts';
import { touchProcess, touchStream, type Process, type ProcessSpec, type Running, type Stream } from './process.ts';
import { createLimiter, LONGEST_BACKOFF_MS } from './rate.ts';
import { LEASE } from './renewal-elision.ts';
import type { RuntimeState } from './runtime-state.ts';
import { listens, noFields, wantedBy, wantsAll, type Delta, type Watch } from './watches.ts';
import { WorkQueue } from './work-queue.ts';

/** Upstream's DefaultControllerRateLimiter: 5 ms to 1000 s a key, 10 a second with a burst of 100 for the queue. */
const DEFAULT_BACKOFF = { baseMs: 5, maxMs: LONGEST_BACKOFF_MS, shared: { burst: 100, everyMs: 100 } } as const;

/** A process that has not started. */
export function newProcess(spec: ProcessSpec, number: number, now: number): Process {
  return {
    spec,
    next: undefined,
    number,
    user: { name: spec.name, groups: [PRIVILEGED] },
    incarnation: 0,
    up: false,
    changedAt: now,
    leading: false,
    listsAt: undefined,
    skewMs: spec.skewMs ?? 0,
    skews: [],
    reviews: undefined,
    ends: [],
    limiter: undefined,
    eventLimiter: undefined,
    cache: createCache(),
    streams: new Map(),
    running: new Map(),
    unchanged: undefined,
  };
}

/** Starts a process; `atRevision`: the revision of its lists. */
export function start(runtimeState: RuntimeState, process: Process, causes: readonly number[], atRevision?: number): void {
  const reported = process.next ?? process.spec;
  process.spec = reported.anew?.() ?? reported;
  process.next = undefined;
  const { elector, controllers, name, gates, refusal, requestRate, eventRate } = process.spec;
  if (refusal !== undefined) {
    runtimeState.context.observers.observe({ type: 'process', causes, process: name, what: 'refused', refusal });
    return;
  }
  closeAll(runtimeState, process);
  process.up = true;
  process.limiter = requestRate === undefined ? undefined : createLimiter(requestRate);
  process.eventLimiter = eventRate === undefined ? undefined : createLimiter(eventRate);
  process.changedAt = runtimeState.context.kernel.now;
  const first = elector === undefined ? controllers : [elector];
  const lists = listsOf(runtimeState, process, first, atRevision);
  const entry = runtimeState.context.observers.observe({
    type: 'process',
    causes,
    process: name,
    what: 'started',
    lists,
    ...ownGates(runtimeState, gates),
  });
  process.leading = elector === undefined;
  process.listsAt = atRevision;
  begin(runtimeState, process, first, entry);
}

/** The gates of a process that differ from those of its cluster. */
function ownGates({ context }: RuntimeState, own: ProcessSpec['gates']): { readonly gates?: Readonly<Record<string, boolean>> } {
  const differing = Object.entries(own ?? {}).filter(([name, on]) => context.gates[name] !== on);
  return differing.length === 0 ? {} : { gates: Object.fromEntries(differing) };
}

/** A process in which only the elector ran starts its controllers. */
export function lead(runtimeState: RuntimeState, process: Process, causes: readonly number[]): void {
  if (process.leading) return;
  process.leading = true;
  const { name, controllers } = process.spec;
  const lists = listsOf(runtimeState, process, controllers, process.listsAt);
  const entry = runtimeState.context.observers.observe({ type: 'process', causes, process: name, what: 'leads', lists });
  begin(runtimeState, process, controllers, entry);
}

/** What a process will list from the server when these controllers start, besides the kinds that it watches already. */
function listsOf(
  { context: { store, kinds: registry } }: RuntimeState,
  { spec, streams }: Process,
  controllers: readonly Controller[],
  atRevision = store.revision,
): Lists {
  const kinds = new Map<string, Lists['kinds'][number]>();
  for (const watch of controllers.flatMap((controller) => watchesOf(controller, registry))) {
    if (kinds.has(watch.kind) || streams.has(watch.kind)) continue;
    const only = onlyOf(watch, spec.name);
    kinds.set(watch.kind, { kind: watch.kind, ...(only === undefined ? {} : { only }) });
  }
  return {
    revision: Math.min(atRevision, store.revision),
    kinds: [...kinds.values()],
    controllers: controllers.map(({ name, reconciles }) => ({ name, ...(reconciles === undefined ? {} : { reconciles }) })),
  };
}

/** Stops everything in a process except its elector. */
export function retire(runtimeState: RuntimeState, process: Process, causes: readonly number[]): void {
  runtimeState.context.observers.observeUnsequenced({ type: 'process', causes, process: process.spec.name, what: 'retires' });
  const elector = process.spec.elector === undefined ? undefined : process.running.get(process.spec.elector.name);
  if (elector !== undefined) process.running.delete(elector.controller.name);
  closeAll(runtimeState, process);
  process.leading = false;
  if (elector !== undefined) process.running.set(elector.controller.name, elector);
}

/** Ends a process: its caches, queues, memory and pending events are lost. */
export function crash(runtimeState: RuntimeState, process: Process, what: 'crashed' | 'stopped', causes: readonly number[]): void {
  process.up = false;
  process.changedAt = runtimeState.context.kernel.now;
  process.leading = false;
  process.incarnation++;
  closeAll(runtimeState, process);
  runtimeState.context.observers.observe({ type: 'process', causes, process: process.spec.name, what });
}

function closeAll({ streams, runnings }: RuntimeState, process: Process): void {
  touchProcess(process);
  for (const stream of process.streams.values()) streams.close(stream);
  for (const { queue, number } of process.running.values()) {
    queue.close();
    runnings[number] = undefined;
  }
  for (const end of process.ends) end();
  process.ends = [];
  process.streams = new Map();
  process.running = new Map();
  process.cache = createCache();
}

/** Starts controllers: caches are filled as of the revision at which the process lists. */
function begin(runtimeState: RuntimeState, process: Process, controllers: readonly Controller[], entry: number): void {
  touchProcess(process);
  const begun = controllers.map((controller) => mount(runtimeState, process, controller));
  // Every cache is filled before the first delta is mapped, because a handler may read any kind.
  const first: { readonly stream: Stream; readonly delta: Delta }[] = [];
  const atRevision = process.listsAt;
  for (const [kind, stream] of process.streams) {
    touchStream(stream);
    for (const [key, object] of listed(runtimeState, stream, atRevision)) {
      replaceObject(stream.kindTable, key, object);
      first.push({ stream, delta: { type: 'ADDED', kind, key, object, old: undefined } });
    }
    catchUp(runtimeState, stream, atRevision);
  }
  for (const { stream, delta } of first) dispatch(runtimeState, stream, delta, entry);
  for (const running of begun) enqueue(runtimeState, running, running.controller.startKeys?.(observing(runtimeState, running)), entry);
}

function mount(runtimeState: RuntimeState, process: Process, controller: Controller): Running {
  const { kernel, names, kinds, rules } = runtimeState.context;
  const { name, gates = runtimeState.context.gates } = process.spec;
  const number = runtimeState.runnings.length;
  const random = runtimeState.context.random.stream(`${name}/${controller.name}`);
  const { coalesces, backoff = DEFAULT_BACKOFF } = controller;
  const queue = new WorkQueue({ kernel, running: number, coalesces, backoff });
  const state = controller.start?.({ names, gates, rules, now: kernel.now, process: name, random });
  const { cache } = process;
  const running: Running = {
    number,
    process,
    controller,
    random,
    queue,
    state,
    correlator: undefined,
    awaiting: { keys: [], head: 0 },
    unchanged: undefined,
    observing: {
      names,
      kinds,
      gates,
      cache,
      now: kernel.now,
      elapsed: kernel.now,
      state,
      process: name,
      failures: (key) => queue.failures(key),
    },
  };
  runtimeState.runnings.push(running);
  process.running.set(controller.name, running);
  for (const watch of watchesOf(controller, kinds)) listen(runtimeState, running, watch);
  for (const aggregate of controller.aggregates ?? []) cache.addAggregate(aggregate);
  return running;
}

/** Makes a controller receive what its watch is about. */
function listen(runtimeState: RuntimeState, running: Running, watch: Watch): void {
  const { controller, process } = running;
  const { broadcast } = runtimeState.context;
  const stream = openStream(runtimeState, process, watch);
  if (!broadcast && !listens(controller, watch)) return;
  const wanted = wantedBy(stream.fields, broadcast ? undefined : watch.predicate, (kind) => process.streams.get(kind)?.kindTable.table);
  stream.listeners.push({ running, watch, wanted });
  if (!wantsAll(wanted)) stream.chooses = true;
  stream.interested = undefined;
}

/** Makes the controllers that run follow the kinds that clients have defined meanwhile, of which there are no objects yet. */
export function followDefined(runtimeState: RuntimeState, process: Process, causes: readonly number[]): void {
  const { kinds, store } = runtimeState.context;
  const followed: string[] = [];
  for (const running of process.running.values())
    for (const watch of definedWatches(running.controller, kinds)) {
      const stream = process.streams.get(watch.kind);
      if (stream?.listeners.some((listener) => listener.running === running) === true) continue;
      if (stream === undefined) followed.push(watch.kind);
      listen(runtimeState, running, watch);
    }
  if (followed.length === 0) return;
  touchProcess(process);
  const lists: Lists = { revision: store.revision, kinds: followed.map((kind) => ({ kind })), controllers: [] };
  runtimeState.context.observers.observeUnsequenced({ type: 'process', causes, process: process.spec.name, what: 'follows', lists });
}

/** The process's stream for a watch; opened by the first watch of its kind. */
function openStream({ context: { store, renewalElision }, streams }: RuntimeState, process: Process, watch: Watch): Stream {
  const known = process.streams.get(watch.kind);
  if (known !== undefined) return known;
  const only = onlyOf(watch, process.spec.name);
  const stream = streams.add({
    process,
    kind: watch.kind,
    kindTable: process.cache.open(watch.kind),
    listeners: [],
    fields: noFields(),
    chooses: false,
    interested: undefined,
    inFlight: [],
    head: 0,
    tail: 0,
    lastAt: 0,
    unseenRenewals: watch.renewals === false,
    seenRevision: store.revision,
    unchanged: undefined,
    ...(only === undefined ? {} : { only }),
  });
  process.streams.set(watch.kind, stream);
  // A process that follows renewals needs real ones for as long as it runs.
  if (watch.kind === LEASE && !stream.unseenRenewals) process.ends.push(renewalElision.forbid());
  return stream;
}

/** Which objects of a watched kind reach a process; undefined: all. */
const onlyOf = ({ only }: Watch, process: string): Stream['only'] =>
  only === undefined ? undefined : { index: only.index, value: only.value(process) };

/** The watches of a controller: its own kind first, those on kinds that clients have defined last. */
function watchesOf(controller: Controller, kinds: KindRegistry): readonly Watch[] {
  const own: Watch[] = controller.reconciles === undefined ? [] : [{ ...controller.self, kind: controller.reconciles }];
  return [...own, ...(controller.watches ?? []), ...definedWatches(controller, kinds)];
}

/** The watches of a controller on kinds that clients have defined, besides those that it names itself. */
function definedWatches(controller: Controller, kinds: KindRegistry): readonly Watch[] {
  if (controller.watchOn === undefined) return [];
  const named = new Set((controller.watches ?? []).map(({ kind }) => kind));
  return kinds.list().flatMap((kind) => (kind.definition === undefined || named.has(kind.kind) ? [] : (controller.watchOn?.(kind) ?? [])));
}
