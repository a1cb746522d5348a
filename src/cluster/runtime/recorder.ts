/** Writes the events that controllers record: asynchronously, one kernel event each, failures forgotten. Models: client-go tools/record and tools/events. */
import type { ObjectInput } from '../api/object.ts';
import { formatMicroTime, formatTime } from '../values/index.ts';
import type { RuntimeContext } from './context.ts';
import { drawDelay, wayThere } from './context.ts';
import type { EventText } from './contract.ts';
import type { Verdict } from './event-correlator.ts';
import type { Process, Running } from './process.ts';
import type { ApiRequest } from '../server/request.ts';

/** An event on its way, plain data. */
export interface Ticket { readonly controller: string; readonly event: EventText; readonly message: string; readonly at: number; readonly verdict: Exclude<Verdict, { kind: 'drop' }>; readonly count: number }

export interface Recorder {
  record(process: Process, running: Running, event: EventText, message: string, cause: number): void;
  /** Writes the event of a ticket. */
  emit(process: Process, ticket: number, cause: readonly number[]): void;
}

const referenceTo = (about: EventText['about']) => ({
  kind: about.kind,
  ...(about.metadata.namespace === undefined ? {} : { namespace: about.metadata.namespace }),
  name: about.metadata.name,
  ...(about.metadata.uid === undefined ? {} : { uid: about.metadata.uid }),
  apiVersion: about.apiVersion,
  ...(about.metadata.resourceVersion === undefined ? {} : { resourceVersion: about.metadata.resourceVersion }),
});

export function createRecorder(context: RuntimeContext): Recorder {
  const tickets = new Map<number, Ticket>();
  let lastTicket = 0;
  let unique = 0;

  const nameOf = (event: EventText): string => `${event.about.metadata.name}.${(BigInt(context.kernel.now) * 1_000_000n + BigInt(unique++ % 1_000_000)).toString(16)}`;

  const objectOf = (running: Running, process: Process, { event, message, at, verdict, count }: Ticket): ObjectInput => {
    const component = running.controller.component ?? running.controller.name;
    const metadata = { name: verdict.sighting.name, namespace: event.about.metadata.namespace ?? 'default' };
    const core = running.controller.recorder !== 'events';
    return {
      apiVersion: 'v1', kind: 'Event', metadata, involvedObject: referenceTo(event.about), reason: event.reason, message,
      source: core ? { component } : {},
      firstTimestamp: core ? formatTime(verdict.sighting.firstAt) : null,
      lastTimestamp: core ? formatTime(at) : null,
      ...(core ? { count } : {}),
      type: event.type,
      eventTime: core ? null : formatMicroTime(at),
      ...(core || event.action === undefined ? {} : { action: event.action }),
      reportingComponent: core ? '' : component,
      reportingInstance: core ? '' : `${component}-${process.spec.name}`,
    };
  };

  return {
    record(process, running, event, message, cause) {
      const verdict = running.correlator.observe(event, message, context.kernel.now, () => nameOf(event));
      if (verdict.kind === 'drop') return;
      const ticket = ++lastTicket;
      tickets.set(ticket, { controller: running.controller.name, event, message: verdict.message, at: context.kernel.now, verdict, count: verdict.sighting.count });
      const delay = wayThere(drawDelay(process.spec.apiLatency ?? context.latency.api, context.random, `latency/${process.spec.name}`));
      context.kernel.schedule(context.kernel.now + delay, { type: 'emit', process: process.spec.name, incarnation: process.incarnation, ticket }, [cause]);
    },
    emit(process, id, causes) {
      const ticket = tickets.get(id);
      tickets.delete(id);
      const running = ticket === undefined ? undefined : process.running.get(ticket.controller);
      if (ticket === undefined || running === undefined) return;
      const body = objectOf(running, process, ticket);
      const { name, namespace } = body.metadata;
      const { user } = process;
      const ask = (request: ApiRequest) => context.call({ actor: process.spec.name, controller: ticket.controller, request, causes }, request);
      const create: ApiRequest = { verb: 'create', kind: 'Event', namespace: namespace ?? 'default', user, body };
      if (ticket.verdict.kind === 'create') { ask(create); return; }
      const patch = { count: ticket.count, lastTimestamp: body['lastTimestamp'], message: ticket.message };
      const counted = ask({ verb: 'patch', kind: 'Event', namespace: namespace ?? 'default', name: name ?? '', user, patchType: 'strategic', body: patch });
      if (!counted.ok && counted.status.reason === 'NotFound') ask(create);
    },
  };
}
