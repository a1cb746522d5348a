/** Each host port of a node can be used once per address. Models: v1.24 plugins/nodeports, framework HostPortInfo. */
import { on } from '../cluster-events.ts';
import type { NodeInfo } from '../node-info.ts';
import { unschedulable, type Plugin } from '../plugin.ts';
import type { HostPort } from '../../../shared/index.ts';

const TAKEN = unschedulable("node(s) didn't have free ports for the requested pod ports");
const EVERYWHERE = '0.0.0.0';

function isTaken({ ports }: NodeInfo, { ip, protocol, port }: HostPort): boolean {
  const addresses = ports.get(`${protocol}/${port}`);
  return addresses !== undefined && (ip === EVERYWHERE || addresses.has(EVERYWHERE) || addresses.has(ip));
}

/** Whether a pod's host ports are free on a node. */
const hasFreePorts = (node: NodeInfo, wanted: readonly HostPort[]): boolean => !wanted.some((port) => isTaken(node, port));

export const nodePorts: Plugin = {
  name: 'NodePorts',
  local: true,
  events: { Pod: on('delete'), Node: on('add') },
  filterFor: ({ spec: { hostPorts } }) =>
    hostPorts.length === 0 ? undefined : { filter: { check: (node) => (hasFreePorts(node, hostPorts) ? undefined : TAKEN) } },
};
