/**
 * Processes start, lead, retire and crash. Starting lists what the controllers watch, fills the cache, and maps everything that is there to
 * keys.
 */
import { LONGEST_BACKOFF_MS } from './backoff.ts';
import { createCache, shelve } from './cache.ts';
import { listens, type Controller, type Delta, type Watch } from './contract.ts';
import { catchUp, dispatch, listed } from './delivery.ts';
import { createCorrelator } from './event-correlator.ts';
import { LEASE } from './hearts.ts';
import { enqueue, observing, type Machinery } from './machinery.ts';
import { noFields, wantedBy } from './news.ts';
import type { Lists } from './observation.ts';
import { onlyOf, watchesOf, type Process, type ProcessSpec, type Running, type Stream } from './process.ts';
import { createLimiter } from './rate.ts';
import { createWorkQueue } from './work-queue.ts';

/** Upstream's DefaultControllerRateLimiter: 5 ms to 1000 s a key, 10 a second with a burst of 100 for the queue. */
const DEFAULT_BACKOFF = { baseMs: 5, maxMs: LONGEST_BACKOFF_MS, shared: { burst: 100, everyMs: 100 } } as const;

/** The process starts; `atRevision`: its lists are this old. */
export function start(machinery: Machinery, process: Process, causes: readonly number[], atRevision?: number): void {
  const told = process.next ?? process.spec;
  process.spec = told.anew?.() ?? told;
  process.next = undefined;
  const { elector, controllers, name, gates, refusal, requestRate, eventRate } = process.spec;
  if (refusal !== undefined) {
    machinery.context.observe({ type: 'process', causes, process: name, what: 'refused', refusal });
    return;
  }
  closeAll(machinery, process);
  process.up = true;
  process.limiter = requestRate === undefined ? undefined : createLimiter(requestRate);
  process.eventLimiter = eventRate === undefined ? undefined : createLimiter(eventRate);
  process.changedAt = machinery.context.kernel.now;
  const first = elector === undefined ? controllers : [elector];
  const lists = listsOf(machinery, process, first, atRevision);
  const entry = machinery.context.observe({
    type: 'process',
    causes,
    process: name,
    what: 'started',
    lists,
    ...ownGates(machinery, gates),
  });
  process.leading = elector === undefined;
  process.listsAt = atRevision;
  begin(machinery, process, first, entry);
}

/** The gates in which a process differs from its cluster. */
function ownGates({ context }: Machinery, own: ProcessSpec['gates']): { readonly gates?: Readonly<Record<string, boolean>> } {
  const differing = Object.entries(own ?? {}).filter(([name, on]) => context.gates[name] !== on);
  return differing.length === 0 ? {} : { gates: Object.fromEntries(differing) };
}

/** A process whose elector ran alone starts its controllers. */
export function lead(machinery: Machinery, process: Process, causes: readonly number[]): void {
  if (process.leading) return;
  process.leading = true;
  const { name, controllers } = process.spec;
  const lists = listsOf(machinery, process, controllers, process.listsAt);
  const entry = machinery.context.observe({ type: 'process', causes, process: name, what: 'leads', lists });
  begin(machinery, process, controllers, entry);
}

/** What of the server a process will hold once these controllers have begun, besides what it follows already. */
function listsOf(
  { context: { store } }: Machinery,
  { spec, streams }: Process,
  controllers: readonly Controller[],
  atRevision = store.revision,
): Lists {
  const kinds = new Map<string, Lists['kinds'][number]>();
  for (const watch of controllers.flatMap(watchesOf)) {
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

/** All but the elector of a process stop working. */
export function retire(machinery: Machinery, process: Process, causes: readonly number[]): void {
  machinery.context.aside({ type: 'process', causes, process: process.spec.name, what: 'retires' });
  const elector = process.spec.elector === undefined ? undefined : process.running.get(process.spec.elector.name);
  if (elector !== undefined) process.running.delete(elector.controller.name);
  closeAll(machinery, process);
  process.leading = false;
  if (elector !== undefined) process.running.set(elector.controller.name, elector);
}

/** The process is gone, with all it knew and had planned. */
export function crash(machinery: Machinery, process: Process, what: 'crashed' | 'stopped', causes: readonly number[]): void {
  if (!process.up) return;
  process.up = false;
  process.changedAt = machinery.context.kernel.now;
  process.leading = false;
  process.incarnation++;
  closeAll(machinery, process);
  machinery.context.observe({ type: 'process', causes, process: process.spec.name, what });
}

function closeAll({ streams, runnings }: Machinery, process: Process): void {
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

/** Starts controllers: caches are filled as of the revision that the process lists at. */
function begin(machinery: Machinery, process: Process, controllers: readonly Controller[], entry: number): void {
  const begun = controllers.map((controller) => mount(machinery, process, controller));
  // Every cache is filled before the first delta is mapped: a handler may look at any kind.
  const first: { readonly stream: Stream; readonly delta: Delta }[] = [];
  const atRevision = process.listsAt;
  for (const [kind, stream] of process.streams) {
    for (const [key, object] of listed(machinery, stream, atRevision)) {
      shelve(stream.shelf, key, object);
      first.push({ stream, delta: { type: 'ADDED', kind, key, object, old: undefined } });
    }
    catchUp(machinery, stream, atRevision);
  }
  for (const { stream, delta } of first) dispatch(machinery, stream, delta, entry);
  for (const running of begun) enqueue(machinery, running, running.controller.startKeys?.(observing(machinery, running)), entry);
}

function mount(machinery: Machinery, process: Process, controller: Controller): Running {
  const { kernel, names, rules } = machinery.context;
  const { name, gates = machinery.context.gates } = process.spec;
  const number = machinery.runnings.length;
  const random = machinery.context.random.stream(`${name}/${controller.name}`);
  const queue = createWorkQueue({ kernel, running: number, backoff: controller.backoff ?? DEFAULT_BACKOFF });
  const state = controller.start?.({ names, gates, rules, now: kernel.now, process: name, random });
  const { cache } = process;
  const running: Running = {
    number,
    process,
    controller,
    random,
    queue,
    state,
    correlator: createCorrelator(),
    awaiting: { keys: [], head: 0 },
    observing: { names, gates, cache, now: kernel.now, elapsed: kernel.now, state, process: name, failures: queue.failures },
  };
  machinery.runnings.push(running);
  process.running.set(controller.name, running);
  for (const watch of watchesOf(controller)) {
    const stream = openStream(machinery, process, watch);
    if (!machinery.context.broadcast && !listens(controller, watch)) continue;
    const wanted = wantedBy(stream.fields, machinery.context.broadcast ? undefined : watch.news);
    stream.listeners.push({ running, watch, wanted });
    stream.interested = undefined;
  }
  for (const aggregate of controller.aggregates ?? []) cache.addAggregate(aggregate);
  return running;
}

/** The process's stream of a watch's kind; opened by the first who asks. */
function openStream({ context: { store, hearts }, streams }: Machinery, process: Process, watch: Watch): Stream {
  const known = process.streams.get(watch.kind);
  if (known !== undefined) return known;
  const only = onlyOf(watch, process.spec.name);
  const stream = streams.add({
    process,
    kind: watch.kind,
    shelf: process.cache.open(watch.kind),
    listeners: [],
    fields: noFields(),
    interested: undefined,
    inFlight: [],
    head: 0,
    lastAt: 0,
    unseenBeats: watch.beats === false,
    seenRevision: store.revision,
    ...(only === undefined ? {} : { only }),
  });
  process.streams.set(watch.kind, stream);
  // Whoever follows renewals needs them made for real, as long as it lives.
  if (watch.kind === LEASE && !stream.unseenBeats) process.ends.push(hearts.forbid());
  return stream;
}
