/** The cost of a pod must not depend on the number of pods: it is counted, not timed. */
import { describe, expect, it } from 'vitest';
import { governing } from '../../../support/services.ts';
import { createCluster } from '../../../../src/controlplane/cluster.ts';
import { controllers } from '../../../../src/controlplane/controllers/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import type { ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import type { StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import type { CacheView, Controller } from '../../../../src/controlplane/runtime/index.ts';

interface Cost {
  readonly reconciles: number;
  readonly commits: number;
  readonly lookups: number;
}

/** Scales up and down again; returns the cost per pod. */
function upAndDown(replicas: number, podManagementPolicy: string): Cost {
  let lookups = 0;
  const counted = (cache: CacheView): CacheView => ({
    ...cache,
    get: (kind, namespace, name) => {
      lookups++;
      return cache.get(kind, namespace, name);
    },
    controlledBy: (kind, owner) => {
      const found = cache.controlledBy(kind, owner);
      lookups += found.length;
      return found;
    },
    by: (kind, index, value) => {
      const found = cache.by(kind, index, value);
      lookups += found.length;
      return found;
    },
    list: () => {
      throw new Error('a sync lists nothing');
    },
  });
  const watched = {
    ...statefulSet,
    reconcile: (input) => statefulSet.reconcile({ ...input, cache: counted(input.cache) }),
  } as typeof statefulSet as unknown as Controller;
  const cluster = createCluster({
    seed: 1,
    limits: { sameInstant: 1_000_000 },
    nodes: [{ name: 'node-0', capacity: { cpu: '100k', memory: '100Ti', pods: '1M' } }],
    controllers: (kinds) => [watched, ...controllers(kinds).filter(({ name }) => name === 'garbage-collector')],
    latency: { api: 0, watch: { min: 0, max: 50 } },
  });
  const set = (): StatefulSet => cluster.store.get('StatefulSet', 'default/web') as StatefulSet;
  const body: ObjectInput = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      serviceName: 'web',
      replicas,
      podManagementPolicy,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'sim:1' }] } },
    },
  };
  cluster.request('test', governing('web'));
  const made = cluster.request('test', { verb: 'create', kind: 'StatefulSet', namespace: 'default', body });
  expect(made.ok).toBe(true);
  cluster.runUntilSettled(cluster.now + 86_400_000);
  expect(set().status.readyReplicas).toBe(replicas);
  cluster.request('test', {
    verb: 'patch',
    kind: 'StatefulSet',
    namespace: 'default',
    name: 'web',
    patchType: 'merge',
    body: { spec: { replicas: 0 } },
  });
  cluster.runUntilSettled(cluster.now + 86_400_000);
  expect(set().status.replicas).toBe(0);
  const { reconciles, commits } = cluster.counters;
  return { reconciles: reconciles / replicas, commits: commits / replicas, lookups: lookups / replicas };
}

describe.each(['Parallel', 'OrderedReady'])('%s', (policy) => {
  it('costs the same per pod with ten times as many', () => {
    const few = upAndDown(100, policy);
    const many = upAndDown(1000, policy);
    for (const what of ['reconciles', 'commits', 'lookups'] as const) expect(many[what], what).toBeLessThan(few[what] * 1.3);
  });
});
