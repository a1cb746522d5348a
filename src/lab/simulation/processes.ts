/** What a scenario says of its cluster and the processes in it: what there is from the start, the agents' configuration, the scheduler's flags, who stands for election. */
import type { ClusterOptions } from '../../controlplane/cluster.ts';
import { parseAgentConfig } from '../../controlplane/config/index.ts';
import { electionOfFlags } from '../../controlplane/control-plane.ts';
import type { ClusterSpec } from '../scenario/index.ts';

export function processOptions({
  agent,
  scheduler,
  schedulers,
  controllerManagers,
  podBehaviors,
  storageDrivers,
  furnished = false,
  podEvents = false,
  managedFields = false,
}: ClusterSpec): Required<Pick<ClusterOptions, 'agents' | 'controlPlane' | 'furnished' | 'managedFields'>> {
  const flags = electionOfFlags(scheduler);
  return {
    furnished,
    managedFields,
    agents: {
      podBehaviors,
      storageDrivers,
      podEvents,
      ...(agent === undefined
        ? {}
        : { nodeLeaseDurationSeconds: parseAgentConfig(agent, { fragment: true }).config.nodeLeaseDurationSeconds }),
    },
    controlPlane: {
      ...(schedulers === undefined && flags === undefined ? {} : { scheduler: { ...flags, candidates: schedulers ?? 1 } }),
      ...(controllerManagers === undefined ? {} : { controllerManager: { candidates: controllerManagers } }),
    },
  };
}
