/** The options of the cluster of a run: what the scenario wants, with what a caller adds. */
import type { Cluster, ClusterOptions } from '../../controlplane/cluster.ts';
import { present } from '../../schema/values/index.ts';
import { type Definitions, NO_DEFINITIONS } from '../definitions/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { foreignKinds } from '../snapshot/index.ts';
import { DEFAULT_LIMITS, OPEN_STEPS } from './drive.ts';
import { processOptions } from './processes.ts';
import type { SimulateOptions } from './simulate-options.ts';
import { askedIn } from './webhooks.ts';

/** Returns the options of a cluster; `cluster`: returns it, once it exists. */
export const clusterOptions = (scenario: Scenario, seed: number, options: SimulateOptions, cluster: () => Cluster): ClusterOptions =>
  baseOptions(scenario, seed, answering(scenario, options, cluster));

/** Conditions of the scenario answer webhooks before others do; they read the cluster. */
const answering = (scenario: Scenario, options: SimulateOptions, cluster: () => Cluster): SimulateOptions => ({
  ...options,
  webhooks: askedIn(scenario.webhooks, cluster, options.webhooks),
});

function baseOptions(
  scenario: Scenario,
  seed: number,
  {
    choose,
    with: own = NO_DEFINITIONS,
    controllers,
    alter,
    broadcast,
    digest,
    eagerLeases,
    onRequest,
    webhooks,
    certificateAuthority,
  }: SimulateOptions,
): ClusterOptions {
  const { cluster, limits } = scenario;
  return {
    seed,
    startAt: scenario.startAt,
    domain: scenario.domain,
    featureGates: scenario.featureGates,
    limits: { ...DEFAULT_LIMITS, ...(scenario.untilMs === undefined ? { steps: OPEN_STEPS } : {}), ...limits },
    ...present({ rules: scenario.rules, maxObjects: limits.objects }),
    latency: { api: delay(cluster.latency.api), watch: delay(cluster.latency.watch) },
    nodes: cluster.nodes,
    namespaces: scenario.namespaces,
    ...processOptions(scenario),
    ...present({
      choose,
      controllers,
      kinds: kindsIn(scenario, own),
      from: scenario.from?.snapshot.objects,
      alter,
      broadcast,
      digest,
      eagerLeases,
      onRequest,
      webhooks,
      certificateAuthority,
    }),
  };
}

/** The kinds of a user, and those that only the dump has with which the run begins. */
function kindsIn({ from }: Scenario, { kinds }: Definitions): Definitions['kinds'] {
  const foreign = from?.snapshot.foreign ?? [];
  if (foreign.length === 0) return kinds;
  return kinds === undefined ? foreignKinds(foreign) : [...kinds, ...foreignKinds(foreign)];
}

const delay = ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) =>
  minMs === maxMs ? minMs : { min: minMs, max: maxMs };
