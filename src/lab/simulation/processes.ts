/** What a scenario says of its cluster and the processes in it: what there is from the start, the agents' configuration, the scheduler's flags, who stands for election. */
import type { ClusterOptions } from '../../controlplane/cluster.ts';
import { parseAgentConfig } from '../../controlplane/config/index.ts';
import { electionOfFlags } from '../../controlplane/control-plane.ts';
import { POD_EVENTS } from '../../controlplane/agents/index.ts';
import type { ClusterSpec, Scenario, Step } from '../scenario/index.ts';

export const processOptions = ({ cluster, steps }: Pick<Scenario, 'cluster' | 'steps'>): ProcessOptions =>
  optionsOf(cluster, cluster.podEvents ?? steps.some(expectsPodEvents));

type ProcessOptions = Required<Pick<ClusterOptions, 'agents' | 'controlPlane' | 'furnished' | 'managedFields'>>;

/** Whether a step could only fail where node agents record no events. */
function expectsPodEvents(step: Step): boolean {
  const expectations = step.verb === 'expect' ? step.expectations : step.verb === 'waitFor' ? [step.expectation] : [];
  return expectations.some(
    (each) => each.expect === 'match' && each.match.kind === 'Event' && POD_EVENTS.has(String(each.match['reason'])),
  );
}

function optionsOf(
  { agent, scheduler, schedulers, controllerManagers, podBehaviors, storageDrivers, furnished = false, managedFields = false }: ClusterSpec,
  podEvents: boolean,
): ProcessOptions {
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
