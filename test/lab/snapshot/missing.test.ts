/** What a dump lacks and a cluster has: it is made as it must have been, and each is said once. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { missing } from '../../../src/lab/snapshot/missing.ts';
import { at, objectOf, ownedBy, podOf } from './objects.ts';

const names = namesFor('k8s.io');
const NOW = Date.parse(at(60));
const madeFor = (...objects: readonly ApiObject[]) => missing({ objects, names, now: NOW });
const made = (kind: string, ...objects: readonly ApiObject[]) =>
  madeFor(...objects)
    .made.filter((object) => object.kind === kind)
    .map(({ metadata: { uid: _uid, creationTimestamp, resourceVersion, ...metadata }, ...object }) => {
      expect([creationTimestamp, resourceVersion]).toEqual([at(60), '']);
      return { ...object, metadata };
    });
const notes = (...objects: readonly ApiObject[]) => madeFor(...objects).notes;
const node = (name: string, ready = 'True') =>
  objectOf('Node', name, { spec: {}, status: { conditions: [{ type: 'Ready', status: ready }] } }, { namespace: undefined });
const on = (pod: ApiObject, nodeName: string, status: object = {}): ApiObject => ({
  ...pod,
  spec: { ...(pod['spec'] as object), nodeName },
  status: { ...(pod['status'] as object), ...status },
});

it('objects that are made have uids of their own', () => {
  const uids = madeFor(objectOf('ConfigMap', 'a')).made.map(({ metadata }) => metadata.uid);
  expect(uids.slice(0, 2)).toEqual(['00000000-0000-4000-8000-000010000000', '00000000-0000-4000-8000-000010000001']);
  expect(new Set(uids).size).toBe(uids.length);
});

describe('nodes', () => {
  const nodeOf = (name: string, resources: object, address?: string) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
    spec: {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'made for the pods of a dump',
          lastHeartbeatTime: at(60),
          lastTransitionTime: at(60),
        },
      ],
      addresses: [...(address === undefined ? [] : [{ type: 'InternalIP', address }]), { type: 'Hostname', address: name }],
      nodeInfo: { machineID: name },
    },
  });
  const LEAST = { cpu: '4', memory: '8589934592', pods: '110' };

  it('are made for the names of which pods speak, with room for what runs there', () => {
    const pods = [
      on(podOf('a', undefined, { requests: { cpu: '3', memory: '9Gi', 'x.io/gpu': '1' } }), 'n1'),
      on(podOf('b', undefined, { requests: { cpu: '1500m', memory: '1', 'x.io/gpu': '2' } }), 'n1', { hostIP: '10.0.0.1' }),
      on(podOf('c', undefined, {}), 'n2'),
      on(podOf('d', undefined, {}), ''),
      podOf('e', undefined, {}),
    ];
    expect(made('Node', ...pods)).toEqual([
      nodeOf('n1', { cpu: '5', memory: String(9 * 2 ** 30 + 1), pods: '110', 'x.io/gpu': '3' }, '10.0.0.1'),
      nodeOf('n2', LEAST),
    ]);
    expect(notes(...pods)[2]).toBe(
      'the dump has no nodes: 2 are made, for the names that pods speak of, with the capacity of what runs there',
    );
    expect(made('Node', ...pods, node('n1'))).toEqual([nodeOf('n2', LEAST)]);
    expect(notes(...pods, node('n1'))).toContain(
      'the dump lacks 1 node: 1 is made, for the names that pods speak of, with the capacity of what runs there',
    );
    expect(made('Node', ...Array.from({ length: 111 }, (_, nth) => on(podOf(`p${nth}`, undefined), 'n2')))).toEqual([
      nodeOf('n2', { ...LEAST, pods: '111' }),
    ]);
  });

  it('that are there hold their leases, unless they are silent', () => {
    const lease = (name: string) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name,
        namespace: 'kube-node-lease',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: `uid-Node-${name}` }],
      },
      spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: at(60).replace('Z', '.000000Z') },
    });
    const nodes = [node('n1'), node('n2', 'Unknown'), node('n3', 'False')];
    expect(made('Lease', ...nodes)).toEqual([lease('n1'), lease('n3')]);
    expect(notes(...nodes)).toContain('the dump lacks the leases of 2 nodes: made, and held');
    expect(made('Lease', ...nodes, objectOf('Lease', 'n1', {}, { namespace: 'kube-node-lease' }), objectOf('Lease', 'n3'))).toEqual([
      lease('n3'),
    ]);
    expect(made('Lease', on(podOf('a', undefined), 'new'))).toMatchObject([
      { metadata: { name: 'new', ownerReferences: [{ uid: expect.stringMatching(/^00000000-/) as unknown }] } },
    ]);
  });
});

describe('revisions', () => {
  const template = { template: { metadata: { labels: {} }, spec: { containers: [] } } };
  const stateful = objectOf('StatefulSet', 'db', { spec: template, status: { updateRevision: 'db-7' } });
  const daemon = objectOf('DaemonSet', 'log', { spec: template, status: {} });
  const podAt = (name: string, labels: object, owner = daemon): ApiObject =>
    objectOf('Pod', name, { spec: { containers: [] }, status: {} }, { labels, ...ownedBy(owner) });
  const found = (...objects: readonly ApiObject[]) =>
    made('ControllerRevision', ...objects).map(({ metadata }) => [
      metadata.namespace,
      metadata.name,
      metadata.labels?.['controller-revision-hash'],
    ]);

  it('are made by the names by which pods know them', () => {
    expect(found(stateful, objectOf('StatefulSet', 'none', { spec: template, status: {} }))).toEqual([['shop', 'db-7', 'db-7']]);
    expect(found(stateful, objectOf('ControllerRevision', 'db-7'))).toEqual([]);
    expect(found(stateful, objectOf('ControllerRevision', 'db-7', {}, { namespace: 'other' }))).toHaveLength(1);
    expect(
      found(
        daemon,
        podAt('a', { 'controller-revision-hash': 'old', 'pod-template-generation': '1' }),
        podAt('b', { 'controller-revision-hash': 'new', 'pod-template-generation': '2' }),
        podAt('c', { 'controller-revision-hash': 'old', 'pod-template-generation': '1' }),
      ),
    ).toEqual([['shop', 'log-new', 'new']]);
    expect(found(daemon, podAt('a', {}), podAt('b', { 'controller-revision-hash': 'x' }, stateful))).toEqual([]);
    expect(found(daemon, podAt('a', { 'controller-revision-hash': 'x' }))).toEqual([['shop', 'log-x', 'x']]);
    expect(notes(stateful, daemon, podAt('a', { 'controller-revision-hash': 'x' }))).toContain(
      'the dump lacks 2 ControllerRevisions: made, from the present templates of their sets',
    );
  });
});

describe('drivers', () => {
  const nodes = [node('n1'), node('n2')];
  it('are on each node, where the dump speaks of some and has no CSINodes', () => {
    const driver = objectOf('CSIDriver', 'b.io', { spec: {} }, { namespace: undefined });
    const volume = objectOf('PersistentVolume', 'pv', { spec: { csi: { driver: 'a.io' } } }, { namespace: undefined });
    expect(made('CSINode', ...nodes, driver, volume)).toEqual(
      ['n1', 'n2'].map((name) => ({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: `uid-Node-${name}` }] },
        spec: { drivers: ['a.io', 'b.io'].map((each) => ({ name: each, nodeID: name, topologyKeys: [] })) },
      })),
    );
    expect(notes(...nodes, driver, volume)).toContain(
      'the dump has no CSINodes: made, with a simulated driver for each that is spoken of (a.io, b.io)',
    );
    expect([made('CSINode', ...nodes), made('CSINode', ...nodes, driver, objectOf('CSINode', 'n1', {}, { namespace: undefined }))]).toEqual(
      [[], []],
    );
  });
});

describe('metrics', () => {
  const scaler = (name: string, status?: object) => objectOf('HorizontalPodAutoscaler', name, { spec: { scaleTargetRef: {} }, status });
  const said = (...scalers: readonly ApiObject[]) => notes(...scalers).filter((line) => line.includes('metrics'));
  it('are none in a dump, which is said where there are autoscalers', () => {
    const measured = scaler('a', { currentMetrics: [{}] });
    expect(said()).toEqual([]);
    expect(said(scaler('a'), scaler('b', { currentMetrics: [] }))).toEqual([
      'a dump has no metrics, and the autoscalers had measured nothing: they have no usage to act on, unless spec.cluster.usage states it',
    ]);
    expect(said(measured, scaler('b'))).toEqual([
      'a dump has no metrics: the targets of autoscalers go on with the usage that these measured last, unless spec.cluster.usage states another',
    ]);
  });
});

describe('namespaces', () => {
  const namespace = (name: string, metadata: object = {}) => objectOf('Namespace', name, {}, { namespace: undefined, ...metadata });
  const of = (kind: string, ...objects: readonly ApiObject[]) =>
    made(kind, ...objects).map(({ metadata }) => metadata.namespace ?? metadata.name);

  it('are the usual ones and those of objects, each with its account and certificate', () => {
    const objects = [objectOf('Secret', 's'), objectOf('Secret', 't', {}, { namespace: 'other' }), namespace('default')];
    expect(made('Namespace', ...objects)[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'kube-system', labels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(of('Namespace', ...objects)).toEqual(['kube-system', 'kube-public', 'kube-node-lease', 'shop', 'other']);
    const all = ['default', 'kube-system', 'kube-public', 'kube-node-lease', 'shop', 'other'];
    expect([of('ServiceAccount', ...objects), of('ConfigMap', ...objects)]).toEqual([all, all]);
    expect(made('ServiceAccount', ...objects)[0]).toEqual({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: 'default' },
    });
    expect(notes(...objects)).toEqual([
      'the dump lacks 2 namespaces of its objects (shop, other): made',
      'the dump lacks 6 default ServiceAccounts and 6 ConfigMaps with the root certificate, which every namespace has: made',
    ]);
  });

  it('that end, or have their account, get none; five are named', () => {
    const usual = ['kube-system', 'kube-public', 'kube-node-lease', 'default'].map((name) => namespace(name));
    const account = objectOf('ServiceAccount', 'default', {}, { namespace: 'default' });
    const certificate = objectOf('ConfigMap', 'kube-root-ca.crt', {}, { namespace: 'kube-public' });
    const objects = [
      ...usual,
      namespace('shop', { deletionTimestamp: at(0) }),
      account,
      objectOf('ServiceAccount', 'else', {}, { namespace: 'kube-system' }),
      certificate,
    ];
    expect(of('ServiceAccount', ...objects)).toEqual(['kube-system', 'kube-public', 'kube-node-lease']);
    expect(of('ConfigMap', ...objects)).toEqual(['kube-system', 'kube-node-lease', 'default']);
    const many = Array.from({ length: 6 }, (_, nth) => objectOf('Secret', 's', {}, { namespace: `n${nth}` }));
    expect(notes(...usual, ...many)[0]).toBe('the dump lacks 6 namespaces of its objects (n0, n1, n2, n3, n4, …): made');
    expect(notes(...usual, ...many.slice(1))[0]).toBe('the dump lacks 5 namespaces of its objects (n1, n2, n3, n4, n5): made');
  });

  it('in a cluster of the other names have those', () => {
    const { made: all } = missing({ objects: [], names: namesFor('orch.io'), now: NOW });
    expect(all.filter(({ kind }) => kind === 'Namespace').map(({ metadata, spec }) => [metadata.name, spec])).toEqual(
      ['orch-system', 'orch-public', 'orch-node-lease', 'default'].map((name) => [name, { finalizers: ['orch'] }]),
    );
  });
});
