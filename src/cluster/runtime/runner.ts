/**
 * Runs controllers: hands a key to `reconcile`, then makes the writes it decided on, one kernel event each, in order. After the first
 * failure the rest are dropped and the key comes back with back-off, unless the controller says how to recover.
 */
import { LimitTripped, type Pending } from '../../engine/index.ts';
import type { ApiObject } from '../api/object.ts';
import type { ApiResponse } from '../server/request.ts';
import { drawDelay, type RequestVerdict, type RuntimeContext } from './context.ts';
import type { Answer, EventText, Outcome, Write } from './contract.ts';
import type { ClusterEvent } from './pending.ts';
import type { InFlight, Process, Running } from './process.ts';
import type { Recorder } from './recorder.ts';
import { phraseOf, requestOf } from './requests.ts';

export interface Runner {
  reconcile(process: Process, running: Running, key: string, pending: Pending<ClusterEvent>): void;
  apply(process: Process, running: Running, key: string, index: number): void;
}

interface Parts { readonly context: RuntimeContext; readonly recorder: Recorder; crash(process: Process, cause: readonly number[]): void }

const TIMEOUT = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'the request timed out', reason: 'Timeout', code: 504 } as const;

/** To a check, a namesake with another uid, or an object on its way out, is as good as none. */
function asChecked(write: Write, answer: ApiResponse): ApiResponse {
  if (write.op !== 'check' || !answer.ok) return answer;
  const metadata = writtenObject(answer)?.metadata;
  if (metadata?.uid === write.uid && metadata.deletionTimestamp === undefined) return answer;
  return { ok: false, code: 404, status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `${write.kind} "${write.name}" with uid ${write.uid} is gone or going`, reason: 'NotFound', code: 404 } };
}

const writtenObject = (response: ApiResponse): ApiObject | undefined => (response.ok && 'object' in response ? response.object : undefined);

export function createRunner({ context, recorder, crash }: Parts): Runner {
  const { kernel } = context;

  const guardAgainstLoops = (running: Running, key: string, lastWhy: () => string): void => {
    const { loops } = running;
    if (loops.at !== kernel.now) { loops.at = kernel.now; loops.counts.clear(); }
    const count = (loops.counts.get(key) ?? 0) + 1;
    loops.counts.set(key, count);
    if (count > context.sameInstantLimit) {
      throw new LimitTripped('sameInstant', `${running.controller.name} reconciled ${key} ${count} times at t=${(kernel.now - kernel.startAt) / 1000} s; last why: ${lastWhy()}`);
    }
  };

  /** Whether everything the key created or deleted has come back through the watches. */
  const seesOwnWrites = (process: Process, running: Running, key: string): boolean => {
    const own = running.ownWrites.get(key);
    if (own === undefined) return true;
    for (const [kind, revision] of own) {
      if ((process.streams.get(kind)?.seenRevision ?? Infinity) >= revision) own.delete(kind);
    }
    if (own.size > 0) return false;
    running.ownWrites.delete(key);
    return true;
  };

  const inputOf = (process: Process, running: Running, key: string) => ({
    key,
    now: kernel.now + process.skewMs,
    names: context.names, gates: context.gates, cache: process.cache,
    memory: running.memory.get(key), state: running.state,
    seesOwnWrites: seesOwnWrites(process, running, key),
    failures: running.queue.failures(key), random: running.random, process: process.spec.name,
    pulse: (namespace: string, name: string) => context.hearts.pulse(`${namespace}/${name}`),
  });

  const decide = (process: Process, running: Running, key: string): Outcome => {
    const { controller } = running;
    const input = inputOf(process, running, key);
    const self = controller.reconciles === undefined ? undefined : process.cache.byKey(controller.reconciles, key);
    // A controller without a kind of its own is asked with no object, as its contract says.
    if (self !== undefined || controller.reconciles === undefined) return controller.reconcile({ ...input, self: self as ApiObject });
    running.memory.delete(key);
    return controller.reconcileAbsent?.(input) ?? { why: 'it is gone', writes: [] };
  };

  const lastWhy = new WeakMap<Running, Map<string, string>>();

  const adopt = (process: Process, running: Running, key: string, outcome: Outcome, causes: readonly number[]): void => {
    const skew = process.skewMs;
    const wake = outcome.wakeAt === undefined ? undefined : outcome.wakeAt - skew;
    const entry = context.observe({
      type: 'reconcile', causes, process: process.spec.name, controller: running.controller.name, key, why: outcome.why, writes: outcome.writes.length, failures: running.queue.failures(key),
      ...(wake === undefined ? {} : { wakeAt: wake }),
    });
    if (outcome.memory === null) running.memory.delete(key);
    else if (outcome.memory !== undefined) running.memory.set(key, outcome.memory);
    running.queue.wakeAt(key, wake, [entry], outcome.background === true);
    for (const wanted of outcome.enqueue ?? []) {
      if (typeof wanted === 'string') running.queue.add(wanted, [entry]);
      else running.queue.addAt(wanted.key, kernel.now + wanted.afterMs, [entry]);
    }
    running.inFlight.set(key, { outcome, entry, index: 0 });
    proceed(process, running, key, 0);
  };

  /** Plans write `index`, or concludes. Events need no answer and are recorded on the way. */
  const proceed = (process: Process, running: Running, key: string, index: number): void => {
    const flight = running.inFlight.get(key);
    if (flight === undefined) return;
    let next = index;
    for (let write = flight.outcome.writes[next]; write?.op === 'event'; write = flight.outcome.writes[next]) {
      recorder.record(process, running, write.event, write.event.message, flight.entry);
      next++;
    }
    flight.index = next;
    if (next >= flight.outcome.writes.length) { conclude(process, running, key, flight); return; }
    const delay = drawDelay(context.latency.api, context.random, `latency/${process.spec.name}`);
    kernel.schedule(kernel.now + delay, { type: 'apply', process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name, key, index: next }, [flight.entry]);
  };

  /** Lets a lease beat in closed form instead of waking its key for every renewal, if that makes no difference to anybody. */
  const beat = (process: Process, running: Running, key: string, { outcome, entry }: InFlight): void => {
    const { heartbeat, wakeAt } = outcome;
    const { api } = context.latency;
    if (heartbeat === undefined || wakeAt === undefined || typeof api !== 'number' || process.skewMs !== 0) return;
    const { everyMs, until = Infinity } = heartbeat;
    const started = context.hearts.start({ process: process.spec.name, controller: running.controller.name, key, lease: `${heartbeat.lease.namespace}/${heartbeat.lease.name}`, everyMs, nextDecisionAt: wakeAt, delayMs: api, until });
    if (started) running.queue.wakeAt(key, until === Infinity ? undefined : wakeAt + Math.ceil((until - wakeAt) / everyMs) * everyMs, [entry], true);
  };

  const conclude = (process: Process, running: Running, key: string, flight: InFlight): void => {
    running.inFlight.delete(key);
    beat(process, running, key, flight);
    const { backoff = 'forget' } = flight.outcome;
    if (backoff === 'forget') running.queue.forget(key);
    else if (backoff === 'retry') retry(running, key, flight.entry);
    running.queue.done(key);
  };

  const retry = (running: Running, key: string, cause: number): void => running.queue.addAt(key, kernel.now + running.queue.fail(key), [cause], 'backoff');

  const say = (process: Process, running: Running, text: EventText | undefined, values: { name?: string; error?: string }, cause: number): void => {
    if (text === undefined) return;
    const message = text.message.replace('{name}', () => values.name ?? '').replace('{error}', () => values.error ?? '');
    recorder.record(process, running, text, message, cause);
  };

  const remember = (process: Process, running: Running, key: string, write: Write, object: ApiObject | undefined): void => {
    const kind = write.op === 'create' ? write.object.kind : write.op === 'delete' || (write.op === 'patch' && write.awaited === true) ? write.kind : undefined;
    if (kind === undefined || !process.streams.has(kind)) return;
    // A deletion answers with a Status or with the object as it was before it left: the store's revision is the deletion's.
    const revision = object === undefined || write.op === 'delete' ? context.store.revision : Number(object.metadata.resourceVersion);
    let own = running.ownWrites.get(key);
    if (own === undefined) running.ownWrites.set(key, (own = new Map()));
    own.set(kind, Math.max(revision, own.get(kind) ?? 0));
  };

  const fail = (process: Process, running: Running, key: string, flight: InFlight, write: Write, response: Extract<ApiResponse, { ok: false }>): void => {
    if (write.op !== 'event') say(process, running, write.otherwise, { error: response.status.message ?? '' }, flight.entry);
    const { controller } = running;
    running.inFlight.delete(key);
    const dropped = flight.outcome.writes.slice(flight.index + 1);
    const self = controller.reconciles === undefined ? undefined : process.cache.byKey(controller.reconciles, key);
    const rescue = controller.recover?.({ ...inputOf(process, running, key), self }, { write, status: response.status, dropped });
    if (rescue !== undefined) { adopt(process, running, key, rescue, [flight.entry]); return; }
    retry(running, key, flight.entry);
    running.queue.done(key);
  };

  const resume = (process: Process, running: Running, key: string, flight: InFlight, answer: Answer): void => {
    const { controller } = running;
    running.inFlight.delete(key);
    const self = controller.reconciles === undefined ? undefined : process.cache.byKey(controller.reconciles, key);
    const next = controller.resume?.({ ...inputOf(process, running, key), self }, answer);
    if (next !== undefined) adopt(process, running, key, next, [flight.entry]);
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
      running.queue.begin(key);
      context.hearts.stop(process.spec.name, running.controller.name, key);
      let whys = lastWhy.get(running);
      if (whys === undefined) lastWhy.set(running, (whys = new Map()));
      guardAgainstLoops(running, key, () => whys.get(key) ?? 'unknown');
      const outcome = decide(process, running, key);
      if ((running.loops.counts.get(key) ?? 0) + 1 >= context.sameInstantLimit) whys.set(key, outcome.why);
      adopt(process, running, key, outcome, pending.causes);
    },
    apply(process, running, key, index) {
      const flight = running.inFlight.get(key);
      const write = flight?.outcome.writes[index];
      if (flight === undefined || flight.index !== index || write === undefined || write.op === 'event') return;
      const request = requestOf(write, { name: process.spec.name, groups: [] });
      const verdict = verdictOn(process, request);
      if (verdict?.delayMs !== undefined && verdict.delayMs > 0) {
        kernel.schedule(kernel.now + verdict.delayMs, { type: 'apply', process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name, key, index }, [flight.entry]);
        return;
      }
      if (verdict?.crash === 'before') { crash(process, [flight.entry]); return; }
      const actor = { actor: process.spec.name, controller: running.controller.name, key, request: phraseOf(request), causes: [flight.entry] };
      const answer: ApiResponse = verdict?.fail === undefined ? context.call(actor, request) : { ok: false, code: verdict.fail.code ?? 500, status: verdict.fail };
      if (verdict?.crash === 'after') { crash(process, [flight.entry]); return; }
      const response: ApiResponse = verdict?.loseResponse === true ? { ok: false, code: 504, status: TIMEOUT } : asChecked(write, answer);
      if (!response.ok && write.tolerate?.includes(response.status.reason ?? '') !== true) { fail(process, running, key, flight, write, response); return; }
      const object = writtenObject(response);
      if (response.ok) {
        remember(process, running, key, write, object);
        say(process, running, write.then, { name: object?.metadata.name ?? ('name' in write ? write.name : '') }, flight.entry);
      }
      if (write.resume === true && running.controller.resume !== undefined) { resume(process, running, key, flight, { write, object }); return; }
      proceed(process, running, key, index + 1);
    },
  };
}
