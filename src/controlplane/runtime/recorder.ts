/**
 * Writes the events that controllers record: asynchronously, one kernel event each; failures are ignored. Models: client-go tools/record
 * and tools/events.
 */
import type { ObjectInput, ObjectReference } from '../../apiserver/machinery/index.ts';
import { formatMicroTime, formatTime } from '../../schema/values/index.ts';
import type { RuntimeContext } from './context.ts';
import { authenticationFailure } from './authentication.ts';
import { drawDelay, oneWayLatency } from './rate.ts';
import type { EventText } from './writes.ts';
import type { Ticket } from './pending.ts';
import type { Running } from './process.ts';
import type { ApiRequest, Envelope } from '../../apiserver/request/index.ts';

export interface Recorder {
  record(running: Running, event: EventText, message: string, cause: number): void;
  /** Writes the event of a ticket. */
  emit(running: Running, ticket: Ticket, cause: readonly number[]): void;
}

/** The object that an event is about, with fields in published order, so that the server need not reorder them. */
function referenceTo({ about, fieldPath }: EventText): ObjectReference {
  const {
    kind,
    apiVersion,
    metadata: { namespace, name, uid, resourceVersion },
  } = about;
  const reference: { -readonly [K in keyof ObjectReference]: ObjectReference[K] } = { kind };
  if (namespace !== undefined) reference.namespace = namespace;
  reference.name = name;
  if (uid !== undefined) reference.uid = uid;
  if (apiVersion !== undefined) reference.apiVersion = apiVersion;
  if (resourceVersion !== undefined) reference.resourceVersion = resourceVersion;
  if (fieldPath !== undefined) reference.fieldPath = fieldPath;
  return reference;
}

const NANOS_PER_MS = 1_000_000;
const LOW = 0x10_0000;
const WORD = 0x1_0000_0000;

/**
 * Milliseconds since the epoch plus nanoseconds, as nanoseconds in hexadecimal. The result exceeds the precision of a number, so it is
 * computed in two halves.
 */
function nanosText(ms: number, nanos: number): string {
  const above = Math.floor(ms / LOW) * NANOS_PER_MS;
  const below = (above % (WORD / LOW)) * LOW + (ms % LOW) * NANOS_PER_MS + nanos;
  const high = Math.floor(above / (WORD / LOW)) + Math.floor(below / WORD);
  return high.toString(16) + (below % WORD).toString(16).padStart(8, '0');
}

const NO_SOURCE = Object.freeze({});

/** State shared by the events of all processes. */
interface State {
  readonly context: RuntimeContext;
  /** Names of reporting instances, by process. */
  readonly instances: Map<string, string>;
  unique: number;
  /** One function for all events, because each would be allocated. */
  readonly nameNew: (event: EventText) => string;
}

export function createRecorder(context: RuntimeContext): Recorder {
  const state: State = { context, instances: new Map(), unique: 0, nameNew: (event) => nameOf(state, event) };
  return {
    record: (running, event, message, cause) => record(state, running, event, message, cause),
    emit: (running, ticket, causes) => emit(state, running, ticket, causes),
  };
}

function instanceOf({ instances }: State, component: string, process: string): string {
  let instance = instances.get(process);
  if (instance === undefined) instances.set(process, (instance = `${component}-${process}`));
  return instance;
}

const nameOf = (state: State, event: EventText): string =>
  `${event.about.metadata.name}.${nanosText(state.context.kernel.now, state.unique++ % NANOS_PER_MS)}`;

/**
 * The complete object, as Go sends it, so that the server need not add defaults. Object literals, because copies of parts cost three
 * kilobytes per pod.
 */
function objectOf(state: State, running: Running, ticket: Ticket): ObjectInput {
  const { component: given = running.controller.name, recorder, host } = running.controller;
  const component = typeof given === 'string' ? given : given(state.context.names);
  if (recorder === 'events') return untimed(state, running, component, ticket);
  return counted(host === undefined ? { component } : { component, host: host(running.process.spec.name) }, ticket);
}

const metadataOf = ({ event: { about }, verdict: { sighting } }: Ticket) => ({
  name: sighting.name,
  namespace: about.metadata.namespace ?? 'default',
  creationTimestamp: null,
});

/** The form of client-go's older recorder (tools/record). */
function counted(source: { readonly component: string; readonly host?: string }, ticket: Ticket): ObjectInput {
  const { event, at, verdict, count } = ticket;
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: metadataOf(ticket),
    involvedObject: referenceTo(event),
    reason: event.reason,
    message: verdict.message,
    source,
    firstTimestamp: formatTime(verdict.sighting.firstAt),
    lastTimestamp: formatTime(at),
    count,
    type: event.type,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };
}

/** The form of the newer recorder (tools/events). */
function untimed(state: State, running: Running, component: string, ticket: Ticket): ObjectInput {
  const { event, at, verdict } = ticket;
  const object = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: metadataOf(ticket),
    involvedObject: referenceTo(event),
    reason: event.reason,
    message: verdict.message,
    source: NO_SOURCE,
    firstTimestamp: null,
    lastTimestamp: null,
    type: event.type,
    eventTime: formatMicroTime(at),
    action: event.action,
    reportingComponent: component,
    reportingInstance: instanceOf(state, component, running.process.spec.name),
  };
  if (event.action !== undefined) return object;
  const { action: _, ...rest } = object;
  return rest;
}

function record(state: State, running: Running, event: EventText, message: string, cause: number): void {
  const { kernel, latency, random } = state.context;
  const verdict = running.correlator.observe(event, message, kernel.now, state.nameNew);
  if (verdict.kind === 'drop') return;
  const { spec } = running.process;
  const ticket: Ticket = { event, at: kernel.now, verdict, count: verdict.sighting.count };
  const heldMs = running.process.eventLimiter?.take(kernel.now) ?? 0;
  const delay = heldMs + oneWayLatency(drawDelay(spec.apiLatency ?? latency.api, random, `latency/${spec.name}`));
  kernel.schedule(kernel.now + delay, { type: 'emit', running: running.number, ticket }, [cause]);
}

/** Whether no text is empty: the server omits empty ones. */
function hasAllTexts({ event: { about, type, reason, fieldPath, action }, verdict: { message } }: Ticket): boolean {
  const { name, namespace, uid, resourceVersion } = about.metadata;
  const isEmpty = message === '' || type.length === 0 || reason === '' || fieldPath === '' || action === '';
  return !(
    isEmpty ||
    about.kind === '' ||
    about.apiVersion === '' ||
    name === '' ||
    namespace === '' ||
    uid === '' ||
    resourceVersion === ''
  );
}

function emit(state: State, running: Running, ticket: Ticket, causes: readonly number[]): void {
  const { process } = running;
  const body = objectOf(state, running, ticket);
  const { name = '', namespace = 'default' } = body.metadata;
  const { user } = process;
  const by = { process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name };
  const create: ApiRequest = { verb: 'create', kind: 'Event', namespace, user, body };
  const envelope: Envelope = hasAllTexts(ticket) ? { request: create, by, causes, typed: true } : { request: create, by, causes };
  if (authenticationFailure(state.context, process, envelope) !== undefined) return;
  if (ticket.verdict.kind === 'create') {
    state.context.call(envelope);
    return;
  }
  const patch = { count: ticket.count, lastTimestamp: body['lastTimestamp'], message: ticket.verdict.message };
  const counting: ApiRequest = { verb: 'patch', kind: 'Event', namespace, name, user, patchType: 'strategic', body: patch };
  const counted = state.context.call({ request: counting, by, causes });
  if (!counted.ok && counted.status.reason === 'NotFound') state.context.call(envelope);
}
