/**
 * What of a world is not plain data yet, by name: whoever wants to copy, hash or show a whole world has to describe these first. New state of
 * a component comes with a description, or with a line here that says why not; one that is described or gone leaves the list.
 */
import { expect, it } from 'vitest';
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../src/apiserver/vocabulary/index.ts';
import { createCluster } from '../../src/controlplane/cluster.ts';
import { controllers } from '../../src/controlplane/controllers/index.ts';
import type { Controller } from '../../src/controlplane/runtime/index.ts';

const NODES = [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '10' } }];
const DRIVERS = [{ name: 'disk.example.com', attachDelayMs: 1, detachDelayMs: 1, provisionDelayMs: 1, storageClasses: [] }];

/** State that a component makes when it starts and keeps up by deltas; lost in a crash, and rebuilt from lists. */
const UNDESCRIBED_STATE: readonly string[] = [
  'attach-detach',
  'claim-binder',
  'claim-protection',
  'cron-job',
  'daemon-set',
  'disruption',
  'endpoint-slice',
  'endpoint-slice-mirroring',
  'endpoints',
  'garbage-collector',
  'node-lifecycle',
  'node-registration',
  'pod-gc',
  'pod-runner',
  'provisioner',
  'resource-quota',
  'scheduler',
  'volume-binder',
];

/*
 * Beside these: deeds of the driver (`cluster.plan`: a number names a function), fault rules (`cluster.addFaults`), containers on machines
 * (`agents/node/machine.ts`), checkers of invariants, and the position of a scenario (a loop over its steps).
 */
const hasState = ({ start }: Controller): boolean => start !== undefined;

it('component states are listed by name, as long as nothing describes them', () => {
  const cluster = createCluster({ nodes: NODES, agents: { storageDrivers: DRIVERS } });
  const running = cluster.runtime.names().flatMap((name) => [...(cluster.runtime.process(name)?.running.values() ?? [])]);
  const all = [...controllers(kindsFor(namesFor('orch.io'))), ...running.map(({ controller }) => controller)];
  const found = [...new Set(all.filter(hasState).map(({ name }) => name))].sort((a, b) => (a < b ? -1 : 1));
  expect(found, 'a component that keeps state is described, or named here').toEqual(UNDESCRIBED_STATE);
});

it('everything that is pending is plain data, while a Job runs', () => {
  const cluster = createCluster({ nodes: NODES, agents: { storageDrivers: DRIVERS } });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } };
  const metadata = { name: 'a', namespace: 'default', annotations: { 'sim.orch.io/exit-after': '1' } };
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { completions: 2, template } };
  expect(cluster.request('test', { verb: 'create', kind: 'Job', namespace: 'default', body })).toMatchObject({ ok: true });
  cluster.plan(cluster.now + 1, 'a deed', () => undefined);
  const seen = new Set<string>();
  for (let steps = 0; steps < 300 && cluster.step(cluster.now + 10_000); steps++) {
    for (const { event } of cluster.kernel.pending()) {
      seen.add(event.type);
      expect(structuredClone(event)).toEqual(event);
    }
  }
  expect([...seen].sort((a, b) => (a < b ? -1 : 1))).toEqual(['apply', 'deliver', 'due', 'emit', 'expire', 'operation', 'reconcile']);
});
