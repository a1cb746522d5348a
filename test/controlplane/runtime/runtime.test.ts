import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../../src/controlplane/cluster.ts';
import { create, defineAggregate, defineController, idle, recount, remove, write } from '../../../src/controlplane/runtime/index.ts';
import type { Controller, Observation, ReconcileInput } from '../../../src/controlplane/runtime/index.ts';

const CONFIG = { apiVersion: 'v1', kind: 'Namespace' } as const;
const namespace = (name: string, labels: Record<string, string> = {}) => ({ ...CONFIG, metadata: { name, labels } });

const start = (controllers: readonly Controller[], options: Partial<ClusterOptions> = {}) => {
  const seen: Observation[] = [];
  const cluster = createCluster({
    controllers: () => controllers,
    warmUpMs: 0,
    onObservation: (observation) => {
      seen.push(observation);
    },
    ...options,
  });
  return { cluster, seen };
};
const make = (cluster: Cluster, name: string, labels: Record<string, string> = {}): void => {
  const response = cluster.request('test', { verb: 'create', kind: 'Namespace', body: namespace(name, labels) });
  if (!response.ok) throw new Error(response.status.message);
};
const names = (cluster: Cluster, prefix: string): string[] =>
  [...cluster.store.values('Namespace')]
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith(prefix))
    .sort();

/** Creates `<name>-0 … -2` for every namespace labelled `parent`, without checking whether they exist. */
const careless = defineController({
  name: 'careless',
  reconciles: 'Namespace',
  writes: ['Namespace'],
  models: 'a test',
  reconcile: ({ self, expectationsSatisfied, cache }: ReconcileInput<ApiObject>) => {
    if (self.metadata.labels?.['parent'] !== 'true') return idle('it is no parent');
    if (!expectationsSatisfied) return idle('it waits for its own writes');
    const missing = [0, 1, 2]
      .map((n) => `${self.metadata.name}-${n}`)
      .filter((name) => cache.get('Namespace', undefined, name) === undefined);
    return missing.length === 0
      ? idle('all children exist')
      : write(`${missing.length} children are missing`, ...missing.map((name) => create(namespace(name), { tolerate: ['AlreadyExists'] })));
  },
}) as unknown as Controller;

describe('runtime', () => {
  it('makes the writes of an outcome one kernel event each, in order, each caused by the decision', () => {
    const { cluster, seen } = start([careless]);
    make(cluster, 'a', { parent: 'true' });
    expect(cluster.runUntilSettled(cluster.now + 1000)).toBe(true);
    const decision = seen.find((one) => one.type === 'reconcile' && one.key === 'a' && one.writes === 3);
    const writes = seen.filter((one) => one.type === 'write' && one.controller === 'careless');
    expect(writes.map((one) => (one.type === 'write' ? one.change.key : ''))).toEqual(['a-0', 'a-1', 'a-2']);
    for (const one of writes) expect(one.causes).toEqual([decision?.id]);
  });

  it('reaches the same end from a crash between any two writes', () => {
    for (let crashAfter = 1; crashAfter <= 3; crashAfter++) {
      const { cluster } = start([careless], { latency: { api: 5, watch: 1 } });
      let writes = 0;
      const lift = cluster.addFaults({
        request: ({ by: { process } }) => {
          if (process === 'controller-manager' && ++writes === crashAfter) {
            lift();
            cluster.plan(cluster.now + 100, 'restart', () => {
              cluster.runtime.restart('controller-manager', cluster.now);
            });
            return { crash: 'after' };
          }
          return undefined;
        },
      });
      make(cluster, 'a', { parent: 'true' });
      cluster.runUntilSettled(cluster.now + 10_000);
      expect(names(cluster, 'a-')).toEqual(['a-0', 'a-1', 'a-2']);
    }
  });

  it('reports unsatisfied expectations to a controller', () => {
    const { cluster, seen } = start([careless], { latency: { api: 1, watch: 500 } });
    make(cluster, 'a', { parent: 'true' });
    cluster.runUntil(cluster.now + 505);
    // The key is enqueued again while its own creates are in flight.
    cluster.runtime.enqueue('controller-manager', 'careless', 'a');
    cluster.runUntilSettled(cluster.now + 5000);
    expect(seen.some((one) => one.type === 'reconcile' && one.why === 'it waits for its own writes')).toBe(true);
    expect(seen.filter((one) => one.type === 'refusal')).toEqual([]);
  });

  it('drops the rest after a failed write and requeues with back-off', () => {
    const { cluster, seen } = start([careless]);
    let failures = 2;
    cluster.addFaults({
      request: ({ by: { process } }) =>
        process === 'controller-manager' && failures-- > 0
          ? {
              fail: {
                kind: 'Status',
                apiVersion: 'v1',
                metadata: {},
                status: 'Failure',
                reason: 'InternalError',
                message: 'no',
                code: 500,
              },
            }
          : undefined,
    });
    make(cluster, 'a', { parent: 'true' });
    cluster.runUntilSettled(cluster.now + 10_000);
    expect(names(cluster, 'a-')).toEqual(['a-0', 'a-1', 'a-2']);
    expect(seen.filter((one) => one.type === 'timer').map((one) => one.at - cluster.startAt)).toEqual([5, 15]);
  });

  it('names the key that loops and its last why', () => {
    const looping = defineController({
      name: 'looping',
      reconciles: 'Namespace',
      writes: ['Namespace'],
      models: 'a test',
      reconcile: ({ self }: ReconcileInput<ApiObject>) =>
        self.metadata.name !== 'a'
          ? idle('not mine')
          : write('it can never be content', {
              op: 'patch',
              kind: 'Namespace',
              name: 'a',
              patchType: 'merge',
              patch: { metadata: { annotations: { n: String(Number(self.metadata.annotations?.['n'] ?? 0) + 1) } } },
            }),
    }) as unknown as Controller;
    const { cluster } = start([looping], { limits: { sameInstant: 100 } });
    make(cluster, 'a');
    expect(() => cluster.runUntilSettled(cluster.now + 1)).toThrow(
      /looping reconciled a 101 times at one instant; last why: it can never be content/,
    );
  });

  it('keeps an aggregate equal to a recount, through changes, deletions and a restart', () => {
    const byTeam = defineAggregate<'Namespace', { count: number; sizes: Record<string, number> }>({
      name: 'by-team',
      kind: 'Namespace',
      groupOf: (object) => object.metadata.labels?.['team'],
      empty: () => ({ count: 0, sizes: {} }),
      add: (summary, object) => {
        summary.count++;
        const size = object.metadata.labels?.['size'] ?? '';
        summary.sizes[size] = (summary.sizes[size] ?? 0) + 1;
      },
      remove: (summary, object) => {
        summary.count--;
        const size = object.metadata.labels?.['size'] ?? '';
        const left = (summary.sizes[size] ?? 0) - 1;
        if (left === 0) delete summary.sizes[size];
        else summary.sizes[size] = left;
      },
      plain: (summary) => ({
        count: summary.count,
        sizes: Object.fromEntries(Object.entries(summary.sizes).sort(([a], [b]) => (a < b ? -1 : 1))),
      }),
    });
    const counting = {
      name: 'counting',
      reconciles: 'Namespace',
      writes: [],
      models: 'a test',
      aggregates: [byTeam],
      reconcile: () => idle('it only counts'),
    } as unknown as Controller;
    const { cluster } = start([counting]);
    const agree = (): void => {
      cluster.runUntilSettled(cluster.now + 1000);
      for (const team of ['x', 'y'])
        expect(byTeam.plain(cluster.runtime.process('controller-manager')?.cache.aggregate(byTeam as never, team) as never)).toEqual(
          recount(byTeam as never, cluster.store.values('Namespace'), team),
        );
    };
    for (let i = 0; i < 6; i++) make(cluster, `n${i}`, { team: i % 2 === 0 ? 'x' : 'y', size: i < 3 ? 's' : 'l' });
    agree();
    cluster.request('test', {
      verb: 'patch',
      kind: 'Namespace',
      name: 'n0',
      patchType: 'merge',
      body: { metadata: { labels: { team: 'y', size: 'l' } } },
    });
    agree();
    cluster.runtime.crash('controller-manager');
    cluster.request('test', {
      verb: 'patch',
      kind: 'Namespace',
      name: 'n1',
      patchType: 'merge',
      body: { metadata: { labels: { team: null } } },
    });
    cluster.runtime.restart('controller-manager', cluster.now);
    agree();
  });

  it('gives the same digest for the same seed, and another for another', () => {
    const digest = (seed: number): string => {
      const { cluster } = start([careless], { seed, latency: { api: { min: 1, max: 20 }, watch: { min: 1, max: 50 } } });
      make(cluster, 'a', { parent: 'true' });
      cluster.runUntil(cluster.now + 5000);
      return cluster.digest();
    };
    expect(digest(1)).toBe(digest(1));
    expect(digest(1)).not.toBe(digest(2));
  });

  it('lists as of an old revision when told to, then catches up', () => {
    const { cluster, seen } = start([careless]);
    make(cluster, 'a', { parent: 'true' });
    const before = cluster.store.revision;
    cluster.runUntilSettled(cluster.now + 1000);
    cluster.runtime.relist('controller-manager', 'Namespace', before);
    const cache = cluster.runtime.process('controller-manager')?.cache;
    expect(cache?.get('Namespace', undefined, 'a-0')).toBeUndefined();
    cluster.runUntilSettled(cluster.now + 1000);
    expect(cache?.get('Namespace', undefined, 'a-0')).toBeDefined();
    // The objects that it created again from its old cache exist already.
    expect(
      seen.filter((one) => one.type === 'refusal').every((one) => one.type === 'refusal' && one.status.reason === 'AlreadyExists'),
    ).toBe(true);
  });

  it('deletes by uid: a later object of the same name survives', () => {
    const { cluster } = start([]);
    make(cluster, 'a');
    const old = cluster.store.get('Namespace', 'a');
    if (old === undefined) throw new Error('not made');
    const gone = { ...old, metadata: { ...old.metadata, uid: 'another' } };
    const deletion = remove(gone);
    if (deletion.op !== 'delete') throw new Error('not a deletion');
    const response = cluster.request('test', { verb: 'delete', kind: 'Namespace', name: 'a', preconditions: { uid: deletion.uid ?? '' } });
    expect(response.ok).toBe(false);
  });
});
