/**
 * A controller whose cache lags has its writes refused. It may ask the server, or try again with back-off; at no time does it hammer: in
 * every world each key is refused as often as a back-off that doubles allows, and no more.
 */
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { WORLDS, type World } from './worlds.ts';

const MANAGER = 'controller-manager';
const LAG_MS = 30_000;
/** What lags, from here on: everything that there is after the world has begun. */
const FROM_MS = 400;
/** From 5 ms, doubling: 14 tries reach beyond 30 s. A few of a key's own changes may set the count back. */
const MOST = 20;
/** Upstream writes the status of a StatefulSet five times before it backs off (retry.DefaultRetry). */
const TRIES: ReadonlyMap<string, number> = new Map([['stateful-set', 5]]);
const most = (controller = ''): number => MOST * (TRIES.get(controller) ?? 1);

/** How often each controller was refused about each key within the lag. */
function refusals(world: World): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const cluster = createCluster({
    seed: 'refusals',
    digest: false,
    nodes: [{ name: 'node-0', capacity: { cpu: '64', memory: '64Gi', pods: '500' } }],
    ...(world.featureGates === undefined ? {} : { featureGates: world.featureGates }),
    agents: { storageDrivers: world.storageDrivers ?? [] },
    latency: { api: 5, watch: 1 },
    onObservation: (observation) => {
      if (observation.type !== 'refusal' || observation.actor !== MANAGER || observation.status.code !== 409) return;
      const name = `${observation.controller ?? ''} ${observation.request}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  });
  world.play(cluster);
  const touch = (nth: number): void => {
    for (const kind of cluster.kinds.list().map((each) => each.kind)) {
      if (kind === 'Event' || kind === 'Lease') continue;
      for (const { metadata } of Array.from(cluster.store.values(kind)))
        cluster.request('operator', {
          verb: 'patch',
          kind,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
          name: metadata.name,
          patchType: 'merge',
          body: { metadata: { annotations: { touched: String(nth) } } },
        });
    }
  };
  cluster.plan(cluster.now + FROM_MS, 'lag', () => {
    cluster.addFaults({ delivery: (process) => (process === MANAGER ? LAG_MS : 0) });
    touch(0);
  });
  for (const nth of [1, 2, 3]) cluster.plan(cluster.now + FROM_MS + nth * 1500, 'touch', () => touch(nth));
  cluster.runUntil(cluster.startAt + FROM_MS + LAG_MS + 5000);
  return counts;
}

describe('a cache that lags', () => {
  it.each(Object.entries(WORLDS))('has no write refused without end: %s', (_, world) => {
    const counts = refusals(world);
    expect([...counts].filter(([name, count]) => count > most(name.split(' ')[0]))).toEqual([]);
  });
});
