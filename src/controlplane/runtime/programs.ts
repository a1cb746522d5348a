/** Which program each process is an instance of: what upstream's would call itself to the server, and so the manager of what it writes. */
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Server } from '../../apiserver/verbs/index.ts';
import type { Names } from '../../apiserver/vocabulary/index.ts';

/** A server that takes every request for one of its author's program, where it does not say otherwise. */
export const knowingPrograms = (server: Server, names: Names): Server => ({
  ...server,
  handle: (envelope) => server.handle(underItsProgram(envelope, names)),
});

function underItsProgram(envelope: Envelope, names: Names): Envelope {
  const { request, by } = envelope;
  return request.userAgent === undefined ? { ...envelope, request: { ...request, userAgent: programOf(by.process, names) } } : envelope;
}

/**
 * `agent/node-0` runs `kubelet`; of several that stand for election each runs the same; drivers, and whoever asks from outside, are their
 * own.
 */
function programOf(process: string, { agentName, apiServerName, controllerManagerName, schedulerName }: Names): string {
  if (process.startsWith('agent/')) return agentName;
  if (/^controller-manager(?:-\d+)?$/.test(process)) return controllerManagerName;
  if (/^scheduler(?:-\d+)?$/.test(process)) return schedulerName;
  if (process === 'server' || process === 'api-server') return apiServerName;
  return process.split('/').at(-1) ?? process;
}
