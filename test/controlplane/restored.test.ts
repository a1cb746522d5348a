/** A cluster that begins with the objects of another one, as if their processes had gone on. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../src/apiserver/machinery/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/controlplane/cluster.ts';
import type { Observation } from '../../src/controlplane/runtime/index.ts';

const START = Date.UTC(2024, 2, 1);
const capacity = { cpu: '4', memory: '8Gi', pods: '10' };
const DEFAULTS = { namespace: 'default' };
const make = (cluster: Cluster, kind: string, name: string, body: object, where: object = DEFAULTS): void => {
  const metadata = { name, ...where };
  const response = cluster.request('test', { verb: 'create', kind, ...where, body: { apiVersion: 'v1', kind, metadata, ...body } });
  if (!response.ok) throw new Error(response.status.message);
};
const container = { name: 'c', image: 'sim:1' };
const pod = (cluster: Cluster, name: string, spec: object = {}): void =>
  make(cluster, 'Pod', name, { spec: { containers: [container], ...spec } });

/** All objects of a cluster with a running pod, in the order of their revisions. */
function dump(): readonly ApiObject[] {
  const cluster = createCluster({
    startAt: START,
    nodes: [
      { name: 'n-0', capacity },
      { name: 'n-1', capacity },
    ],
  });
  make(
    cluster,
    'PersistentVolume',
    'pv',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'd.example', volumeHandle: 'h' },
        claimRef: { namespace: 'default', name: 'data' },
      },
    },
    {},
  );
  make(cluster, 'PersistentVolumeClaim', 'data', {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', volumeName: 'pv', resources: { requests: { storage: '1Gi' } } },
  });
  pod(cluster, 'plain', { nodeName: 'n-1' });
  cluster.runUntil(START + 10_000);
  return cluster.store
    .kinds()
    .flatMap((kind) => (kind === 'Event' ? [] : [...cluster.store.values(kind)]))
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
}
const OBJECTS = dump();
const stored = (kind: string, name: string) => OBJECTS.find((each) => each.kind === kind && each.metadata.name === name);
const plain = stored('Pod', 'plain') as Pod;
const addressOf = (node: ApiObject | undefined): string | undefined =>
  (node as Node).status.addresses?.find(({ type }) => type === 'InternalIP')?.address;

function restored(from: readonly ApiObject[] = OBJECTS, more: Partial<ClusterOptions> = {}) {
  const seen: Observation[] = [];
  const cluster = createCluster({
    startAt: START + 60_000,
    from,
    nodes: [
      { name: 'n-1', capacity, restored: 'up' },
      { name: 'n-0', capacity, restored: 'down' },
    ],
    onObservation: (one) => void seen.push(one),
    ...more,
  });
  return { cluster, seen };
}

describe('a cluster with the objects of another one', () => {
  it('has exactly these at its start, as they were', () => {
    const { cluster } = restored();
    // The agent that goes on renews its lease at once.
    for (const object of OBJECTS.filter(({ kind }) => kind !== 'Lease')) {
      const { name, namespace } = object.metadata;
      const { resourceVersion: _, ...metadata } = object.metadata;
      const there = cluster.store.get(object.kind, namespace === undefined ? name : `${namespace}/${name}`);
      expect(there).toMatchObject({ ...object, metadata });
    }
    expect(cluster.now).toBe(START + 60_000);
  });

  it('starts its processes at its start, without the agents of silent nodes', () => {
    const { seen, cluster } = restored();
    const started = seen.flatMap((one) => (one.type === 'process' && one.what === 'started' ? [`${one.process} ${one.at - START}`] : []));
    expect(started).toEqual(['controller-manager 60000', 'scheduler 60000', 'agent/n-1 60000']);
    expect(cluster.runtime.process('agent/n-0')?.up).toBe(false);
    const altered = restored(OBJECTS, { alter: (process) => (process.name === 'scheduler' ? { ...process, name: 'other' } : process) });
    expect(altered.cluster.runtime.names()).toEqual(['controller-manager', 'other', 'agent/n-1', 'agent/n-0']);
  });

  it('keeps the addresses of its nodes and pods, and gives them to no others', () => {
    const { cluster } = restored();
    pod(cluster, 'later', { nodeName: 'n-1' });
    cluster.runUntil(cluster.now + 60_000);
    const now = (name: string): Pod => cluster.store.get('Pod', `default/${name}`) as Pod;
    expect(now('plain').status).toEqual(plain.status);
    expect(now('later').status.phase).toBe('Running');
    expect(now('later').status.podIP).not.toBe(plain.status.podIP);
    expect(['n-0', 'n-1'].map((name) => addressOf(cluster.store.get('Node', name)))).toEqual(
      ['n-0', 'n-1'].map((name) => addressOf(stored('Node', name))),
    );
  });

  it('draws no uid that an object has', () => {
    const { cluster } = restored();
    const taken = new Set(OBJECTS.map(({ metadata }) => metadata.uid));
    for (let at = 0; at < 20; at++) pod(cluster, `p${at}`, { nodeName: 'n-1' });
    const drawn = [...cluster.store.values('Pod')].filter(({ metadata }) => metadata.name !== 'plain').map(({ metadata }) => metadata.uid);
    expect(drawn.filter((uid) => taken.has(uid))).toEqual([]);
  });

  it('has the volumes in use on its machines that a node reports for its pods', () => {
    const mounts = (volumesInUse: readonly string[], volumeName: string | undefined = 'pv', csi = true): unknown => {
      const from = OBJECTS.map((object): ApiObject => {
        const { kind, metadata } = object;
        if (kind === 'Node' && metadata.name === 'n-1') return { ...object, status: { ...(object['status'] as object), volumesInUse } };
        if (kind === 'PersistentVolumeClaim') return { ...object, spec: { ...(object['spec'] as object), volumeName } };
        if (kind === 'PersistentVolume' && !csi) return { ...object, spec: { ...(object['spec'] as object), csi: undefined } };
        if (kind !== 'Pod') return object;
        const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
        return { ...object, spec: { ...plain.spec, volumes } };
      });
      const [, , uses] = restored(from).cluster.world.machine('n-1').describe() as readonly [
        unknown,
        unknown,
        ReadonlyMap<string, unknown>,
      ];
      return [...uses.values()].flat();
    };
    const name = 'orch.io/csi/d.example^h';
    expect([mounts([name]), mounts([]), mounts(['other']), mounts([name], ''), mounts([name], 'pv', false)]).toEqual([
      [name],
      [],
      [],
      [],
      [],
    ]);
  });
});
