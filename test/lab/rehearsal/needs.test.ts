/** The cluster that manifests need. */
import { describe, expect, it } from 'vitest';
import { namespacesFor, nodesFor, storageFor, workloadsOf } from '../../../src/lab/rehearsal/needs.ts';

const manifest = (kind: string, spec: object, metadata: object = {}): Record<string, unknown> => ({
  kind,
  metadata: { name: 'a', ...metadata },
  spec,
});
const podSpec = (requests: object = {}, more: object = {}): object => ({
  containers: [{ name: 'c', image: 'i', resources: { requests } }],
  ...more,
});
const deployment = (replicas: number, spec: object): Record<string, unknown> => manifest('Deployment', { replicas, template: { spec } });
const nodes = (...manifests: readonly Record<string, unknown>[]) => nodesFor(workloadsOf(manifests));
/** The number of nodes and what one of them has. */
const size = (...manifests: readonly Record<string, unknown>[]) => [nodes(...manifests).length, nodes(...manifests)[0]?.capacity];

describe('workloads', () => {
  it('are templates of any kind with their counts, and limits as requests', () => {
    const container = { name: 'c', image: 'i', resources: { limits: { cpu: '2', memory: '1' }, requests: { cpu: '1' } } };
    const spec = { containers: [container] };
    const all = workloadsOf([
      manifest('Pod', spec),
      manifest('Deployment', { replicas: 0, template: { spec } }),
      manifest('Job', { parallelism: 3, template: { spec } }),
      manifest('CronJob', { jobTemplate: { spec: { parallelism: 2, template: { spec } } } }),
      manifest('Deployment', { replicas: 'x', template: { spec: { containers: [{ name: 'd' }] } } }),
      manifest('Deployment', { template: { spec: {} } }),
      manifest('ConfigMap', {}),
      { kind: 'Secret' },
      { kind: 'Other', spec: [] },
    ]);
    expect(all.map(({ object, replicas, spec: { containers } }) => [object['kind'], replicas, containers[0]?.resources])).toEqual([
      ['Pod', 1, { limits: { cpu: '2', memory: '1' }, requests: { cpu: '1', memory: '1' } }],
      ['Deployment', 0, { limits: { cpu: '2', memory: '1' }, requests: { cpu: '1', memory: '1' } }],
      ['Job', 3, { limits: { cpu: '2', memory: '1' }, requests: { cpu: '1', memory: '1' } }],
      ['CronJob', 2, { limits: { cpu: '2', memory: '1' }, requests: { cpu: '1', memory: '1' } }],
      ['Deployment', 1, { requests: {} }],
    ]);
  });
});

describe('nodes', () => {
  it('are three in three zones with ordinary room', () => {
    expect(nodes()).toEqual([
      {
        name: 'node-0',
        capacity: { cpu: '4', memory: '16Gi', pods: '110' },
        labels: { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/hostname': 'node-0' },
      },
      {
        name: 'node-1',
        capacity: { cpu: '4', memory: '16Gi', pods: '110' },
        labels: { 'topology.kubernetes.io/zone': 'b', 'kubernetes.io/hostname': 'node-1' },
      },
      {
        name: 'node-2',
        capacity: { cpu: '4', memory: '16Gi', pods: '110' },
        labels: { 'topology.kubernetes.io/zone': 'c', 'kubernetes.io/hostname': 'node-2' },
      },
    ]);
    expect(nodesFor([], 1).map(({ labels }) => labels)).toEqual([
      { 'topology.kubernetes.io/zone': 'a', 'kubernetes.io/hostname': 'node-0' },
    ]);
  });

  it('have room for what rolls, and for the largest pod twice', () => {
    expect(size(deployment(5, podSpec({ cpu: '1', memory: '1Gi' })))).toEqual([3, { cpu: '4', memory: '16Gi', pods: '110' }]);
    expect(size(deployment(6, podSpec({ cpu: '1', memory: '1Gi' })))).toEqual([4, { cpu: '4', memory: '16Gi', pods: '110' }]);
    expect(size(deployment(30, podSpec({ memory: '1Gi' })))).toEqual([4, { cpu: '4', memory: '16Gi', pods: '110' }]);
    expect(size(deployment(200, podSpec()))).toEqual([4, { cpu: '4', memory: '16Gi', pods: '110' }]);
    expect(size(deployment(1, podSpec({ cpu: '2500m', memory: '9Gi' })))).toEqual([3, { cpu: '5', memory: '18Gi', pods: '110' }]);
    expect(size(deployment(1, podSpec({ memory: '9000Mi' })))).toEqual([3, { cpu: '4', memory: '18874368000', pods: '110' }]);
    expect(size(manifest('DaemonSet', { replicas: 9, template: { spec: podSpec({ cpu: '4' }) } }))).toEqual([
      3,
      { cpu: '8', memory: '16Gi', pods: '110' },
    ]);
    expect(size(deployment(9000, podSpec({ cpu: '1' })))[0]).toEqual(500);
  });

  it('have what is extended, for all that ask', () => {
    expect(size(deployment(0, podSpec({ 'a.b/gpu': '2' })), deployment(3, podSpec({ 'a.b/gpu': '1', 'c.d/x': '1' })))).toEqual([
      3,
      { cpu: '4', memory: '16Gi', pods: '110', 'a.b/gpu': '5', 'c.d/x': '3' },
    ]);
  });

  it('are enough for pods that keep apart', () => {
    const apart = (topologyKey: string) => ({
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
    });
    expect(nodes(deployment(4, podSpec({}, apart('kubernetes.io/hostname')))).length).toEqual(6);
    expect(nodes(deployment(4, podSpec({}, apart('topology.kubernetes.io/zone')))).length).toEqual(3);
    expect(nodes(deployment(4, podSpec({}, { affinity: { podAntiAffinity: {} } }))).length).toEqual(3);
  });

  it('have the labels that pods ask for, in groups where they contradict one another', () => {
    const asking = (nodeSelector: object, ...matchExpressions: readonly object[]) =>
      deployment(
        1,
        podSpec(
          {},
          {
            nodeSelector,
            affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
          },
        ),
      );
    const labels = nodes(
      asking(
        { disk: 'ssd', 'kubernetes.io/hostname': 'x', 'topology.kubernetes.io/zone': 'z' },
        { key: 'arch', operator: 'In', values: ['arm', 'x86'] },
        { key: 'gpu', operator: 'Exists' },
        { key: 'no', operator: 'NotIn', values: ['a'] },
      ),
      asking({ disk: 'hdd' }),
      asking({ tier: 'a', disk: 'hdd' }),
    ).map(({ labels: each }) => each);
    expect(labels).toEqual([
      { 'topology.kubernetes.io/zone': 'a', disk: 'ssd', arch: 'arm', gpu: 'yes', 'kubernetes.io/hostname': 'node-0' },
      { 'topology.kubernetes.io/zone': 'a', disk: 'hdd', tier: 'a', 'kubernetes.io/hostname': 'node-1' },
      { 'topology.kubernetes.io/zone': 'b', disk: 'ssd', arch: 'arm', gpu: 'yes', 'kubernetes.io/hostname': 'node-2' },
      { 'topology.kubernetes.io/zone': 'b', disk: 'hdd', tier: 'a', 'kubernetes.io/hostname': 'node-3' },
      { 'topology.kubernetes.io/zone': 'c', disk: 'ssd', arch: 'arm', gpu: 'yes', 'kubernetes.io/hostname': 'node-4' },
      { 'topology.kubernetes.io/zone': 'c', disk: 'hdd', tier: 'a', 'kubernetes.io/hostname': 'node-5' },
    ]);
  });
});

describe('storage', () => {
  const claim = (storageClassName?: string) =>
    manifest('PersistentVolumeClaim', storageClassName === undefined ? {} : { storageClassName });
  const storageClass = (name: string, provisioner: string, annotations: object = {}) => ({
    kind: 'StorageClass',
    metadata: { name, annotations },
    provisioner,
  });
  const classes = (...manifests: readonly Record<string, unknown>[]) =>
    storageFor(manifests).map(({ name, storageClasses }) => [name, storageClasses]);

  it('is a driver for classes that claims name, with a default where one is asked for', () => {
    expect(storageFor([claim('b'), claim('a'), claim(), claim('')])).toEqual([
      {
        name: 'disks.example',
        attachDelayMs: 1000,
        detachDelayMs: 1000,
        provisionDelayMs: 2000,
        expandDelayMs: 2000,
        storageClasses: [
          { name: 'a', allowVolumeExpansion: true },
          { name: 'b', allowVolumeExpansion: true },
          { name: 'standard', isDefault: true, allowVolumeExpansion: true },
        ],
      },
    ]);
    expect(classes(claim(''), manifest('Deployment', {}))).toEqual([]);
    expect(classes(manifest('StatefulSet', { volumeClaimTemplates: [{ spec: { storageClassName: 's' } }, { spec: {} }] }))).toEqual([
      [
        'disks.example',
        [
          { name: 's', allowVolumeExpansion: true },
          { name: 'standard', isDefault: true, allowVolumeExpansion: true },
        ],
      ],
    ]);
  });

  it('has the drivers of classes that are defined', () => {
    const standard = storageClass('s', 'p.example', { 'storageclass.kubernetes.io/is-default-class': 'true' });
    expect(
      classes(
        standard,
        storageClass('t', 'p.example'),
        storageClass('u', 'kubernetes.io/no-provisioner'),
        storageClass('v', 'a.example'),
        claim('s'),
        claim(),
      ),
    ).toEqual([
      ['a.example', []],
      ['p.example', []],
    ]);
    expect(classes(storageClass('s', 'p.example', { 'storageclass.kubernetes.io/is-default-class': 'false' }), claim())).toEqual([
      ['disks.example', [{ name: 'standard', isDefault: true, allowVolumeExpansion: true }]],
      ['p.example', []],
    ]);
  });
});

it('namespaces are those that objects speak of and do not bring', () => {
  const within = (namespace: unknown) => manifest('ConfigMap', {}, { namespace });
  expect(
    namespacesFor([
      within('shop'),
      within('default'),
      within('kube-system'),
      within('kube-public'),
      within('kube-node-lease'),
      within('own'),
      within('shop'),
      within(1),
      { kind: 'Namespace', metadata: { name: 'own' } },
    ]),
  ).toEqual([{ name: 'shop' }]);
});
