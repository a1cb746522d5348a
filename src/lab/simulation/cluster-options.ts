/** The options of the cluster of a run: what the scenario wants, with what a caller adds. */
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import { present } from '../../schema/values/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { LatencyRange, Scenario } from '../scenario/index.ts';
import { foreignKinds } from '../snapshot/index.ts';
import { DEFAULT_LIMITS, OPEN_STEPS } from './drive.ts';
import { processOptions } from './processes.ts';
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
