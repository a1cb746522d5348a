/** Which program each process is an instance of: what upstream's would call itself to the server, and so the manager of what it writes. */
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Names } from '../../apiserver/vocabulary/index.ts';

/** The envelope of a process's request, with the name of its program where it does not give one. */
export function underItsProgram(envelope: Envelope, names: Names): Envelope {
  const { request, by } = envelope;
  return request.userAgent === undefined ? { ...envelope, request: { ...request, userAgent: programOf(by.process, names) } } : envelope;
}

/** `agent/node-0` runs `kubelet`; of several that stand for election each runs the same; a driver is its own. */
function programOf(process: string, { agentName, controllerManagerName, schedulerName }: Names): string {
  if (process.startsWith('agent/')) return agentName;
  if (/^controller-manager(?:-\d+)?$/.test(process)) return controllerManagerName;
  if (/^scheduler(?:-\d+)?$/.test(process)) return schedulerName;
  return process.split('/').at(-1) ?? process;
}
