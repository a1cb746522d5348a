/**
 * The complete state of a cluster as plain data, part by part, for code that copies, hashes or shows it. A component with other state needs
 * a `describe`; this test fails and names it until it has one.
 */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createFingerprinter } from '../../src/engine/index.ts';
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../src/apiserver/machinery/index.ts';
import { createCluster, type Cluster } from '../../src/controlplane/cluster.ts';
import { controllers } from '../../src/controlplane/controllers/index.ts';
import type { Controller } from '../../src/controlplane/runtime/index.ts';
import { stage } from '../../src/lab/simulation/index.ts';
import { readScenarios } from '../../src/surfaces/cli/load.ts';

const NODES = [{ name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '10' } }];
const DRIVERS = [{ name: 'disk.example.com', attachDelayMs: 1, detachDelayMs: 1, provisionDelayMs: 1, storageClasses: [] }];

/** State that a component creates at its start and updates by deltas; lost in a crash, and rebuilt from lists. */
const WITH_STATE: readonly string[] = [
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

const hasState = ({ start }: Controller): boolean => start !== undefined;

it('components with state are known by name', () => {
  const cluster = createCluster({ nodes: NODES, agents: { storageDrivers: DRIVERS } });
  const running = cluster.runtime.names().flatMap((name) => [...(cluster.runtime.process(name)?.running.values() ?? [])]);
  const all = [...controllers(kindsFor(namesFor('orch.io'))), ...running.map(({ controller }) => controller)];
  const found = [...new Set(all.filter(hasState).map(({ name }) => name))].sort((a, b) => (a < b ? -1 : 1));
  expect(found, 'a new one is plain data or has `describe`, and a world in which it is told').toEqual(WITH_STATE);
});

/** The fingerprint of each part; throws where something is not plain data. */
function partsOf(cluster: Cluster): ReadonlyMap<string, string> {
  const prints = createFingerprinter();
  const parts = new Map<string, string>();
  cluster.describe((part, value) => {
    if (parts.has(part)) throw new Error(`${part} is told twice`);
    parts.set(part, JSON.stringify(prints.of(value)));
  });
  return parts;
}

/** Shipped scenarios in which, together, every component has state. */
const WORLDS: readonly string[] = [
  'scenarios/job/13-finalizer-accounting.yaml',
  'scenarios/cron-job/01-schedule-fires-allow.yaml',
  'scenarios/daemon-set/05-surge.yaml',
  'scenarios/deployment/12-drain-with-a-budget.yaml',
  'scenarios/decisions/08-hints-by-zone.yaml',
  'scenarios/decisions/05-storage-capacity.yaml',
  'scenarios/lease/03-graceful-hand-over.yaml',
];
const { scenarios } = readScenarios(WORLDS, { cwd: resolve(import.meta.dirname, '../..') });

it('every part of a world is plain data, at any moment of it', { timeout: 60_000 }, () => {
  const reported = new Set<string>();
  for (const { scenario } of scenarios) {
    const staged = stage(scenario, { digest: false, tries: false });
    staged.pauseAt(0);
    for (let events = 0; staged.passing.next().done !== true; events++)
      if (events % 61 === 0) for (const part of partsOf(staged.cluster).keys()) reported.add(part);
  }
  const knowing = [...reported].filter((part) => part.endsWith(' knows')).map((part) => part.split(' ')[1] ?? '');
  expect([...new Set(knowing)].sort((a, b) => (a < b ? -1 : 1))).toEqual(expect.arrayContaining([...WITH_STATE]));
  // There is a part of every sort.
  for (const sort of [
    / has Pod$/,
    / gets Pod$/,
    /^delivery to /,
    /^write of /,
    /^events at /,
    /^machines$/,
    /^chance$/,
    /^beating leases$/,
  ])
    expect(
      [...reported].some((part) => sort.test(part)),
      String(sort),
    ).toBe(true);
});

it('two clusters of one seed have equal descriptions, until they differ', () => {
  const world = (): Cluster => createCluster({ nodes: NODES, latency: { api: 2, watch: 1 }, eagerLeases: true });
  const body = (data: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default' },
    data: { is: data },
  });
  const [one, other] = [world(), world()];
  expect(partsOf(one)).toEqual(partsOf(other));
  one.request('test', { verb: 'create', kind: 'ConfigMap', namespace: 'default', body: body('1') });
  other.request('test', { verb: 'create', kind: 'ConfigMap', namespace: 'default', body: body('2') });
  const [left, right] = [partsOf(one), partsOf(other)];
  const differing = [...left].filter(([part, print]) => right.get(part) !== print).map(([part]) => part);
  expect(differing).toEqual(['objects ConfigMap', 'controller-manager gets ConfigMap']);
});

it('plans and faults are described, with their counters; a fault without a description is refused', () => {
  const cluster = createCluster({ nodes: NODES });
  cluster.plan(cluster.now + 5, 'an action', () => undefined, { how: 1 });
  let left = 2;
  const lift = cluster.addFaults({ describe: () => ['mine', left] });
  const before = partsOf(cluster);
  left--;
  const after = partsOf(cluster);
  expect([...after].filter(([part, print]) => before.get(part) !== print).map(([part]) => part)).toEqual(['fault 0']);
  expect(after.has('operation 1')).toBe(true);
  lift();
  cluster.addFaults({ notice: { process: 'scheduler', says: 'is slow' } });
  expect(() => partsOf(cluster)).toThrow(/\(is slow\) does not describe itself/);
});

it('everything that is pending is plain data, while a Job runs', () => {
  const cluster = createCluster({ nodes: NODES, agents: { storageDrivers: DRIVERS } });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } };
  const metadata = { name: 'a', namespace: 'default', annotations: { 'sim.orch.io/exit-after': '1' } };
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { completions: 2, template } };
  expect(cluster.request('test', { verb: 'create', kind: 'Job', namespace: 'default', body })).toMatchObject({ ok: true });
  cluster.plan(cluster.now + 1, 'an action', () => undefined);
  const seen = new Set<string>();
  for (let steps = 0; steps < 300 && cluster.step(cluster.now + 10_000); steps++) {
    for (const { event } of cluster.kernel.pending()) {
      seen.add(event.type);
      expect(structuredClone(event)).toEqual(event);
    }
  }
  expect([...seen].sort((a, b) => (a < b ? -1 : 1))).toEqual(['apply', 'deliver', 'due', 'emit', 'expire', 'operation', 'reconcile']);
});
