/** The program of each process: the name that upstream's program sends to the server, and so the field manager of its writes. */
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Server } from '../../apiserver/handlers/index.ts';
import type { Names } from '../../apiserver/machinery/index.ts';

/** A server that sets the program of each request by its author, unless the request names one. */
export const withPrograms = (server: Server, names: Names): Server => ({
  ...server,
  handle: (envelope) => server.handle(underItsProgram(envelope, names)),
});

function underItsProgram(envelope: Envelope, names: Names): Envelope {
  const { request, by } = envelope;
  return request.userAgent === undefined ? { ...envelope, request: { ...request, userAgent: programOf(by.process, names) } } : envelope;
}

/**
 * `agent/node-0` runs `kubelet`; processes that stand for election run the same program. Drivers and outside clients have their own names.
 */
function programOf(process: string, { agentName, controllerManagerName, schedulerName }: Names): string {
  if (process.startsWith('agent/')) return agentName;
  if (/^controller-manager(?:-\d+)?$/.test(process)) return controllerManagerName;
  if (/^scheduler(?:-\d+)?$/.test(process)) return schedulerName;
  if (process === 'server') return controllerManagerName.replace('controller-manager', 'apiserver');
  return process.split('/').at(-1) ?? process;
}
