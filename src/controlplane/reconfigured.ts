/** The specification of a process with another file or other flags. Agents and schedulers have them. */
import { agentOf, type AgentOptions, type AgentStart } from './agents/index.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { schedulerProcesses } from './control-plane.ts';
import type { ProcessSpec } from './runtime/index.ts';

interface Of {
  readonly options: ClusterOptions;
  readonly agentOptions: AgentOptions;
}

/**
 * The new specification; undefined: the process has neither a file nor flags. Values absent from `how` stay as they were when the cluster
 * was created.
 */
export function reconfigured({ options, agentOptions }: Of, process: string, { config, flags }: AgentStart): ProcessSpec | undefined {
  const node = process.startsWith('agent/') ? process.slice('agent/'.length) : undefined;
  if (node !== undefined) {
    const before = options.nodes?.find(({ name }) => name === node) ?? { name: node, capacity: {} };
    const after = { ...before, ...(config === undefined ? {} : { agent: config }), ...(flags === undefined ? {} : { agentFlags: flags }) };
    return agentOf(after, agentOptions, true);
  }
  const { schedulers = [{ name: 'scheduler', flags: [] }] } = options.controlPlane ?? {};
  const start = schedulers.find(({ name }) => process === name || process.replace(/-\d+$/, '') === name);
  if (start === undefined) return undefined;
  return schedulerProcesses(
    { ...start, flags: flags ?? start.flags, podBehaviors: agentOptions.podBehaviors },
    options.featureGates ?? {},
  ).find(({ name }) => name === process);
}
