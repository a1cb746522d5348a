/** Writes the events that controllers record: asynchronously, one kernel event each, failures forgotten. Models: client-go tools/record and tools/events. */
import type { ObjectInput, ObjectReference } from '../../apiserver/vocabulary/index.ts';
import { formatMicroTime, formatTime } from '../../grammar/values/index.ts';
import type { RuntimeContext } from './context.ts';
import { drawDelay, wayThere } from './delay.ts';
import type { EventText } from './writes.ts';
import type { Ticket } from './pending.ts';
import type { Process, Running } from './process.ts';
import type { ApiRequest } from '../../apiserver/request/index.ts';

export interface Recorder {
  record(running: Running, event: EventText, message: string, cause: number): void;
  /** Writes the event of a ticket. */
  emit(running: Running, ticket: Ticket, cause: readonly number[]): void;
}

/** What an event is about, in published order, which the server need not put right. */
function referenceTo({ kind, apiVersion, metadata: { namespace, name, uid, resourceVersion } }: EventText['about']): ObjectReference {
  const reference: { -readonly [K in keyof ObjectReference]: ObjectReference[K] } = { kind };
  if (namespace !== undefined) reference.namespace = namespace;
  reference.name = name;
  if (uid !== undefined) reference.uid = uid;
  if (apiVersion !== undefined) reference.apiVersion = apiVersion;
  if (resourceVersion !== undefined) reference.resourceVersion = resourceVersion;
  return reference;
}

const NANOS_PER_MS = 1_000_000;
const LOW = 0x10_0000;
const WORD = 0x1_0000_0000;

/** Milliseconds since the epoch and some nanoseconds, as nanoseconds in hexadecimal: more digits than a number holds, so in two halves. */
function nanosText(ms: number, nanos: number): string {
  const above = Math.floor(ms / LOW) * NANOS_PER_MS;
  const below = (above % (WORD / LOW)) * LOW + (ms % LOW) * NANOS_PER_MS + nanos;
  const high = Math.floor(above / (WORD / LOW)) + Math.floor(below / WORD);
  return high.toString(16) + (below % WORD).toString(16).padStart(8, '0');
}

const NO_SOURCE = Object.freeze({});

export function createRecorder(context: RuntimeContext): Recorder {
  let unique = 0;
  const instances = new Map<string, string>();
  const instanceOf = (component: string, process: string): string => {
    let instance = instances.get(process);
    if (instance === undefined) instances.set(process, (instance = `${component}-${process}`));
    return instance;
  };

  const nameOf = (event: EventText): string => `${event.about.metadata.name}.${nanosText(context.kernel.now, unique++ % NANOS_PER_MS)}`;

  const objectOf = (running: Running, process: Process, { event, at, verdict, count }: Ticket): ObjectInput => {
    const { about, reason, type, action } = event;
    const { message } = verdict;
    const component = running.controller.component ?? running.controller.name;
    // In full, as Go sends it: what needs nothing filled in is taken over as it is.
    const metadata = { name: verdict.sighting.name, namespace: about.metadata.namespace ?? 'default', creationTimestamp: null };
    const involvedObject = referenceTo(about);
    if (running.controller.recorder !== 'events') {
      return {
        kind: 'Event',
        apiVersion: 'v1',
        metadata,
        involvedObject,
        reason,
        message,
        source: { component },
        firstTimestamp: formatTime(verdict.sighting.firstAt),
        lastTimestamp: formatTime(at),
        count,
        type,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      };
    }
    const eventTime = formatMicroTime(at);
    const reportingInstance = instanceOf(component, process.spec.name);
    return action === undefined
      ? {
          kind: 'Event',
          apiVersion: 'v1',
          metadata,
          involvedObject,
          reason,
          message,
          source: NO_SOURCE,
          firstTimestamp: null,
          lastTimestamp: null,
          type,
          eventTime,
          reportingComponent: component,
          reportingInstance,
        }
      : {
          kind: 'Event',
          apiVersion: 'v1',
          metadata,
          involvedObject,
          reason,
          message,
          source: NO_SOURCE,
          firstTimestamp: null,
          lastTimestamp: null,
          type,
          eventTime,
          action,
          reportingComponent: component,
          reportingInstance,
        };
  };

  return {
    record(running, event, message, cause) {
      const verdict = running.correlator.observe(event, message, context.kernel.now, () => nameOf(event));
      if (verdict.kind === 'drop') return;
      const { process } = running;
      const ticket: Ticket = { event, at: context.kernel.now, verdict, count: verdict.sighting.count };
      const delay = wayThere(drawDelay(process.spec.apiLatency ?? context.latency.api, context.random, `latency/${process.spec.name}`));
      context.kernel.schedule(context.kernel.now + delay, { type: 'emit', running: running.number, ticket }, [cause]);
    },
    emit(running, ticket, causes) {
      const { process } = running;
      const body = objectOf(running, process, ticket);
      const { name, namespace } = body.metadata;
      const { user } = process;
      const by = { process: process.spec.name, incarnation: process.incarnation, controller: running.controller.name };
      const ask = (request: ApiRequest) => context.call({ request, by, causes });
      const create: ApiRequest = { verb: 'create', kind: 'Event', namespace: namespace ?? 'default', user, body };
      if (ticket.verdict.kind === 'create') {
        ask(create);
        return;
      }
      const patch = { count: ticket.count, lastTimestamp: body['lastTimestamp'], message: ticket.verdict.message };
      const counted = ask({
        verb: 'patch',
        kind: 'Event',
        namespace: namespace ?? 'default',
        name: name ?? '',
        user,
        patchType: 'strategic',
        body: patch,
      });
      if (!counted.ok && counted.status.reason === 'NotFound') ask(create);
    },
  };
}
