/**
 * Runs controllers: hands a key to `reconcile`, then makes the writes it decided on, one kernel event each, in order. After the first
 * failure the rest are dropped and the key comes back with back-off, unless the controller says how to recover.
 */
import { LimitTripped, type Pending } from '../../engine/index.ts';
import { keyOf, type ApiObject } from '../../apiserver/vocabulary/index.ts';
import type { ApiResponse } from '../../apiserver/request/index.ts';
import { drawDelay, wayThere, type RequestVerdict, type RuntimeContext } from './context.ts';
import type { Answer, Enqueue, EventText, Outcome, Write } from './contract.ts';
import type { InFlight, KeyState } from './key-state.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process, Running } from './process.ts';
import type { Recorder } from './recorder.ts';
import { requestOf } from './requests.ts';

export interface Runner {
  reconcile(process: Process, running: Running, key: string, pending: Pending<ClusterEvent>): void;
  apply(process: Process, running: Running, key: string, index: number): void;
}

interface Parts {
  readonly context: RuntimeContext;
  readonly recorder: Recorder;
  crash(process: Process, cause: readonly number[]): void;
  /** An outcome decides about its whole process. */
  turn(process: Process, what: NonNullable<Outcome['process']>, cause: readonly number[]): void;
}

const TIMEOUT = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the request timed out',
  reason: 'Timeout',
  code: 504,
} as const;

/** The kind of what the caches have to show before a key has seen its own writes; undefined: this write is not waited for. */
function awaitedKind(write: Write): string | undefined {
  switch (write.op) {
    case 'create':
      return write.object.kind;
    case 'delete':
      return write.kind;
    case 'patch':
      return write.awaited === true ? write.kind : undefined;
    case 'update':
      return write.awaited === true ? write.object.kind : undefined;
    default:
      return undefined;
  }
}

/** To a check, a namesake with another uid, or an object on its way out, is as good as none. */
function asChecked(write: Write, answer: ApiResponse): ApiResponse {
  if (write.op !== 'check' || !answer.ok) return answer;
  const metadata = writtenObject(answer)?.metadata;
  if (metadata?.uid === write.uid && metadata.deletionTimestamp === undefined) return answer;
  return {
    ok: false,
    code: 404,
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${write.kind} "${write.name}" with uid ${write.uid} is gone or going`,
      reason: 'NotFound',
      code: 404,
    },
  };
}

const GONE: Outcome = { why: 'it is gone', writes: [] };

const writtenObject = (response: ApiResponse): ApiObject | undefined => (response.ok && 'object' in response ? response.object : undefined);

/** A message with its blank filled in. */
function filled(message: string, blank: string, value = ''): string {
  const at = message.indexOf(blank);
  return at < 0 ? message : message.slice(0, at) + value + message.slice(at + blank.length);
}

export function createRunner({ context, recorder, crash, turn }: Parts): Runner {
  const { kernel } = context;

  const guardAgainstLoops = (running: Running, state: KeyState): void => {
    if (state.loopsAt !== kernel.now) {
      state.loopsAt = kernel.now;
      state.loops = 0;
    }
    if (++state.loops > context.sameInstantLimit) {
      throw new LimitTripped(
        'sameInstant',
        `${running.controller.name} reconciled ${state.key} ${state.loops} times at t=${(kernel.now - kernel.startAt) / 1000} s; last why: ${lastWhys.get(state) ?? 'unknown'}`,
      );
    }
  };

  /** Whether everything the key created or deleted has come back through the watches. */
  const seesOwnWrites = (process: Process, state: KeyState): boolean => {
    const own = state.ownWrites;
    if (own === undefined) return true;
    for (const [kind, revision] of own) {
      if ((process.streams.get(kind)?.seenRevision ?? Infinity) >= revision) own.delete(kind);
    }
    if (own.size > 0) return false;
    state.ownWrites = undefined;
    return true;
  };

  /** Most keys that await their own writes belong to objects that are gone: nobody would look again, and they would be held for ever. */
  const release = (process: Process, running: Running, state: KeyState): void => {
    const line = running.awaiting;
    if (state.ownWrites !== undefined) line.keys.push(state);
    for (let first = line.keys[line.head]; first !== undefined && seesOwnWrites(process, first); first = line.keys[++line.head])
      running.queue.rest(first);
    if (line.head > 64 && line.head * 2 > line.keys.length) {
      line.keys = line.keys.slice(line.head);
      line.head = 0;
    }
  };

  const pulse = (namespace: string, name: string) => context.hearts.pulse(`${namespace}/${name}`);
  const inputOf = (process: Process, running: Running, state: KeyState, self: ApiObject | undefined) => ({
    key: state.key,
    self,
    now: kernel.now + process.skewMs,
    elapsed: kernel.now,
    names: context.names,
    gates: context.gates,
    cache: process.cache,
    memory: state.memory,
    state: running.state,
    seesOwnWrites: seesOwnWrites(process, state),
    failures: state.failures,
    random: running.random,
    process: process.spec.name,
    pulse,
  });
  const selfOf = (process: Process, { controller: { reconciles } }: Running, key: string): ApiObject | undefined =>
    reconciles === undefined ? undefined : process.cache.byKey(reconciles, key);

  const decide = (process: Process, running: Running, state: KeyState): Outcome => {
    const { controller } = running;
    const self = selfOf(process, running, state.key);
    const input = inputOf(process, running, state, self);
    // A controller without a kind of its own is asked with no object, as its contract says.
    if (self !== undefined || controller.reconciles === undefined)
      return controller.reconcile(input as typeof input & { readonly self: ApiObject });
    state.memory = undefined;
    return controller.reconcileAbsent?.(input) ?? GONE;
  };

  /** Last reasons of keys that are about to reach the limit of one instant. */
  const lastWhys = new WeakMap<KeyState, string>();

  const adopt = (process: Process, running: Running, state: KeyState, outcome: Outcome, causes: readonly number[]): void => {
    const wake = outcome.wakeAt === undefined ? undefined : outcome.wakeAt - process.skewMs;
    const entry = context.reconciled(process.spec.name, running.controller.name, state.key, outcome, wake, state.failures, causes);
    if (outcome.deeds !== undefined) for (const deed of outcome.deeds) running.controller.act?.(deed, running.observing);
    if (outcome.memory === null) state.memory = undefined;
    else if (outcome.memory !== undefined) state.memory = outcome.memory;
    running.queue.wakeAt(state, wake, entry, outcome.background === true);
    if (outcome.enqueue !== undefined) enqueueOthers(running, outcome.enqueue, entry);
    state.flight = { outcome, entry, causes: [entry], index: 0, sent: false };
    proceed(process, running, state, state.flight, 0);
  };

  const enqueueOthers = (running: Running, others: readonly Enqueue[], entry: number): void => {
    for (const wanted of others) {
      if (typeof wanted === 'string') running.queue.add(wanted, [entry]);
      else running.queue.addAt(wanted.key, kernel.now + wanted.afterMs, [entry]);
    }
  };

  /** Plans write `index`, or concludes. Events need no answer and are recorded on the way. */
  const proceed = (process: Process, running: Running, state: KeyState, flight: InFlight, index: number): void => {
    const { writes } = flight.outcome;
    let next = index;
    for (let write = writes[next]; write?.op === 'event'; write = writes[next]) {
      recorder.record(process, running, write.event, write.event.message, flight.entry);
      next++;
    }
    flight.index = next;
    if (next >= writes.length) {
      conclude(process, running, state, flight);
      return;
    }
    const api = process.spec.apiLatency ?? context.latency.api;
    const roundTripMs = typeof api === 'number' ? api : drawDelay(api, context.random, `latency/${process.spec.name}`);
    // A write is made half-way through its request; the next one leaves when the answer is back.
    // An answer that is decided on counts when it is back.
    plan(process, running, state, flight, flight.sent || writes[next]?.op === 'get' ? roundTripMs : wayThere(roundTripMs));
    flight.sent = true;
  };

  const plan = (process: Process, running: Running, { key }: KeyState, { index, causes }: InFlight, delayMs: number): void => {
    kernel.schedule(
      kernel.now + delayMs,
      { type: 'apply', process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name, key, index },
      causes,
    );
  };

  /** Lets a lease beat in closed form instead of waking its key for every renewal, if that makes no difference to anybody. */
  const beat = (process: Process, running: Running, state: KeyState, { outcome, entry }: InFlight): void => {
    const { heartbeat, wakeAt } = outcome;
    const api = process.spec.apiLatency ?? context.latency.api;
    if (heartbeat === undefined || wakeAt === undefined || typeof api !== 'number' || process.skewMs !== 0) return;
    const { everyMs, until = Infinity, delayMs = wayThere(api) } = heartbeat;
    const started = context.hearts.start({
      process: process.spec.name,
      controller: running.controller.name,
      key: state.key,
      lease: `${heartbeat.lease.namespace}/${heartbeat.lease.name}`,
      everyMs,
      nextDecisionAt: wakeAt,
      delayMs,
      until,
    });
    if (started)
      running.queue.wakeAt(state, until === Infinity ? undefined : wakeAt + Math.ceil((until - wakeAt) / everyMs) * everyMs, entry, true);
  };

  const conclude = (process: Process, running: Running, state: KeyState, flight: InFlight): void => {
    state.flight = undefined;
    beat(process, running, state, flight);
    const { backoff = 'forget' } = flight.outcome;
    if (backoff === 'forget') state.failures = 0;
    else if (backoff === 'retry') retry(running, state, flight.entry);
    running.queue.done(state);
    release(process, running, state);
    if (flight.outcome.process !== undefined) turn(process, flight.outcome.process, [flight.entry]);
  };

  const retry = (running: Running, state: KeyState, cause: number): void =>
    running.queue.addAt(state.key, kernel.now + running.queue.fail(state), [cause], 'backoff');

  const say = (
    process: Process,
    running: Running,
    text: EventText | undefined,
    values: { name?: string; error?: string },
    cause: number,
  ): void => {
    if (text === undefined) return;
    recorder.record(process, running, text, filled(filled(text.message, '{name}', values.name), '{error}', values.error), cause);
  };

  const remember = (process: Process, state: KeyState, write: Write, object: ApiObject | undefined): void => {
    const kind = awaitedKind(write);
    if (kind === undefined || !process.streams.has(kind)) return;
    // A deletion (also by taking off the last finalizer) answers with a Status or with the object as it was before it left: the store's revision is the deletion's.
    const left =
      object === undefined ||
      write.op === 'delete' ||
      (write.op !== 'create' && context.store.get(kind, keyOf(object))?.metadata.uid !== object.metadata.uid);
    const revision = left ? context.store.revision : Number(object.metadata.resourceVersion);
    state.ownWrites ??= new Map();
    state.ownWrites.set(kind, Math.max(revision, state.ownWrites.get(kind) ?? 0));
  };

  const fail = (
    process: Process,
    running: Running,
    state: KeyState,
    flight: InFlight,
    write: Write,
    response: Extract<ApiResponse, { ok: false }>,
  ): void => {
    if (write.op !== 'event') say(process, running, write.otherwise, { error: response.status.message ?? '' }, flight.entry);
    state.flight = undefined;
    const dropped = flight.outcome.writes.slice(flight.index + 1);
    const rescue = running.controller.recover?.(inputOf(process, running, state, selfOf(process, running, state.key)), {
      write,
      status: response.status,
      dropped,
    });
    if (rescue !== undefined) {
      adopt(process, running, state, rescue, [flight.entry]);
      return;
    }
    retry(running, state, flight.entry);
    running.queue.done(state);
  };

  const resume = (process: Process, running: Running, state: KeyState, flight: InFlight, answer: Answer): void => {
    state.flight = undefined;
    const next = running.controller.resume?.(inputOf(process, running, state, selfOf(process, running, state.key)), answer);
    if (next !== undefined) adopt(process, running, state, next, [flight.entry]);
  };

  const verdictOn = (process: Process, request: Parameters<RuntimeContext['call']>[1]): RequestVerdict | undefined => {
    for (const rules of context.faults()) {
      const verdict = rules.request?.(process.spec.name, request, kernel.now);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };

  return {
    reconcile(process, running, key, pending) {
      const state = running.queue.begin(key);
      context.hearts.stop(process.spec.name, running.controller.name, key);
      guardAgainstLoops(running, state);
      const outcome = decide(process, running, state);
      if (state.loops + 1 >= context.sameInstantLimit) lastWhys.set(state, outcome.why);
      adopt(process, running, state, outcome, pending.causes);
    },
    apply(process, running, key, index) {
      const state = running.queue.state(key);
      const flight = state?.flight;
      const write = flight?.outcome.writes[index];
      if (state === undefined || flight === undefined || flight.index !== index || write === undefined || write.op === 'event') return;
      const request = requestOf(write, process.user);
      const verdict = verdictOn(process, request);
      if (verdict?.delayMs !== undefined && verdict.delayMs > 0) {
        plan(process, running, state, flight, verdict.delayMs);
        return;
      }
      if (verdict?.crash === 'before') {
        crash(process, [flight.entry]);
        return;
      }
      const actor = { actor: process.spec.name, controller: running.controller.name, key, request, causes: flight.causes };
      const answer: ApiResponse =
        verdict?.fail === undefined ? context.call(actor, request) : { ok: false, code: verdict.fail.code ?? 500, status: verdict.fail };
      if (verdict?.crash === 'after') {
        crash(process, [flight.entry]);
        return;
      }
      const response: ApiResponse = verdict?.loseResponse === true ? { ok: false, code: 504, status: TIMEOUT } : asChecked(write, answer);
      if (!response.ok && write.tolerate?.includes(response.status.reason ?? '') !== true) {
        fail(process, running, state, flight, write, response);
        return;
      }
      const object = writtenObject(response);
      if (response.ok) {
        remember(process, state, write, object);
        if (write.then !== undefined)
          say(process, running, write.then, { name: object?.metadata.name ?? ('name' in write ? write.name : '') }, flight.entry);
      }
      if (write.resume === true && running.controller.resume !== undefined) {
        resume(process, running, state, flight, { write, object });
        return;
      }
      proceed(process, running, state, flight, index + 1);
    },
  };
}
