/** Requirements on every registered controller and agent, independent of its purpose: see `Controller` in the runtime's contract. */
import { describe, expect, it } from 'vitest';
import { type Job, kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { controllers } from '../../../src/controlplane/controllers/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../../src/controlplane/cluster.ts';
import { frozenWorld } from '../../support/frozen-world.ts';
import { supervised } from '../../support/supervised.ts';
import { WORLDS, type World } from './worlds.ts';

const MANAGER = 'controller-manager';
const LATENCY_MS = 5;
/** Crashes that each world is tried with, at moments that divide its run evenly. */
const CRASHES = 5;
/** Each decision of a scheduler changes its queue, so a second call decides on another pod. All other controllers decide the same twice. */
const MOVES_ON: ReadonlySet<string> = new Set(['scheduler']);
const registered = controllers(kindsFor(namesFor('orch.io')));

function open(world: World, options: ClusterOptions = {}): Cluster {
  return createCluster({
    seed: 'conformance',
    digest: false,
    nodes: [{ name: 'node-0', capacity: { cpu: '64', memory: '64Gi', pods: '500' } }],
    ...(world.featureGates === undefined ? {} : { featureGates: world.featureGates }),
    agents: { storageDrivers: world.storageDrivers ?? [] },
    latency: { api: LATENCY_MS, watch: 1 },
    ...options,
  });
}
function run(world: World, cluster: Cluster): Cluster {
  world.play(cluster);
  cluster.runUntil(cluster.startAt + world.seconds * 1000);
  return cluster;
}

/** The resulting objects, without random and time-dependent parts: names, uids, times. */
function result(cluster: Cluster): readonly string[] {
  const jobs = [...cluster.store.values('Job')].map((object) => {
    const { metadata, status } = object as unknown as Job;
    const conditions = (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason ?? ''}`);
    return `Job ${metadata.name} ${status.active ?? 0}/${status.succeeded ?? 0} ${status.completedIndexes ?? ''} ${conditions.join(' ')}`;
  });
  const active = [...cluster.store.values('Pod')]
    .map((pod) => `Pod of ${ownerOf(pod)} ${String((pod['status'] as { phase?: string }).phase)} ${(pod.metadata.finalizers ?? []).join()}`)
    .filter((text) => !text.includes('Failed'));
  return [...jobs, ...active].toSorted();
}
const ownerOf = (object: ApiObject): string =>
  object.metadata.ownerReferences?.[0]?.name ?? object.metadata.name.replace(/-[a-z0-9]{5}$/, '');

describe('every controller', () => {
  it('has its own world, and a text of what it models', () => {
    const acting = new Set(Object.values(WORLDS).flatMap((world) => world.controllers));
    expect(
      registered.filter(({ name }) => !acting.has(name)).map(({ name }) => name),
      'add a world to worlds.ts for these',
    ).toEqual([]);
    for (const { name, models } of registered) expect(models, name).not.toBe('');
  });

  it('is detected if it changes a machine while it decides', () => {
    const { world, guard } = frozenWorld(LATENCY_MS);
    expect(() => guard(() => world.machine('node-0').forget('uid', 0))).toThrow('list it among the actions of the outcome');
  });
});

describe.each(Object.entries(WORLDS))('in the world of %s', (_, world) => {
  it('every decision is pure, reasoned, declared and timely, and aggregates equal a recount', () => {
    const breaches: string[] = [];
    const deciding = new Set<string>();
    const machines = frozenWorld(LATENCY_MS);
    run(
      world,
      open(world, {
        agents: { storageDrivers: world.storageDrivers ?? [], world: machines.world },
        alter: (process) => ({
          ...process,
          controllers: process.controllers.map((controller) =>
            MOVES_ON.has(controller.name) ? controller : supervised(controller, (breach) => breaches.push(breach), machines.guard),
          ),
        }),
        onObservation: (observation) => {
          if (observation.type === 'write' && observation.controller !== undefined) deciding.add(observation.controller);
        },
      }),
    );
    expect([...new Set(breaches)]).toEqual([]);
    expect(
      world.controllers.filter((name) => !deciding.has(name)),
      'these wrote nothing here',
    ).toEqual([]);
  });

  it('it becomes quiescent, and a restart finds nothing left to do', () => {
    const writes: string[] = [];
    let watching = false;
    const cluster = open(world, {
      onObservation: (observation) => {
        // A restarted process may record events again.
        if (watching && observation.type === 'write' && observation.actor === MANAGER && observation.change.kind !== 'Event')
          writes.push(observation.request);
      },
    });
    run(world, cluster);
    watching = true;
    cluster.runtime.crash(MANAGER);
    cluster.runtime.restart(MANAGER, cluster.now);
    cluster.runUntil(cluster.now + 60_000);
    expect(writes).toEqual([]);
  });

  it.skipIf(world.crashesShow !== undefined)('a crash between any two writes changes nothing in the end', () => {
    const expected = result(run(world, open(world)));
    const total = countRequests(world);
    const every = Math.max(1, Math.floor(total / CRASHES));
    for (let nth = 0, tried = 0; nth < total; nth += every, tried++) {
      // Before one and after the next, in turn: after a write is the same moment as before the next, but for what arrives in between.
      const when = tried % 2 === 0 ? 'before' : 'after';
      let count = 0;
      const cluster = open(world);
      cluster.addFaults({
        request: ({ by: { process } }) => {
          if (process !== MANAGER || count++ !== nth) return undefined;
          cluster.plan(cluster.now + 700, 'restart', () => cluster.runtime.restart(MANAGER, cluster.now));
          return { crash: when };
        },
      });
      expect(result(run(world, cluster)), `crash ${when} write ${nth}`).toEqual(expected);
    }
  });

  it('a lagging cache leads to no second child', () => {
    const most = new Map<string, number>();
    const cluster = open(world, { latency: { api: 1, watch: { min: 200, max: 900 } } });
    cluster.store.onChange(({ kind }) => {
      if (kind !== 'Pod') return;
      const active = new Map<string, number>();
      for (const pod of cluster.store.values('Pod'))
        if (pod.metadata.deletionTimestamp === undefined && /Pending|Running/.test(String((pod['status'] as { phase?: string }).phase)))
          active.set(ownerOf(pod), (active.get(ownerOf(pod)) ?? 0) + 1);
      for (const [owner, count] of active) most.set(owner, Math.max(count, most.get(owner) ?? 0));
    });
    const parallelism = new Map<string, number>();
    cluster.store.onChange(({ kind, object }) => {
      if (kind === 'Job') parallelism.set(object.metadata.name, (object as unknown as Job).spec.parallelism ?? 1);
    });
    run(world, cluster);
    for (const [name, limit] of parallelism) expect([name, most.get(name) ?? 0]).toEqual([name, Math.min(limit, most.get(name) ?? 0)]);
  });
});

function countRequests(world: World): number {
  let count = 0;
  const cluster = open(world);
  cluster.addFaults({
    request: ({ by: { process } }) => {
      if (process === MANAGER) count++;
      return undefined;
    },
  });
  run(world, cluster);
  return count;
}
