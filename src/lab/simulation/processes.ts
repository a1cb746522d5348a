/** The processes of a scenario's cluster: which there are, the agents' configuration, the scheduler's flags, leader election. */
import type { ClusterOptions } from '../../controlplane/cluster.ts';
import type { SchedulerStart } from '../../controlplane/control-plane.ts';
import { POD_EVENTS } from '../../controlplane/agents/index.ts';
import type { ClusterSpec, Scenario, Step } from '../scenario/index.ts';

export const processOptions = ({ cluster, steps }: Pick<Scenario, 'cluster' | 'steps'>): ProcessOptions =>
  optionsOf(cluster, cluster.podEvents ?? (cluster.images !== undefined || steps.some(expectsPodEvents)));

type ProcessOptions = Required<Pick<ClusterOptions, 'agents' | 'controlPlane' | 'bootstrap' | 'managedFields'>> &
  Pick<ClusterOptions, 'timeZone' | 'metrics'>;

/** Whether a step depends on Events that node agents record. */
function expectsPodEvents(step: Step): boolean {
  const expectations = step.verb === 'expect' ? step.expectations : step.verb === 'waitFor' ? [step.expectation] : [];
  return expectations.some(
    (each) => each.expect === 'match' && each.match.kind === 'Event' && POD_EVENTS.has(String(each.match['reason'])),
  );
}

function optionsOf(cluster: ClusterSpec, podEvents: boolean): ProcessOptions {
  const {
    agent,
    agentFlags,
    controllerManagers,
    podBehaviors,
    storageDrivers,
    images,
    certificateSigners,
    credentialProviders,
    usage,
    metrics,
    podSources,
    bootstrap = false,
    managedFields = false,
  } = cluster;
  return {
    bootstrap,
    managedFields,
    ...(cluster.timeZone === undefined ? {} : { timeZone: cluster.timeZone }),
    ...(metrics === undefined ? {} : { metrics }),
    agents: {
      podBehaviors,
      storageDrivers,
      podEvents,
      ...(images === undefined ? {} : { images }),
      ...(usage === undefined ? {} : { usage }),
      ...(certificateSigners === undefined ? {} : { certificateSigners }),
      ...(credentialProviders === undefined ? {} : { credentialProviders }),
      ...(podSources === undefined ? {} : { podSources }),
      start: { ...(agent === undefined ? {} : { config: agent }), ...(agentFlags === undefined ? {} : { flags: agentFlags }) },
    },
    controlPlane: {
      schedulers: schedulersOf(cluster),
      ...(controllerManagers === undefined ? {} : { controllerManager: { candidates: controllerManagers } }),
    },
  };
}

/** Returns the schedulers of a cluster: those of the list, or the given number of replicas of the default one. */
function schedulersOf({ scheduler: flags, schedulers }: ClusterSpec): readonly SchedulerStart[] {
  if (typeof schedulers !== 'object')
    return [{ name: 'scheduler', flags, ...(schedulers === undefined ? {} : { candidates: schedulers }) }];
  return schedulers.map((each) => ({ ...each, flags: [...flags, ...(each.flags ?? [])] }));
}
