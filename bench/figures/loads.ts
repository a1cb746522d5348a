/** Loads that rows of the table share. */
import type { Cluster, ClusterOptions } from '../../src/controlplane/cluster.ts';
import { openCluster } from '../jobs.ts';
import { cpu, type Timed } from '../measure.ts';

type Request = Parameters<Cluster['request']>[1];

/**
 * Sends a request.
 * @throws when it is refused.
 */
export function ask(cluster: Cluster, request: Request): void {
  const response = cluster.request('bench', request);
  if (!response.ok) throw new Error(response.status.message);
}

/** The cost of a load, and its counts. */
export interface Cost {
  readonly commits: number;
  readonly events: number;
}

/** Times a load until the cluster is settled; afterwards there must be `pods` pods. */
export function timeLoad(nodes: number, options: Partial<ClusterOptions>, requests: readonly Request[], pods: number): Timed<Cost> {
  const cluster = openCluster(nodes, options);
  const [commits, events] = [cluster.counters.commits, cluster.kernel.steps];
  const { ms } = cpu(() => {
    for (const request of requests) ask(cluster, request);
    if (!cluster.runUntilSettled(cluster.now + 86_400_000)) throw new Error('the load did not settle');
  });
  if (cluster.store.size('Pod') !== pods) throw new Error(`${cluster.store.size('Pod')} of ${pods} pods are there`);
  return { ms, value: { commits: cluster.counters.commits - commits, events: cluster.kernel.steps - events } };
}

const containers = [{ name: 'c', image: 'work:1' }];

/** A request for a Job. */
export const jobOf = (name: string, completions: number, parallelism: number, more: object = {}): Request => ({
  verb: 'create',
  kind: 'Job',
  namespace: 'default',
  body: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { completions, parallelism, ...more, template: { spec: { restartPolicy: 'Never', containers } } },
  },
});

/** A request for the governing service of that set. */
export const GOVERNING: Request = {
  verb: 'create',
  kind: 'Service',
  namespace: 'default',
  body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { clusterIP: 'None' } },
};

/** A request for a StatefulSet whose replicas are created in parallel. */
export const setOf = (replicas: number): Request => ({
  verb: 'create',
  kind: 'StatefulSet',
  namespace: 'default',
  body: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      serviceName: 'web',
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    },
  },
});

/** Pods that do not exit. */
export const ENDLESS: Partial<ClusterOptions> = { agents: { podBehaviors: [{}] } };
