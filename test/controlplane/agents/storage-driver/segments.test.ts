/** Where a driver puts its volumes, how much capacity is left there, and what it publishes of that. */
import { describe, expect, it } from 'vitest';
import { type ApiObject, keyOf, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { capacityPublisher, chooseSegment } from '../../../../src/controlplane/agents/storage-driver/segments.ts';
import type { StorageDriver } from '../../../../src/controlplane/agents/specs.ts';
import { createCache, type Cache } from '../../../../src/controlplane/runtime/index.ts';
import { decide, enqueued } from '../../../support/reconcile.ts';
import { driverOf } from './objects.ts';

const DRIVER = 'csi.fake.example';
const GI = 1024 ** 3;

const made = (kind: string, name: string, members: object = {}, meta: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, uid: `uid-${name}`, resourceVersion: '1', ...meta }, ...members }) as unknown as ApiObject;
const node = (name: string, labels: object) => made('Node', name, {}, { labels });
const csiNode = (name: string, ...topologyKeys: readonly string[]) =>
  made('CSINode', name, {
    spec: {
      drivers: [
        { name: 'other', nodeID: name, topologyKeys: ['other'] },
        { name: DRIVER, nodeID: name, topologyKeys },
      ],
    },
  });
const storageClass = (name: string, more: object = {}) => made('StorageClass', name, { provisioner: DRIVER, ...more });
const allowing = (...matchLabelExpressions: readonly object[]) => storageClass('fast', { allowedTopologies: [{ matchLabelExpressions }] });
const volume = (name: string, storage: string, at: Readonly<Record<string, string>> = {}, driver = DRIVER) =>
  made('PersistentVolume', name, {
    spec: {
      capacity: { storage },
      csi: { driver, volumeHandle: name },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: Object.entries(at).map(([key, value]) => ({ key, operator: 'In', values: [value] })) }],
        },
      },
    },
  });

/** Node b of zone two, node a of zone one, a node without the label, and one on which the driver does not run. */
const NODES = [
  node('b', { zone: 'two', rack: 'r1' }),
  csiNode('b', 'zone'),
  node('a', { zone: 'one', rack: 'r1' }),
  csiNode('a', 'zone'),
  node('bare', {}),
  csiNode('bare', 'zone'),
  node('else', { zone: 'three' }),
  csiNode('else'),
];

function cacheOf(objects: readonly ApiObject[]): Cache {
  const cache = createCache();
  for (const kind of ['Node', 'CSINode', 'PersistentVolume', 'CSIStorageCapacity']) cache.open(kind);
  for (const object of objects) cache.set(object.kind, keyOf(object), object);
  return cache;
}

interface Asked {
  readonly driver?: Partial<StorageDriver>;
  readonly storage?: ApiObject;
  readonly selected?: string;
  readonly bytes?: number;
  readonly objects?: readonly ApiObject[];
  readonly created?: readonly ApiObject[];
}

function chosen({ driver = {}, storage = storageClass('fast'), selected, bytes = GI, objects = [], created }: Asked): unknown {
  const cache = cacheOf([...NODES, ...objects]);
  const places = created === undefined ? { cache } : { cache, created: created as never };
  return chooseSegment(driverOf({ topologyKeys: ['zone'], ...driver }), storage as never, selected, bytes, places);
}
const EXHAUSTED = { failure: 'rpc error: code = ResourceExhausted desc = there is no room for a volume of this size', exhausted: true };
const failure = (why: string) => ({ failure: `error generating accessibility requirements: ${why}` });
const sized = (zone: string, size: string, maximumVolumeSize?: string) => ({
  topology: { zone },
  size,
  ...(maximumVolumeSize === undefined ? {} : { maximumVolumeSize }),
});

describe('the segment of a new volume', () => {
  const onlyTwo = allowing({ key: 'zone', values: ['two', 'three'] });

  it.each<readonly [string, Asked, unknown]>([
    ['is that of the selected node', { selected: 'b' }, { at: { zone: 'two' } }],
    ['is that of the first node by name, if none is selected', {}, { at: { zone: 'one' } }],
    ['is one that its class allows', { storage: onlyTwo }, { at: { zone: 'two' } }],
    ['is one that its class allows in some term', { storage: storageClass('fast', { allowedTopologies: [{}] }) }, { at: { zone: 'one' } }],
    ['is everywhere without topology', { driver: { topologyKeys: [] }, selected: 'else' }, { at: {} }],
    [
      'must be one that its class allows',
      { storage: onlyTwo, selected: 'a' },
      failure('selected node \'"a"\' topology is not in allowed topologies'),
    ],
    [
      'must have every key of a term',
      { storage: allowing({ key: 'zone', values: ['one'] }, { key: 'rack', values: ['r1'] }) },
      failure('no available topology found'),
    ],
    ['needs the label on the node', { selected: 'bare' }, failure('no topology key found on CSINode bare')],
    ['needs the driver on the node', { selected: 'else' }, failure('no topology key found on CSINode else')],
    ['needs the node', { selected: 'gone' }, failure('no topology key found on CSINode gone')],
  ])('%s', (_name, asked, expected) => {
    expect(chosen(asked)).toEqual(expected);
  });

  it('has a value for each key of the node', () => {
    expect(chosen({ objects: [csiNode('b', 'zone', 'rack')], selected: 'b' })).toEqual({ at: { zone: 'two', rack: 'r1' } });
  });
});

describe('the capacity of a segment', () => {
  const capacity = [sized('one', '3Gi'), sized('two', '5Gi', '2Gi')];
  const asked = (selected: string | undefined, bytes: number, objects: readonly ApiObject[] = [], created?: readonly ApiObject[]) =>
    chosen({
      driver: { capacity },
      bytes,
      objects,
      ...(selected === undefined ? {} : { selected }),
      ...(created === undefined ? {} : { created }),
    });

  it('limits the volume, and so does the greatest size of a volume there', () => {
    expect([3 * GI, 3 * GI + 1].map((bytes) => asked('a', bytes))).toEqual([{ at: { zone: 'one' } }, EXHAUSTED]);
    expect([2 * GI, 2 * GI + 1].map((bytes) => asked('b', bytes))).toEqual([{ at: { zone: 'two' } }, EXHAUSTED]);
  });

  it('is used up by volumes of this driver in the segment, seen or just created', () => {
    const others = [
      volume('v1', '2Gi', { zone: 'two' }),
      volume('v2', '2Gi', { zone: 'one' }, 'other'),
      made('PersistentVolume', 'v3', { spec: {} }),
    ];
    expect(asked('a', 3 * GI, others)).toEqual({ at: { zone: 'one' } });
    const mine = volume('v4', '1Gi', { zone: 'one', rack: 'r9' });
    expect([2 * GI, 2 * GI + 1].map((bytes) => asked('a', bytes, [mine]))).toEqual([{ at: { zone: 'one' } }, EXHAUSTED]);
    expect([GI, GI + 1].map((bytes) => asked('a', bytes, [mine], [volume('v5', '1Gi', { zone: 'one' })]))).toEqual([
      { at: { zone: 'one' } },
      EXHAUSTED,
    ]);
    expect([0, 1].map((bytes) => asked('a', bytes, [volume('v6', '9Gi', { zone: 'one' })]))).toEqual([{ at: { zone: 'one' } }, EXHAUSTED]);
  });

  it('makes the driver choose the next segment, until there is none', () => {
    const full = volume('v', '3Gi', { zone: 'one' });
    expect(asked(undefined, GI, [full])).toEqual({ at: { zone: 'two' } });
    expect(asked(undefined, 3 * GI, [full])).toEqual(EXHAUSTED);
  });

  it('is none where no capacity is stated', () => {
    expect(chosen({ driver: { capacity: [sized('one', '3Gi')] }, selected: 'b' })).toEqual(EXHAUSTED);
  });

  it('counts for a driver without topology too', () => {
    const local = { topologyKeys: [], capacity: [sized('one', '3Gi')] };
    expect([undefined, 'a', 'b'].map((selected) => chosen({ driver: local, ...(selected === undefined ? {} : { selected }) }))).toEqual([
      EXHAUSTED,
      { at: {} },
      EXHAUSTED,
    ]);
    const pool = { topologyKeys: [], capacity: [{ topology: {}, size: '3Gi' }] };
    expect(
      chosen({
        driver: pool,
        bytes: 2 * GI,
        objects: [volume('v', '1Gi'), made('PersistentVolume', 'w', { spec: { csi: { driver: DRIVER } } })],
      }),
    ).toEqual({ at: {} });
  });
});

describe('published capacity', () => {
  const driver = driverOf({ capacity: [sized('one', '3Gi'), { topology: {}, size: '5Gi', maximumVolumeSize: '1Gi' }] });
  const publisher = () => capacityPublisher(driver);
  const published = (name: string, capacity: string, more: object = {}, managedBy = DRIVER) =>
    made(
      'CSIStorageCapacity',
      name,
      { storageClassName: 'fast', capacity, ...more },
      { namespace: 'kube-system', labels: { 'csi.storage.k8s.io/managed-by': managedBy } },
    );
  const first = 'csisc-csi.fake.example-fast-0';
  const second = 'csisc-csi.fake.example-fast-1';
  const patched = (name: string, capacity: string): unknown =>
    expect.objectContaining({ op: 'patch', kind: 'CSIStorageCapacity', name, namespace: 'kube-system', patch: { capacity } });

  it('is an object for each segment', () => {
    const outcome = decide(publisher(), { objects: [storageClass('fast'), volume('v', '1Gi', { zone: 'one' })] });
    const object = (name: string, more: object) => ({
      op: 'create',
      tolerate: ['AlreadyExists'],
      object: {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIStorageCapacity',
        metadata: { name, namespace: 'kube-system', labels: { 'csi.storage.k8s.io/managed-by': DRIVER } },
        storageClassName: 'fast',
        ...more,
      },
    });
    expect(outcome).toEqual({
      why: 'its capacity has changed',
      writes: [
        object(first, { capacity: String(2 * GI), nodeTopology: { matchLabels: { zone: 'one' } } }),
        object(second, { capacity: String(4 * GI), maximumVolumeSize: '1Gi', nodeTopology: {} }),
      ],
    });
  });

  it('is changed where it differs, in the objects of this class and driver', () => {
    const objects = [storageClass('fast'), published(first, String(3 * GI)), published(second, '7')];
    expect(decide(publisher(), { objects }).writes).toEqual([patched(second, String(5 * GI))]);
    const upToDate = [storageClass('fast'), published(first, String(3 * GI)), published(second, String(5 * GI))];
    expect(decide(publisher(), { objects: upToDate })).toEqual({ why: 'its CSIStorageCapacity objects are up to date', writes: [] });
    const others = [
      storageClass('fast'),
      published(first, String(3 * GI), {}, 'other'),
      published(second, String(5 * GI), { storageClassName: 'slow' }),
    ];
    expect(decide(publisher(), { objects: others }).writes).toMatchObject([{ op: 'create' }, { op: 'create' }]);
  });

  it('is only for classes of the driver, that have segments', () => {
    const foreign = storageClass('fast', { provisioner: 'other' });
    expect(decide(publisher(), { objects: [foreign] })).toEqual({ why: 'its StorageClass belongs to another driver', writes: [] });
    expect(decide(capacityPublisher(driverOf()), { objects: [storageClass('fast')] }).writes).toEqual([]);
  });

  it('is deleted with its class', () => {
    const gone = (...objects: readonly ApiObject[]): unknown =>
      publisher().reconcileAbsent?.({ key: 'fast', cache: cacheOf(objects), names: namesFor('k8s.io') } as never);
    expect(gone()).toEqual({ why: 'the StorageClass is gone', writes: [] });
    expect(gone(published(first, '1'), published(second, '1', { storageClassName: 'slow' }))).toEqual({
      why: 'the StorageClass is gone: delete its CSIStorageCapacity objects',
      writes: [expect.objectContaining({ op: 'delete', kind: 'CSIStorageCapacity', name: first })],
    });
  });

  it('is computed again when a volume of the driver changes', () => {
    const objects = [storageClass('fast'), storageClass('slow'), storageClass('else', { provisioner: 'other' })];
    const after = (object: ApiObject) => enqueued(publisher(), { objects, key: 'fast' }, { type: 'ADDED', object });
    expect([after(volume('v', '1Gi')), after(volume('v', '1Gi', {}, 'other')), after(made('PersistentVolume', 'v', { spec: {} }))]).toEqual(
      [['fast', 'slow'], [], []],
    );
  });
});
