/** A controller that decides from a cache without its own writes creates things twice; one that waits for its writes does not. */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/apiserver/kinds/index.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import { create, defineController, idle, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { seeing, withMutant } from '../../support/mutants.ts';

/** Creates one ConfigMap with a generated name for every Service. */
const planted = (readsItsOwnWrites: boolean): Controller =>
  defineController({
    name: 'planted',
    reconciles: 'Service',
    writes: ['ConfigMap'],
    models: 'nothing: it is planted',
    watches: [{ kind: 'ConfigMap', enqueue: () => undefined }],
    reconcile({ self: service, cache, expectationsSatisfied }) {
      if (readsItsOwnWrites && !expectationsSatisfied) return idle('what it made has not come back yet');
      if (cache.controlledBy('ConfigMap', service).length > 0) return idle('it has one');
      const { namespace = '', name, uid } = service.metadata;
      return write(
        'it has none',
        create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            namespace,
            generateName: `${name}-`,
            ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }],
          },
        }),
      );
    },
  });

/** The watch of ConfigMaps lags by two seconds, and the Service is changed in the meantime. */
function play(readsItsOwnWrites: boolean): number {
  const cluster = createCluster({ controllers: () => [planted(readsItsOwnWrites)], latency: { api: 5, watch: 1 } });
  cluster.addFaults({ delivery: (_process, { kind }) => (kind === 'ConfigMap' ? 2_000 : undefined) });
  const at = { kind: 'Service', namespace: 'default' };
  cluster.request('test', {
    verb: 'create',
    ...at,
    body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { ports: [{ port: 80 }] } },
  });
  for (let i = 1; i <= 3; i++) {
    cluster.runUntil(cluster.startAt + i * 100);
    cluster.request('test', {
      verb: 'patch',
      ...at,
      name: 'web',
      patchType: 'merge',
      body: { metadata: { labels: { touched: String(i) } } },
    });
  }
  cluster.runUntil(cluster.startAt + 60_000);
  return [...cluster.store.values('ConfigMap')].filter(({ metadata }) => metadata.name.startsWith('web-')).length;
}

describe('a controller whose watch lags behind its own writes', () => {
  it('creates one at every reconcile', () => {
    expect(play(false)).toBe(4);
  });
  it('creates one, if it waits for its own writes', () => {
    expect(play(true)).toBe(1);
  });
});

describe('a Job whose pods are observed late', () => {
  const pods = (mutant?: Controller): number => {
    const cluster: Cluster = createCluster({
      nodes: [{ name: 'node-0', capacity: { cpu: '4', pods: '110' } }],
      latency: { api: 5, watch: 1 },
      controllers: withMutant(mutant),
    });
    cluster.addFaults({ delivery: (process, { kind }) => (kind === 'Pod' && process === 'controller-manager' ? 2_000 : undefined) });
    cluster.request('test', {
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'work', namespace: 'default' },
        spec: { completions: 2, parallelism: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } } },
      },
    });
    cluster.runUntil(cluster.startAt + 500);
    cluster.request('test', {
      verb: 'patch',
      kind: 'Job',
      namespace: 'default',
      name: 'work',
      patchType: 'merge',
      body: { metadata: { labels: { touched: 'yes' } } },
    });
    cluster.runUntil(cluster.startAt + 1_500);
    return cluster.store.countBy('Pod', 'namespace', 'default');
  };
  it('has as many as it asks for', () => {
    expect(pods()).toBe(2);
  });
  it('has more when its controller trusts the cache', () => {
    expect(pods(seeing<Job>(job, (input) => ({ ...input, expectationsSatisfied: true })))).toBeGreaterThan(2);
  });
});
