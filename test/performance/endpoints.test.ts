/** The cost of a pod behind a service does not depend on the number of other pods: it is counted, not timed. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/controlplane/cluster.ts';
import { openCluster, watched } from './workloads.ts';

const create = (cluster: Cluster, kind: string, body: { readonly metadata: object; readonly spec: object }): void => {
  const response = cluster.request('test', {
    verb: 'create',
    kind,
    namespace: 'default',
    body: { apiVersion: kind === 'StatefulSet' ? 'apps/v1' : 'v1', kind, ...body },
  });
  if (!response.ok) throw new Error(response.status.message);
};

/** Pods are created one by one, become ready, and some are deleted. Returns the cost per pod. */
function runService(pods: number): { readonly visited: number; readonly slices: number; readonly reconciles: number } {
  const visits = { pods: 0 };
  const cluster = openCluster(5, {
    controllers: (kinds) => watched(kinds, visits),
    agents: { podBehaviors: [{}] },
    latency: { api: 1, watch: 1 },
  });
  create(cluster, 'Service', { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  cluster.runUntil(cluster.now + 1_000);
  visits.pods = 0;
  const before = cluster.counters.reconciles;
  let slices = 0;
  cluster.store.onChange(({ kind }) => {
    if (kind === 'EndpointSlice') slices++;
  });
  for (let at = 0; at < pods; at++) {
    create(cluster, 'Pod', {
      metadata: { name: `web-${at}`, labels: { app: 'web' } },
      spec: { nodeName: `node-${at % 5}`, containers: [{ name: 'c', image: 'c:1' }] },
    });
    cluster.runUntil(cluster.now + 20);
  }
  for (let at = 0; at < pods; at += 10)
    cluster.request('test', { verb: 'delete', kind: 'Pod', namespace: 'default', name: `web-${at}`, gracePeriodSeconds: 0 });
  cluster.runUntil(cluster.now + 10_000);
  return { visited: visits.pods / pods, slices: slices / pods, reconciles: (cluster.counters.reconciles - before) / pods };
}

describe('one service over many pods', () => {
  const small = runService(150);
  const large = runService(600);

  it('does not visit the others when one changes', () => {
    expect(small.visited).toBeLessThan(1);
    expect(large.visited).toBeLessThan(1);
  });

  it('writes the same number of slices and makes the same number of decisions per pod', () => {
    expect(large.slices).toBeLessThan(2.5);
    expect(large.slices).toBeLessThanOrEqual(small.slices * 1.1);
    expect(large.reconciles).toBeLessThanOrEqual(small.reconciles * 1.1);
  });
});

describe('controllers that gather', () => {
  it('decide once in an instant, whatever the number of pods that became ready in it', () => {
    const cluster = openCluster(5, { agents: { podBehaviors: [{}] } });
    const labels = { app: 'web' };
    create(cluster, 'Service', { metadata: { name: 'web' }, spec: { clusterIP: 'None', selector: labels } });
    cluster.runUntil(cluster.now + 1_000);
    const writes = new Map<string, number>();
    cluster.store.onChange(({ kind }) => writes.set(kind, (writes.get(kind) ?? 0) + 1));
    create(cluster, 'StatefulSet', {
      metadata: { name: 'web' },
      spec: {
        replicas: 100,
        serviceName: 'web',
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
      },
    });
    cluster.runUntil(cluster.now + 60_000);
    // In the order in which pods become ready it would be 51 and 52.
    expect([writes.get('Endpoints'), writes.get('EndpointSlice')]).toEqual([1, 1]);
  });
});
