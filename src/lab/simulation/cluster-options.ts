/** The options of the cluster of a run: what the scenario wants, with what a caller adds. */
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import { present } from '../../schema/values/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { ClusterSpec, LatencyRange, Scenario, Step } from '../scenario/index.ts';
import { POD_EVENTS } from '../../controlplane/agents/index.ts';
import type { SchedulerStart } from '../../controlplane/control-plane.ts';
import { foreignKinds } from '../snapshot/index.ts';
import { DEFAULT_LIMITS, OPEN_STEPS } from './drive.ts';
import type { SimulateOptions } from './simulate-options.ts';
import { askedIn } from './webhooks.ts';

/** Returns the options of a cluster; `cluster`: returns it, once it exists. Conditions of the scenario answer webhooks before others do. */
export function clusterOptions(scenario: Scenario, seed: number, options: SimulateOptions, cluster: () => Cluster): ClusterOptions {
  const { startAt, domain, featureGates, namespaces, rules, limits, untilMs, from, webhooks } = scenario;
  const { latency, nodes } = scenario.cluster;
  const { choose, controllers, alter, broadcast, digest, eagerLeases, onRequest, certificateAuthority } = options;
  return {
    seed,
    startAt,
    domain,
    featureGates,
    limits: { ...DEFAULT_LIMITS, ...(untilMs === undefined ? { steps: OPEN_STEPS } : {}), ...limits },
    latency: { api: delay(latency.api), watch: delay(latency.watch) },
    nodes,
    namespaces,
    ...processOptions(scenario),
    ...present({ rules, maxObjects: limits.objects, choose, controllers, kinds: kindsIn(scenario, options.with) }),
    ...present({ from: from?.snapshot.objects, alter, broadcast, digest, eagerLeases, onRequest, certificateAuthority }),
    ...present({ webhooks: askedIn(webhooks, cluster, options.webhooks) }),
  };
}

/** The kinds of a user, and those that only the dump has with which the run begins. */
function kindsIn({ from }: Scenario, { kinds }: Definitions = {}): Definitions['kinds'] {
  const foreign = from?.snapshot.foreign ?? [];
  if (foreign.length === 0) return kinds;
  return kinds === undefined ? foreignKinds(foreign) : [...kinds, ...foreignKinds(foreign)];
}

const delay = ({ minMs, maxMs }: LatencyRange) => (minMs === maxMs ? minMs : { min: minMs, max: maxMs });

type ProcessOptions = Required<Pick<ClusterOptions, 'agents' | 'controlPlane' | 'bootstrap' | 'managedFields'>> &
  Pick<ClusterOptions, 'timeZone' | 'metrics' | 'clients'>;

function processOptions({ cluster, clients, steps }: Pick<Scenario, 'cluster' | 'clients' | 'steps'>): ProcessOptions {
  const { agent, agentFlags, controllerManagers, podBehaviors, storageDrivers, images, usage, podSources, metrics, timeZone } = cluster;
  const { certificateSigners, credentialProviders, bootstrap = false, managedFields = false } = cluster;
  return {
    bootstrap,
    managedFields,
    ...present({ timeZone, metrics, clients: clients?.map(({ name }) => name) }),
    agents: {
      podBehaviors,
      storageDrivers,
      podEvents: cluster.podEvents ?? (images !== undefined || steps.some(expectsPodEvents)),
      ...present({ images, usage, certificateSigners, credentialProviders, podSources }),
      start: present({ config: agent, flags: agentFlags }),
    },
    controlPlane: {
      schedulers: schedulersOf(cluster),
      ...(controllerManagers === undefined ? {} : { controllerManager: { candidates: controllerManagers } }),
    },
  };
}

function expectsPodEvents(step: Step): boolean {
  const expectations = step.verb === 'expect' ? step.expectations : step.verb === 'waitFor' ? [step.expectation] : [];
  return expectations.some(
    (each) => each.expect === 'match' && each.match.kind === 'Event' && POD_EVENTS.has(String(each.match['reason'])),
  );
}

/** Returns the schedulers of a cluster: those of the list, or the given number of replicas of the default one. */
function schedulersOf({ scheduler: flags, schedulers }: ClusterSpec): readonly SchedulerStart[] {
  if (typeof schedulers !== 'object')
    return [{ name: 'scheduler', flags, ...(schedulers === undefined ? {} : { candidates: schedulers }) }];
  return schedulers.map((each) => ({ ...each, flags: [...flags, ...(each.flags ?? [])] }));
}
