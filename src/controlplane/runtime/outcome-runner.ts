/**
 * Executes outcomes: writes are made one after the other, one kernel event each, in order. After the first failure the rest are dropped and
 * the key is requeued with back-off, unless the controller says how to recover.
 */
import { failure, type ApiResponse, type Envelope } from '../../apiserver/request/index.ts';
import { keyOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import { decide, guardAgainstLoops, inputOf, release, remember } from './decision.ts';
import { enqueue } from './delivery.ts';
import { isLiveRead, type EventText, type Outcome, type Write } from './outcome.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process, Running } from './process.ts';
import { LEASE } from './renewal-elision.ts';
import { authenticationFailure, drawDelay, oneWayLatency, requestOf, throttledFor, verdictOn, type RequestWrite } from './requests.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { InFlight, KeyState } from './work-queue.ts';

/** The execution of one outcome of one key. */
interface OutcomeRunner {
  readonly runtimeState: RuntimeState;
  readonly running: Running;
  readonly state: KeyState;
}

/** Calls a controller for a decision about a key, and starts to execute the outcome. */
export function reconcile(runtimeState: RuntimeState, running: Running, keyId: number, causes: readonly number[]): void {
  const { context, lastWhys } = runtimeState;
  const state = running.queue.begin(keyId);
  if (state === undefined) return;
  const { elided } = state;
  if (elided !== undefined) {
    const { renewalElision } = context;
    const isActive = renewalElision.has(elided);
    const arrivesAt = isActive ? renewalElision.onItsWay(elided) : undefined;
    if (arrivesAt !== undefined) {
      // A renewal that is in flight is completed first.
      running.queue.done(state);
      running.queue.addAt(running.queue.open(state.key), arrivesAt, [...causes]);
      return;
    }
    state.elided = undefined;
    if (isActive) renewalElision.stop(elided);
  }
  guardAgainstLoops(runtimeState, running, state);
  const outcome = decide(runtimeState, running, state);
  const late = state.decidedAt === undefined ? 0 : context.kernel.now - state.decidedAt;
  state.decidedAt = undefined;
  if (state.loops + 1 >= context.sameInstantLimit) lastWhys.set(state, outcome.why);
  adopt({ runtimeState, running, state }, outcome, causes, late);
}

/** Makes write `index` of the key's outcome in flight. */
export function apply(
  runtimeState: RuntimeState,
  running: Running,
  { keyId, index, late }: Extract<ClusterEvent, { type: 'apply' }>,
): void {
  const state = running.queue.at(keyId);
  const inFlight = state?.flight;
  const write = inFlight?.outcome.writes[index];
  if (state === undefined || inFlight === undefined || inFlight.index !== index || write === undefined || write.op === 'event') return;
  const runner: OutcomeRunner = { runtimeState, running, state };
  const { process } = running;
  const { context } = runtimeState;
  const envelope = envelopeOf(process, write, inFlight);
  const verdict = authenticationFailure(context, process, envelope) ?? verdictOn(runtimeState, envelope, late === true);
  if (verdict?.delayMs !== undefined && verdict.delayMs > 0) {
    plan(runner, inFlight, verdict.delayMs, runtimeState.points !== undefined);
    return;
  }
  if (verdict?.crash === 'before') {
    runtimeState.crash(process, [inFlight.entry]);
    return;
  }
  const answer: ApiResponse =
    verdict?.fail === undefined ? context.call(envelope) : { ok: false, code: verdict.fail.code ?? 500, status: verdict.fail };
  if (verdict?.crash === 'after') {
    runtimeState.crash(process, [inFlight.entry]);
    return;
  }
  take(runner, inFlight, write, verdict?.loseResponse === true ? LOST : asChecked(write, answer));
}

/** `late`: how long ago the decision was made, milliseconds. */
function adopt(runner: OutcomeRunner, outcome: Outcome, causes: readonly number[], late = 0): void {
  const { runtimeState, running, state } = runner;
  const { process, controller, queue } = running;
  const wake = outcome.wakeAt === undefined ? undefined : outcome.wakeAt - process.skewMs;
  const entry = runtimeState.context.observers.reconciled(
    process.spec.name,
    controller.name,
    state.key,
    outcome,
    wake,
    state.failures,
    causes,
  );
  if (outcome.memory === null) state.memory = undefined;
  else if (outcome.memory !== undefined) state.memory = outcome.memory;
  if (outcome.actions !== undefined) for (const action of outcome.actions) controller.act?.(action, running.observing);
  queue.wakeAt(state, wake, entry, outcome.background === true);
  if (outcome.recurs !== undefined && state.wake !== undefined)
    runtimeState.recurrences.note(state.wake, {
      process: process.spec.name,
      controller: controller.name,
      kind: controller.reconciles,
      key: state.key,
      ...outcome.recurs,
    });
  enqueue(runtimeState, running, outcome.enqueue, entry);
  if (outcome.writes.length === 0) {
    conclude(runner, outcome, entry);
    return;
  }
  const by = { process: process.spec.name, incarnation: process.incarnation, controller: controller.name, key: state.key };
  state.flight = { outcome, by, entry, causes: [entry], index: 0, sent: false };
  proceed(runner, state.flight, 0, late);
}

/** Plans write `index`, or concludes. Events need no response and are recorded at once. */
function proceed(runner: OutcomeRunner, inFlight: InFlight, index: number, late = 0): void {
  const { runtimeState, running } = runner;
  const { context, recorder } = runtimeState;
  const { writes } = inFlight.outcome;
  let next = index;
  for (let each = writes[next]; each?.op === 'event'; each = writes[next]) {
    recorder.record(running, each.event, each.event.message, inFlight.entry);
    next++;
  }
  inFlight.index = next;
  const write = writes[next];
  if (write === undefined) {
    conclude(runner, inFlight.outcome, inFlight.entry);
    return;
  }
  const { spec } = running.process;
  const api = spec.apiLatency ?? context.latency.api;
  const roundTripMs = typeof api === 'number' ? api : drawDelay(api, context.random, `latency/${spec.name}`);
  // A write reaches the server after half of its round trip; the next one is sent when the response is back. A response that the controller
  // decides on takes effect when it is back.
  const heldMs = throttledFor(running, context.kernel.now);
  plan(runner, inFlight, heldMs + Math.max(0, (inFlight.sent || isLiveRead(write) ? roundTripMs : oneWayLatency(roundTripMs)) - late));
  inFlight.sent = true;
}

function plan({ runtimeState, running, state }: OutcomeRunner, { index, causes }: InFlight, delayMs: number, late = false): void {
  const { kernel } = runtimeState.context;
  const event = { type: 'apply', running: running.number, keyId: state.keyId, index } as const;
  kernel.schedule(kernel.now + delayMs, late ? { late, ...event } : event, causes);
}

/** Handles a response: continues with the next write, resumes the decision, or gives up. */
function take(runner: OutcomeRunner, inFlight: InFlight, write: RequestWrite, response: ApiResponse): void {
  const { runtimeState, running, state } = runner;
  if (!response.ok && write.tolerate?.includes(response.status.reason ?? '') !== true) {
    fail(runner, inFlight, write, response);
    return;
  }
  const object = writtenObject(response);
  if (response.ok) {
    remember(runtimeState.context.store, running.process, state, write, object);
    const name = object?.metadata.name ?? ('name' in write ? write.name : '');
    if (write.then !== undefined) say(runner, write.then, { name }, inFlight.entry);
  }
  const { controller } = running;
  if (write.resume !== true || controller.resume === undefined) {
    proceed(runner, inFlight, inFlight.index + 1);
    return;
  }
  const answer = { write, object, ...(response.ok && 'list' in response ? { objects: response.list.items } : {}) };
  state.flight = undefined;
  adopt(runner, controller.resume(inputOf(runtimeState, running, state), answer), [inFlight.entry]);
}

function fail(runner: OutcomeRunner, inFlight: InFlight, write: RequestWrite, { status }: Extract<ApiResponse, { ok: false }>): void {
  const { runtimeState, running, state } = runner;
  say(runner, write.otherwise, { error: status.message ?? '' }, inFlight.entry);
  state.flight = undefined;
  const dropped = inFlight.outcome.writes.slice(inFlight.index + 1);
  const rescue = running.controller.recover?.(inputOf(runtimeState, running, state), { write, status, dropped });
  if (rescue !== undefined) {
    adopt(runner, rescue, [inFlight.entry]);
    return;
  }
  retry(runner, inFlight.entry);
  running.queue.done(state);
}

function conclude(runner: OutcomeRunner, outcome: Outcome, entry: number): void {
  const { runtimeState, running, state } = runner;
  state.flight = undefined;
  renewal(runner, outcome, entry);
  const { backoff = 'forget', process: turn } = outcome;
  if (backoff === 'forget') state.failures = 0;
  else if (backoff === 'retry') retry(runner, entry);
  running.queue.done(state);
  release(running, state);
  if (turn !== undefined) runtimeState.turn(running.process, turn, [entry]);
}

function retry({ runtimeState, running: { queue }, state }: OutcomeRunner, cause: number): void {
  queue.addAt(state, runtimeState.context.kernel.now + queue.fail(state), [cause], 'backoff');
}

const MOMENT_MS = 50;

/** Elides the renewals of a lease instead of waking its key for each, where no observer can notice the difference. */
function renewal({ runtimeState, running, state }: OutcomeRunner, { heartbeat, wakeAt }: Outcome, entry: number): void {
  const { context } = runtimeState;
  const { spec, skewMs } = running.process;
  const api = spec.apiLatency ?? context.latency.api;
  const { watch } = context.latency;
  // Latencies drawn for each message, and skewed clocks, need real renewals: without them later draws would differ.
  if (heartbeat === undefined || wakeAt === undefined || typeof api !== 'number' || skewMs !== 0) return;
  const { lease, everyMs, until = Infinity, seenWithinMs = Infinity, delayMs = oneWayLatency(api) } = heartbeat;
  // A change of the lease while a renewal is in flight is reported as if it came before, so that time must be short.
  if (delayMs > MOMENT_MS) return;
  // Each renewal is observed before the next is decided, so no renewal is based on an outdated lease.
  if (typeof watch !== 'number' || Math.max(api, delayMs) + watch >= everyMs) return;
  // A health check that has just listed must still observe the next renewal in time.
  if (everyMs + watch >= seenWithinMs) return;
  // Every stream is up to date: otherwise renewals would arrive behind delayed changes.
  if (!keepsUp(runtimeState, lease, wakeAt + delayMs + watch)) return;
  const elided = context.renewalElision.start({
    process: spec.name,
    controller: running.controller.name,
    key: state.key,
    lease: `${lease.namespace}/${lease.name}`,
    everyMs,
    nextDecisionAt: wakeAt,
    delayMs,
    until,
  });
  const nextAt = until === Infinity ? undefined : wakeAt + Math.ceil((until - wakeAt) / everyMs) * everyMs;
  if (elided === undefined) return;
  state.elided = elided;
  running.queue.wakeAt(state, nextAt, entry, true);
}

/** Whether a change of a lease made now would reach every follower by an instant. */
function keepsUp(
  { context: { store }, streams }: RuntimeState,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  by: number,
): boolean {
  const lease = store.get(LEASE, `${namespace}/${name}`);
  return lease !== undefined && streams.following(LEASE, lease).streams.every(({ lastAt }) => lastAt <= by);
}

function say(
  { runtimeState, running }: OutcomeRunner,
  text: EventText | undefined,
  values: { readonly name?: string; readonly error?: string },
  cause: number,
): void {
  if (text === undefined) return;
  runtimeState.recorder.record(running, text, filled(filled(text.message, '{name}', values.name), '{error}', values.error), cause);
}

/** A message with its placeholder replaced. */
function filled(message: string, blank: string, value = ''): string {
  const at = message.indexOf(blank);
  return at < 0 ? message : message.slice(0, at) + value + message.slice(at + blank.length);
}

/** The envelope of a write. For an update it includes the object that its author worked from: the one in its cache. */
function envelopeOf(process: Process, write: RequestWrite, { by, causes }: InFlight): Envelope {
  const request = requestOf(write, process.user);
  const base =
    write.op === 'update' && process.streams.has(write.object.kind)
      ? process.cache.byKey(write.object.kind, keyOf(write.object))
      : undefined;
  return base === undefined ? { request, by, causes } : { request, by, causes, base };
}

const writtenObject = (response: ApiResponse): ApiObject | undefined => (response.ok && 'object' in response ? response.object : undefined);

const refused = (code: number, reason: string, message: string): Extract<ApiResponse, { ok: false }> => ({
  ok: false,
  code,
  status: failure({ code, reason, message }).status,
});

const LOST = refused(504, 'Timeout', 'the request timed out');

/** For a check, an object with another uid, or one that is being deleted, counts as not found. */
function asChecked(write: Write, answer: ApiResponse): ApiResponse {
  if (write.op !== 'check' || !answer.ok) return answer;
  const metadata = writtenObject(answer)?.metadata;
  if (metadata?.uid === write.uid && metadata.deletionTimestamp === undefined) return answer;
  return refused(404, 'NotFound', `${write.kind} "${write.name}" with uid ${write.uid} is gone or going`);
}
