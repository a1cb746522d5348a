/**
 * A cursor over a trace shows, at each step, exactly the objects in the store (for leases without watchers only that they exist, because
 * their renewals have no entries).
 */
import { expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { cursorAt, recordTrace, type World } from '../../../src/lab/trace/index.ts';

const START = Date.UTC(2024, 2, 1);
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', namespace: 'default' },
  spec: {
    completions: 4,
    parallelism: 2,
    ttlSecondsAfterFinished: 3,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } },
  },
};

const reported = (object: ApiObject): unknown => (object.kind === 'Lease' ? object.metadata.name : object);
const sorted = (objects: Iterable<ApiObject>): readonly string[] =>
  [...objects].map((object) => JSON.stringify(reported(object))).sort((a, b) => (a < b ? -1 : 1));
const worldOf = (world: World): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...world.kinds()].sort((a, b) => (a < b ? -1 : 1)).map((kind) => [kind, sorted(world.list(kind))]));

it('forwards and backwards, at every step', () => {
  const recorder = recordTrace(START);
  const snapshots: Readonly<Record<string, readonly string[]>>[] = [];
  const cluster = createCluster({
    startAt: START,
    nodes: [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '110' } }],
    agents: { podBehaviors: [{ runForMs: 1000, exitCodes: [0, 1, 0] }] },
    onObservation: (observation) => {
      recorder.add(observation);
      // Entries before the start belong to the prologue; the cluster does not exist yet either.
      if (observation.at >= START && started) snapshots.push(snapshot());
    },
  });
  const kinds = cluster.kinds
    .list()
    .map(({ kind }) => kind)
    .sort((a, b) => (a < b ? -1 : 1));
  function snapshot(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      kinds.map((kind) => [kind, sorted(cluster.store.values(kind))] as const).filter(([, objects]) => objects.length > 0),
    );
  }
  const before = recorder.trace.entries.length;
  started = true;
  cluster.request('user', { verb: 'create', kind: 'Job', namespace: 'default', body: job });
  cluster.runUntilSettled(START + 600_000);

  expect(snapshots.length).toBeGreaterThan(100);
  const cursor = cursorAt(recorder.trace, 0);
  const wrong = (at: number): readonly string[] => {
    cursor.moveTo(before + at + 1);
    const world = worldOf(cursor);
    return kinds.filter((kind) => JSON.stringify(world[kind]) !== JSON.stringify(snapshots[at]?.[kind])).map((kind) => `${kind} at ${at}`);
  };
  expect(snapshots.flatMap((_, at) => wrong(at))).toEqual([]);
  expect(snapshots.flatMap((_, at) => wrong(snapshots.length - 1 - at))).toEqual([]);
});

let started = false;
