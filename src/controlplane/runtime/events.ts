/**
 * The events that controllers record: they are written asynchronously, one kernel event each, failures are ignored, and the server deletes
 * them after an hour. Models: client-go tools/record and tools/events; upstream's --event-ttl, a lease per key in etcd.
 */
import type { Kernel } from '../../engine/index.ts';
import type { ObjectInput, ObjectReference } from '../../apiserver/machinery/index.ts';
import { formatMicroTime, formatTime } from '../../schema/values/index.ts';
import type { RuntimeContext } from './context.ts';
import { Correlator } from './event-correlator.ts';
import type { EventText } from './outcome.ts';
import type { ClusterEvent, Ticket } from './pending.ts';
import type { Running } from './process.ts';
import { authenticationFailure, drawDelay, oneWayLatency } from './requests.ts';
import type { ApiRequest, Envelope } from '../../apiserver/request/index.ts';

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
function untimed(component: string, instance: string, ticket: Ticket): ObjectInput {
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
    reportingInstance: instance,
  };
  if (event.action !== undefined) return object;
  const { action: _, ...rest } = object;
  return rest;
}

/** Whether no text is empty: the server omits empty ones. */
function hasAllTexts({ event: { about, type, reason, fieldPath, action }, verdict: { message } }: Ticket): boolean {
  const { kind, apiVersion, metadata } = about;
  const { name, namespace, uid, resourceVersion } = metadata;
  // A list would be allocated for each event.
  const isEmpty = message === '' || type.length === 0 || reason === '' || fieldPath === '' || action === '';
  return !(isEmpty || kind === '' || apiVersion === '' || name === '' || namespace === '' || uid === '' || resourceVersion === '');
}

/** Records the events of all processes. */
export class Recorder {
  private readonly context: RuntimeContext;
  /** Names of reporting instances, by process. */
  private readonly instances = new Map<string, string>();
  private unique = 0;
  /** One function for all events, because each would be allocated. */
  private readonly nameNew = (event: EventText): string =>
    `${event.about.metadata.name}.${nanosText(this.context.kernel.now, this.unique++ % NANOS_PER_MS)}`;

  constructor(context: RuntimeContext) {
    this.context = context;
  }

  record(running: Running, event: EventText, message: string, cause: number): void {
    const { kernel, latency, random } = this.context;
    const { spec, eventLimiter } = running.process;
    const verdict = (running.correlator ??= new Correlator()).observe(event, message, kernel.now, this.nameNew);
    if (verdict.kind === 'drop') return;
    const ticket: Ticket = { event, at: kernel.now, verdict, count: verdict.sighting.count };
    const heldMs = eventLimiter?.take(kernel.now) ?? 0;
    const delay = heldMs + oneWayLatency(drawDelay(spec.apiLatency ?? latency.api, random, `latency/${spec.name}`));
    kernel.schedule(kernel.now + delay, { type: 'emit', running: running.number, ticket }, [cause]);
  }

  /** Writes the event of a ticket. */
  emit(running: Running, ticket: Ticket, causes: readonly number[]): void {
    const { context } = this;
    const { process } = running;
    const body = this.objectOf(running, ticket);
    const { name = '', namespace = 'default' } = body.metadata;
    const { user } = process;
    const by = { process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name };
    const create: ApiRequest = { verb: 'create', kind: 'Event', namespace, user, body };
    const envelope: Envelope = hasAllTexts(ticket) ? { request: create, by, causes, typed: true } : { request: create, by, causes };
    if (authenticationFailure(context, process, envelope) !== undefined) return;
    if (ticket.verdict.kind === 'create') {
      context.call(envelope);
      return;
    }
    const patch = { count: ticket.count, lastTimestamp: body['lastTimestamp'], message: ticket.verdict.message };
    const counting: ApiRequest = { verb: 'patch', kind: 'Event', namespace, name, user, patchType: 'strategic', body: patch };
    const counted = context.call({ request: counting, by, causes });
    if (!counted.ok && counted.status.reason === 'NotFound') context.call(envelope);
  }

  /**
   * The complete object, as Go sends it, so that the server need not add defaults. Object literals, because copies of parts cost three
   * kilobytes per pod.
   */
  private objectOf(running: Running, ticket: Ticket): ObjectInput {
    const { component: given = running.controller.name, recorder, host } = running.controller;
    const component = typeof given === 'string' ? given : given(this.context.names);
    const process = running.process.spec.name;
    if (recorder !== 'events') return counted(host === undefined ? { component } : { component, host: host(process) }, ticket);
    let instance = this.instances.get(process);
    if (instance === undefined) this.instances.set(process, (instance = `${component}-${process}`));
    return untimed(component, instance, ticket);
  }
}

/** Milliseconds. */
const EVENT_TTL_MS = 3_600_000;

interface Ending {
  readonly at: number;
  readonly key: string;
  readonly revision: number;
  readonly entry: number;
}

/**
 * Expiry of Event objects. All have the same time-to-live, so they expire in the order of their last writes, and one pending event is
 * enough for all.
 */
export class EventExpiry {
  private readonly kernel: Kernel<ClusterEvent>;
  private readonly end: (key: string, revision: number, causes: readonly number[]) => void;
  /** In order of their instants; those before `head` are over. */
  private endings: Ending[] = [];
  private head = 0;

  /** `end` deletes an Event, unless it was written after that revision. */
  constructor(kernel: Kernel<ClusterEvent>, end: EventExpiry['end']) {
    this.kernel = kernel;
    this.end = end;
  }

  /** An Event was written: it expires in an hour unless it is written again. */
  written(key: string, revision: number, entry: number): void {
    const isOnly = this.head === this.endings.length;
    this.endings.push({ at: this.kernel.now + EVENT_TTL_MS, key, revision, entry });
    if (isOnly) this.plan();
  }

  /** Handles the pending event: ends all that are due, and plans the next one. */
  run(): void {
    for (let next = this.endings[this.head]; next !== undefined && next.at <= this.kernel.now; next = this.endings[++this.head])
      this.end(next.key, next.revision, [next.entry]);
    if (this.head > 1024 && this.head * 2 > this.endings.length) {
      this.endings = this.endings.slice(this.head);
      this.head = 0;
    }
    this.plan();
  }

  private plan(): void {
    const next = this.endings[this.head];
    if (next !== undefined) this.kernel.schedule(next.at, { type: 'expire', key: next.key, revision: next.revision }, [next.entry], true);
  }
}
