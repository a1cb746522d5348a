/** Feature gates of controllers and of the server, each switched and observed in a run. */
import { describe, expect, it } from 'vitest';
import type { DaemonSet, Job, Node, Pod } from '../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const run = (gates: string, steps: string, cluster = 'nodes: { count: 3 }'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: gates }
spec: { until: 3m, featureGates: ${gates}, cluster: { ${cluster} }, steps: ${steps} }`),
    { trace: true },
  );
const TEMPLATE =
  'selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "c:1" }] } }';

describe('the gate', () => {
  it('NodeOutOfServiceVolumeDetach: the pods of a node that is out of service are deleted, and its volumes are detached at once', () => {
    const cluster = `nodes: [{ name: a }, { name: b, taints: [{ key: later, effect: NoSchedule }] }],
      storageDrivers: [{ name: disk.example, storageClasses: [{ name: disk, isDefault: true }] }]`;
    const steps = `[
      { apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: d }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } },
      { apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { tolerations: [{ key: node.orch.io/out-of-service }], containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: d } }] } } },
      { at: 20s, fault: { crash: agent/a } },
      { at: 70s, delete: Pod/p },
      { at: 75s, patch: { target: Node/a, patch: { spec: { taints: [{ key: node.orch.io/out-of-service, effect: NoExecute }] } } } }]`;
    const left = (gates: string): readonly number[] => {
      const { store } = run(gates, steps, cluster).cluster;
      return [[...store.values('Pod')].length, [...store.values('VolumeAttachment')].length];
    };
    expect(left('{}')).toEqual([1, 1]);
    expect(left('{ NodeOutOfServiceVolumeDetach: true }')).toEqual([0, 0]);
  });

  it('ReadWriteOncePod: such a claim is accepted, and serves one pod at a time', () => {
    const cluster = 'nodes: [{ name: a }], storageDrivers: [{ name: disk.example, storageClasses: [{ name: disk, isDefault: true }] }]';
    const pod = (name: string): string =>
      `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: d } }] } } }`;
    const steps = `[
      { apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: d }, spec: { accessModes: [ReadWriteOncePod], resources: { requests: { storage: 1Gi } } } } },
      ${pod('p')}, { at: 10s, ${pod('q').slice(1)}`;
    const seen = (more: string): readonly unknown[] => {
      const { store } = run('{ ReadWriteOncePod: true }', `${steps}${more}]`, cluster).cluster;
      const waiting = store.get('Pod', 'default/q') as Pod | undefined;
      return [waiting?.status.phase, waiting?.status.conditions?.find(({ type }) => type === 'PodScheduled')?.message];
    };
    expect(seen('')).toEqual([
      'Pending',
      '0/1 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ]);
    expect(seen(', { at: 60s, delete: Pod/p }')[0]).toBe('Running');
    // Values that the server would refuse are reported on reading.
    expect(() => run('{}', `${steps}]`, cluster)).toThrow('spec.steps[0].apply.spec.accessModes');
  });

  it('HonorPVReclaimPolicy: the object of a volume stays until its driver has deleted the volume', () => {
    const cluster = (policy: string) =>
      `nodes: [{ name: a }], storageDrivers: [{ name: disk.example, storageClasses: [{ name: disk, isDefault: true, reclaimPolicy: ${policy} }] }]`;
    // The object is deleted before its claim, while the driver is down.
    const steps = `[
      { apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: d }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } },
      { at: 20s, fault: { crash: storage-driver/disk.example } },
      { at: 21s, delete: { target: { kind: PersistentVolume, nth: 1 } } },
      { at: 30s, delete: PersistentVolumeClaim/d }`;
    const left = (gates: string, more: string, policy = 'Delete'): readonly (readonly string[])[] =>
      [...run(gates, `${steps}${more}]`, cluster(policy)).cluster.store.values('PersistentVolume')].map(
        ({ metadata }) => metadata.finalizers ?? [],
      );
    const back = ', { at: 60s, fault: { restart: storage-driver/disk.example } }';
    expect(left('{}', '')).toEqual([]);
    expect(left('{ HonorPVReclaimPolicy: true }', '')).toEqual([['external-provisioner.volume.orch.io/finalizer']]);
    expect(left('{ HonorPVReclaimPolicy: true }', back)).toEqual([]);
    expect(left('{ HonorPVReclaimPolicy: true }', '', 'Retain')).toEqual([]);
    // A claim that goes first takes its volume with it, as without the gate.
    const released = `[${steps.slice(1, steps.indexOf('{ at: 20s'))} { at: 30s, delete: PersistentVolumeClaim/d }]`;
    const { store } = run('{ HonorPVReclaimPolicy: true }', released, cluster('Delete')).cluster;
    expect([...store.values('PersistentVolume')]).toEqual([]);
  });

  it('APIServerIdentity: the API server has a lease, and clears away those of servers that are gone', () => {
    const other = (name: string, renewTime: string): string =>
      `{ apply: { apiVersion: coordination.orch.io/v1, kind: Lease, metadata: { namespace: orch-system, name: ${name}, labels: { orch.io/component: orch-apiserver } }, spec: { holderIdentity: ${name}, leaseDurationSeconds: 3600, renewTime: "${renewTime}" } } }`;
    const seen = (gates: string, until = '30s') => {
      const ran = simulate(
        scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: identity }
spec: { until: ${until}, startTime: "2026-01-01T00:00:00Z", featureGates: ${gates}, cluster: { nodes: { count: 1 } }, steps: [
  ${other('old', '2025-12-31T23:30:00.000000Z')}, ${other('new', '2026-01-01T00:30:00.000000Z')}] }`),
      );
      const leases = [...ran.cluster.store.values('Lease')].filter(({ metadata }) => metadata.namespace === 'orch-system');
      const own = leases.find(({ metadata }) => metadata.name.startsWith('orch-apiserver-'));
      return [
        own?.metadata.labels,
        own?.spec.leaseDurationSeconds,
        own?.spec.renewTime,
        leases.map(({ metadata }) => metadata.name).length,
      ];
    };
    const on = '{ APIServerIdentity: true }';
    expect(seen('{}')).toEqual([undefined, undefined, undefined, 2]);
    expect(seen(on)).toEqual([{ 'orch.io/component': 'orch-apiserver' }, 3600, expect.stringMatching(/^2026-01-01T00:00:[23]0\./), 3]);
    // The next look at others is an hour later: one of them has run out then.
    expect(seen(on, '61m')[3]).toBe(2);
    expect(seen('{}', '61m')[3]).toBe(2);
  });

  it('CSIDriverRegistry: without it volumes are attached although their driver needs no attachment', () => {
    const cluster =
      'nodes: [{ name: a }], storageDrivers: [{ name: disk.example, attachRequired: false, storageClasses: [{ name: disk, isDefault: true }] }]';
    const steps = `[
      { apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: d }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } },
      { apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: d } }] } } }]`;
    const seen = (gates: string): readonly unknown[] => {
      const { store } = run(gates, steps, cluster).cluster;
      return [(store.get('Pod', 'default/p') as Pod | undefined)?.status.phase, [...store.values('VolumeAttachment')].length];
    };
    expect([seen('{}'), seen('{ CSIDriverRegistry: false }')]).toEqual([
      ['Running', 0],
      ['Running', 1],
    ]);
  });

  it('JobReadyPods: without it the status of a Job has no count of ready pods', () => {
    const steps =
      '[{ apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }]';
    const ready = (gates: string): number | undefined =>
      (run(gates, steps).cluster.store.get('Job', 'default/a') as Job | undefined)?.status.ready;
    expect(ready('{}')).toBeTypeOf('number');
    expect(ready('{ JobReadyPods: false }')).toBeUndefined();
  });

  it('LocalStorageCapacityIsolation: without it ephemeral storage is no resource of a node, and its limits are not enforced', () => {
    const cluster =
      'nodes: [{ name: a, capacity: { ephemeral-storage: 10Gi } }], usage: [{ selector: { matchLabels: { app: log } }, disk: { from: 0, to: 2Gi, over: 1m } }]';
    const pod = (name: string, resources: string): string =>
      `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name}, labels: { app: ${name} } }, spec: { containers: [{ name: c, image: "c:1", resources: ${resources} }] } } }`;
    const steps = `[${pod('large', '{ requests: { ephemeral-storage: 1Ti } }')}, ${pod('log', '{ limits: { ephemeral-storage: 1Gi } }')}]`;
    const seen = (gates: string): readonly unknown[] => {
      const { store } = run(gates, steps, cluster).cluster;
      const phases = ['large', 'log'].map((name) => (store.get('Pod', `default/${name}`) as Pod | undefined)?.status.phase);
      return [...phases, (store.get('Node', 'a') as Node | undefined)?.status.capacity?.['ephemeral-storage']];
    };
    expect(seen('{}')).toEqual(['Pending', 'Failed', '10Gi']);
    expect(seen('{ LocalStorageCapacityIsolation: false }')).toEqual(['Running', 'Running', undefined]);
  });

  it('DaemonSetUpdateSurge: without it no second pod is created beside the first, and the field is dropped', () => {
    const steps = (maxUnavailable: number): string => `[
      { apply: { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: a }, spec: { updateStrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: ${maxUnavailable} } }, ${TEMPLATE} } } },
      { at: 20s, patch: { target: DaemonSet/a, patch: { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } } } }]`;
    const most = (gates: string, maxUnavailable: number): readonly [surge: unknown, pods: number] => {
      const ran = run(gates, steps(maxUnavailable));
      let now = 0;
      let seen = 0;
      for (const entry of ran.trace?.entries ?? [])
        if (entry.type === 'write' && entry.change.kind === 'Pod') {
          now += entry.change.type === 'ADDED' ? 1 : entry.change.type === 'DELETED' ? -1 : 0;
          seen = Math.max(seen, now);
        }
      const set = ran.cluster.store.get('DaemonSet', 'default/a') as DaemonSet | undefined;
      return [set?.spec.updateStrategy.rollingUpdate?.maxSurge, seen];
    };
    const [surge, together] = most('{}', 0);
    expect(surge).toBe(1);
    expect(together).toBeGreaterThan(3);
    expect(most('{ DaemonSetUpdateSurge: false }', 1)).toEqual([undefined, 3]);
  });

  it('HPAScaleToZero lets an autoscaler scale to zero, HPAContainerMetrics lets it read one container', () => {
    const scaler = (more: string): string =>
      `[{ apply: { apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: a }, spec: { scaleTargetRef: { kind: ReplicaSet, name: a, apiVersion: apps/v1 }, maxReplicas: 3, ${more} } } }]`;
    const zero = scaler(
      'minReplicas: 0, metrics: [{ type: External, external: { metric: { name: q }, target: { type: Value, value: 1 } } }]',
    );
    const container = scaler(
      'metrics: [{ type: ContainerResource, containerResource: { name: cpu, container: c, target: { type: Utilization, averageUtilization: 50 } } }]',
    );
    for (const [gate, steps] of [
      ['HPAScaleToZero', zero],
      ['HPAContainerMetrics', container],
    ] as const) {
      expect(run(`{ ${gate}: true }`, steps).failures).toEqual([]);
      // Without the gate the manifest is refused before the run, at the value.
      const field = gate === 'HPAScaleToZero' ? 'minReplicas' : 'metrics[0].containerResource';
      expect(() => run('{}', steps)).toThrow(`spec.steps[0].apply.spec.${field}`);
    }
  });
});
