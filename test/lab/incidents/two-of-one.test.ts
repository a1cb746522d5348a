/** Two pods for one identity of a StatefulSet: the API never has both at once, the machines do. */
import { describe, expect, it } from 'vitest';
import { governing } from '../../support/services.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';

const SECOND = 1_000;
const open = (): Cluster => {
  const cluster = createCluster({
    nodes: ['node-0', 'node-1'].map((name) => ({ name, capacity: { cpu: '4', pods: '110' } })),
    latency: { api: 5, watch: 1 },
  });
  cluster.request('test', governing('db'));
  cluster.request('test', {
    verb: 'create',
    kind: 'StatefulSet',
    namespace: 'default',
    body: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'default' },
      spec: {
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', image: 'db:1' }] } },
      },
    },
  });
  to(cluster, 5);
  return cluster;
};
const to = (cluster: Cluster, seconds: number): void => cluster.runUntil(cluster.startAt + seconds * SECOND);
const pod = (cluster: Cluster) => cluster.store.get('Pod', 'default/db-0');
const nodeOfPod = (cluster: Cluster): string => String((pod(cluster)?.['spec'] as { nodeName?: string } | undefined)?.nodeName);
const runs = (cluster: Cluster, node: string, uid: string): boolean => cluster.world.machine(node).run(uid)?.stage === 'running';

describe('a pod on a silent node', () => {
  it('is not replaced by itself: only its node could say that it has stopped', () => {
    const cluster = open();
    const first = pod(cluster)?.metadata.uid;
    cluster.runtime.crash(`agent/${nodeOfPod(cluster)}`);
    to(cluster, 30 * 60);
    expect(pod(cluster)?.metadata.uid).toBe(first);
    expect(pod(cluster)?.metadata.deletionTimestamp).toBeDefined();
  });

  it('that a user deletes by force runs beside its replacement, and continues while its agent has a stale list of a lagging server', () => {
    const cluster = open();
    const silent = nodeOfPod(cluster);
    const first = pod(cluster)?.metadata.uid ?? '';
    const revision = cluster.store.revision;
    cluster.runtime.crash(`agent/${silent}`);
    to(cluster, 60);
    cluster.request('test', { verb: 'delete', kind: 'Pod', namespace: 'default', name: 'db-0', gracePeriodSeconds: 0 });
    to(cluster, 70);
    const second = pod(cluster)?.metadata.uid ?? '';
    expect(second).not.toBe(first);
    expect([runs(cluster, silent, first), runs(cluster, nodeOfPod(cluster), second)]).toEqual([true, true]);
    // The agent restarts with a list that still contains the pod and reports on it: the server refuses the report for the other pod.
    const refusals: string[] = [];
    cluster.observations.subscribe((observation) => {
      if (observation.type === 'refusal' && observation.actor === `agent/${silent}`) refusals.push(observation.status.reason ?? '');
    });
    cluster.addFaults({ delivery: (process) => (process === `agent/${silent}` ? 20 * SECOND : undefined) });
    cluster.runtime.restart(`agent/${silent}`, cluster.now, [], revision);
    to(cluster, 85);
    expect(runs(cluster, silent, first)).toBe(true);
    expect(pod(cluster)?.metadata.uid).toBe(second);
    expect(new Set(refusals)).toEqual(
      new Set(refusals.filter((reason) => reason === 'Conflict' || reason === 'Invalid' || reason === 'NotFound')),
    );
    // When it observes the deletion of its pod, it stops the containers.
    to(cluster, 95);
    expect([runs(cluster, silent, first), runs(cluster, nodeOfPod(cluster), second)]).toEqual([false, true]);
  });
});
