import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';
import { defineController, idle, remove, wakeAt, write } from '../../../src/controlplane/runtime/index.ts';
import type { Controller, ReconcileInput } from '../../../src/controlplane/runtime/index.ts';

const MANAGER = 'controller-manager';
const HOUR = 3_600_000;
const start = (controller: unknown): Cluster => createCluster({ controllers: () => [controller as Controller], warmUpMs: 0 });
const make = (cluster: Cluster, name: string): void => {
  const response = cluster.request('test', {
    verb: 'create',
    kind: 'PriorityClass',
    body: { apiVersion: 'scheduling.orch.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1 },
  });
  if (!response.ok) throw new Error(response.status.message);
};
const label = (cluster: Cluster, name: string, text: string): void => {
  cluster.request('test', { verb: 'patch', kind: 'PriorityClass', name, patchType: 'merge', body: { metadata: { labels: { text } } } });
};
const held = (cluster: Cluster, controller: string): number => cluster.runtime.process(MANAGER)?.running.get(controller)?.queue.size ?? -1;

describe('the state of a process', () => {
  it('is lost in a crash: nothing planned before it keeps a run from being settled', () => {
    const later = defineController({
      name: 'later',
      reconciles: 'PriorityClass',
      writes: [],
      models: 'a test',
      reconcile: ({ now }: ReconcileInput<ApiObject>) => wakeAt(now + HOUR, 'it looks again in an hour'),
    });
    const cluster = start(later);
    make(cluster, 'a');
    cluster.runUntil(cluster.now + 1000);
    expect(cluster.kernel.settled).toBe(false);
    cluster.runtime.crash(MANAGER);
    expect(cluster.kernel.settled).toBe(true);
  });

  it('is small for deleted objects, even if it deleted them', () => {
    const reaper = defineController({
      name: 'reaper',
      reconciles: 'PriorityClass',
      writes: ['PriorityClass'],
      models: 'a test',
      reconcile: ({ self }: ReconcileInput<ApiObject>) =>
        self.metadata.name.startsWith('x') ? write('it is one too many', remove(self)) : idle('it may stay'),
      self: { enqueue: ({ type, key }) => (type === 'DELETED' ? undefined : key) },
    });
    const cluster = start(reaper);
    for (let n = 0; n < 200; n++) {
      make(cluster, `x${n}`);
      cluster.runUntil(cluster.now + 1000);
    }
    expect(cluster.store.size('PriorityClass')).toBeLessThan(5);
    expect(held(cluster, 'reaper')).toBeLessThan(5);
  });
});

describe('a live read', () => {
  const asker = defineController<'PriorityClass', string>({
    name: 'asker',
    reconciles: 'PriorityClass',
    writes: ['PriorityClass'],
    models: 'a test',
    reconcile: ({ self }) => ({
      why: 'the server may know more',
      writes: [{ op: 'get', kind: 'PriorityClass', name: self.metadata.labels?.['text'] ?? 'none', tolerate: ['NotFound'], resume: true }],
      memory: 'asked',
    }),
    resume: ({ memory }, { object }) => ({
      ...idle(`${memory}: ${object === undefined ? 'it is not there' : `it is ${object.metadata.name}`}`),
      memory: null,
    }),
  });
  it("returns the server's object, and the decision resumes with the response", () => {
    const whys: string[] = [];
    const cluster = createCluster({
      controllers: () => [asker],
      warmUpMs: 0,
      latency: { api: 0, watch: 60_000 },
      onObservation: (observation) => {
        if (observation.type === 'reconcile' && observation.key === 'a') whys.push(observation.why);
      },
    });
    make(cluster, 'a');
    cluster.runUntil(cluster.now + 61_000);
    make(cluster, 'b');
    label(cluster, 'a', 'b');
    cluster.runUntil(cluster.now + 61_000);
    expect(whys).toEqual(['the server may know more', 'asked: it is not there', 'the server may know more', 'asked: it is b']);
  });
});
