/** What pods use by a dump: what autoscalers measured, their targets, or what the pods request. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { behaviorsIn } from '../../../src/lab/snapshot/index.ts';
import { nodesOf, storageDriversOf, usageOf } from '../../../src/lab/snapshot/machines.ts';
import { objectOf, ownedBy, podOf, snapshotOf } from './objects.ts';

const selector = { matchLabels: { app: 'web' } };
const deployment = objectOf('Deployment', 'web', { spec: { selector } });
const set = objectOf('ReplicaSet', 'web-1', { spec: {} }, ownedBy(deployment));
const whose = { namespace: 'shop', selector };
const measured = (name: string, averageValue: string | undefined) => ({ type: 'Resource', resource: { name, current: { averageValue } } });
const target = (name: string, averageUtilization: number | undefined) => ({
  type: 'Resource',
  resource: { name, target: { averageUtilization } },
});
const scalerOf = (
  status: object | undefined,
  metrics: readonly object[] = [],
  ref: object = { kind: 'Deployment', name: 'web' },
): ApiObject => objectOf('HorizontalPodAutoscaler', 'auto', { spec: { scaleTargetRef: ref, metrics }, status });

describe('suggested usage', () => {
  const usage = (requests: object, pods: number, ...more: readonly ApiObject[]) =>
    behaviorsIn(snapshotOf([deployment, set, ...Array.from({ length: pods }, (_, nth) => podOf(`p${nth}`, set, { requests })), ...more]))
      .usage;

  it('is what the pods request, where they do', () => {
    expect(usage({ cpu: '250m', memory: '64Mi' }, 2)).toEqual([
      { about: 'Deployment shop/web: what its pods request', entry: { ...whose, cpu: '250m', memory: '64Mi' } },
    ]);
    expect(usage({ cpu: '1' }, 1)).toEqual([{ about: 'Deployment shop/web: what its pods request', entry: { ...whose, cpu: '1000m' } }]);
    expect(usage({ memory: '1000001' }, 1)).toEqual([
      { about: 'Deployment shop/web: what its pods request', entry: { ...whose, memory: '1000001' } },
    ]);
    expect([usage({}, 1), usage({ cpu: '1' }, 0)]).toEqual([[], []]);
  });

  it('is what an autoscaler measured, of all pods together; memory is that of each', () => {
    const scaler = scalerOf({ currentMetrics: [measured('cpu', '100m'), measured('memory', '32Mi')] });
    const about = 'Deployment shop/web: what HorizontalPodAutoscaler auto measured last, of all its pods together';
    expect(usage({ cpu: '250m', memory: '64Mi' }, 3, scaler)).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '300m' } },
      { about: 'Deployment shop/web: memory', entry: { ...whose, memory: '32Mi' } },
    ]);
    expect(usage({}, 1, scalerOf({ currentMetrics: [measured('memory', '5')] }))).toEqual([
      { about, entry: { ...whose, shared: true } },
      { about: 'Deployment shop/web: memory', entry: { ...whose, memory: '5' } },
    ]);
    expect(usage({ memory: '2Mi' }, 1, scalerOf({ currentMetrics: [measured('cpu', '7m')] }))).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '7m' } },
      { about: 'Deployment shop/web: memory', entry: { ...whose, memory: '2Mi' } },
    ]);
    expect(usage({}, 1, scalerOf({ currentMetrics: [measured('cpu', '7m')] }))).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '7m' } },
    ]);
  });

  it('is the target of an autoscaler that has measured nothing', () => {
    const about = 'Deployment shop/web: HorizontalPodAutoscaler auto has measured nothing: its target, of all its pods together';
    expect(usage({ cpu: '250m', memory: '10Mi' }, 3, scalerOf({}, [target('cpu', 50), target('memory', 80)]))).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '375m' } },
      { about: 'Deployment shop/web: memory', entry: { ...whose, memory: '8Mi' } },
    ]);
    expect(usage({ cpu: '250m' }, 1, scalerOf(undefined, [target('memory', 80)]))).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '250m' } },
    ]);
    expect(usage({ cpu: '250m' }, 1, scalerOf({}, [target('cpu', undefined)]))).toEqual([
      { about, entry: { ...whose, shared: true, cpu: '250m' } },
    ]);
    expect(usage({ memory: '10Mi' }, 1, scalerOf({}, [target('cpu', 50)]))).toEqual([
      { about, entry: { ...whose, shared: true } },
      { about: 'Deployment shop/web: memory', entry: { ...whose, memory: '10Mi' } },
    ]);
  });

  it('is not that of an autoscaler of another workload', () => {
    const other = scalerOf({ currentMetrics: [measured('cpu', '100m')] }, [], { kind: 'StatefulSet', name: 'web' });
    expect(usage({ cpu: '1' }, 1, other)).toEqual([
      { about: 'Deployment shop/web: what its pods request', entry: { ...whose, cpu: '1000m' } },
    ]);
  });
});

describe('the usage of a restored cluster', () => {
  it('is what autoscalers measured last, shared by the pods of their targets', () => {
    const measurements = { currentReplicas: 3, currentMetrics: [measured('cpu', '100m'), measured('memory', '1Ki')] };
    expect(usageOf([deployment, scalerOf(measurements)])).toEqual([
      { ...whose, shared: true, cpu: { shape: 'constant', is: 300 }, memory: { shape: 'constant', is: 1024 } },
    ]);
    expect(usageOf([deployment, scalerOf({ ...measurements, currentReplicas: 0, currentMetrics: [measured('cpu', '100m')] })])).toEqual([
      { ...whose, shared: true, cpu: { shape: 'constant', is: 100 } },
    ]);
    expect(usageOf([deployment, scalerOf({ currentMetrics: [measured('memory', '7')] })])).toEqual([
      { ...whose, shared: true, memory: { shape: 'constant', is: 7 } },
    ]);
  });

  it('is not known without a measurement, a target or its selector', () => {
    const cpu = { currentMetrics: [measured('cpu', '100m')] };
    expect(usageOf([deployment, scalerOf(undefined)])).toEqual([]);
    expect(usageOf([deployment, scalerOf({ currentMetrics: [measured('cpu', undefined)] })])).toEqual([]);
    expect(usageOf([scalerOf(cpu)])).toEqual([]);
    expect(usageOf([objectOf('Deployment', 'web', { spec: {} }), scalerOf(cpu)])).toEqual([]);
    expect(usageOf([objectOf('Deployment', 'web', { spec: { selector } }, { namespace: 'other' }), scalerOf(cpu)])).toEqual([]);
  });
});

describe('machines', () => {
  it('are those of nodes; one whose state is unknown is down', () => {
    const nodeOf = (name: string, status: object, spec: object = {}, labels?: object) =>
      objectOf('Node', name, { spec, status }, { namespace: undefined, ...(labels === undefined ? {} : { labels }) });
    const ready = (status: string) => ({
      conditions: [
        { type: 'MemoryPressure', status: 'Unknown' },
        { type: 'Ready', status },
      ],
    });
    expect(
      nodesOf([
        nodeOf('a', { capacity: { cpu: '2' }, ...ready('True') }, { podCIDR: '10.0.0.0/24' }, { zone: 'x' }),
        nodeOf('b', ready('Unknown')),
        nodeOf('c', ready('False')),
        nodeOf('d', {}),
        deployment,
      ]),
    ).toEqual([
      { name: 'a', restored: 'up', capacity: { cpu: '2' }, labels: { zone: 'x' }, podCIDR: '10.0.0.0/24' },
      { name: 'b', restored: 'down', capacity: {} },
      { name: 'c', restored: 'up', capacity: {} },
      { name: 'd', restored: 'up', capacity: {} },
    ]);
  });
});

describe('storage drivers', () => {
  const driver = (name: string, more: object = {}) => ({
    name,
    attachDelayMs: 1_000,
    detachDelayMs: 1_000,
    provisionDelayMs: 2_000,
    expandDelayMs: 2_000,
    storageClasses: [],
    ...more,
  });

  it('are those of which classes, volumes, nodes and attachments speak, each once', () => {
    const found = storageDriversOf([
      objectOf('StorageClass', 's1', { provisioner: 'b.io' }),
      objectOf('StorageClass', 's2', { provisioner: 'kubernetes.io/no-provisioner' }),
      objectOf('StorageClass', 's3'),
      objectOf('CSIDriver', 'a.io', { spec: { attachRequired: false } }),
      objectOf('CSIDriver', 'b.io', { spec: { attachRequired: true } }),
      objectOf('VolumeAttachment', 'v1', { spec: { attacher: 'c.io' } }),
      objectOf('VolumeAttachment', 'v2', { spec: {} }),
      objectOf('PersistentVolume', 'p1', { spec: { csi: { driver: 'd.io' } } }),
      objectOf('PersistentVolume', 'p2', { spec: {} }),
      objectOf('CSINode', 'n1', { spec: { drivers: [{ name: 'e.io' }, { name: 'b.io' }] } }),
      objectOf('CSINode', 'n2', { spec: { drivers: null } }),
      objectOf('CSINode', 'n3'),
      objectOf('Other', 'x', { provisioner: 'x.io', spec: { attacher: 'y.io', csi: { driver: 'z.io' }, drivers: [{ name: 'w.io' }] } }),
    ]);
    expect(found).toEqual([driver('a.io', { attachRequired: false }), ...['b.io', 'c.io', 'd.io', 'e.io'].map((name) => driver(name))]);
    expect(storageDriversOf([deployment])).toEqual([]);
  });
});
