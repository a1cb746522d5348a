/** A cluster with nothing but a scheduler and nodes that are only objects, as the recordings had it. */
import type { WritableStore } from '../../../../src/apiserver/store/index.ts';
import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { ApiObject } from '../../../../src/apiserver/vocabulary/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { SchedulerState } from '../../../../src/controlplane/agents/scheduler/state.ts';

/** Of these writes nobody asks whose they are. */
const NOBODY = envelopeOf('test', { verb: 'list', kind: '' });

export type Json = Record<string, unknown>;

export interface NodeSpec {
  readonly name: string;
  readonly labels?: Json;
  readonly taints?: unknown;
  readonly unschedulable?: boolean;
  readonly capacity?: Json;
  readonly allocatable?: Json;
  readonly images?: unknown;
  readonly conditions?: unknown;
}

const NAMES: Readonly<Record<string, string>> = {
  StorageClass: 'storage.k8s.io/v1',
  CSINode: 'storage.k8s.io/v1',
  CSIDriver: 'storage.k8s.io/v1',
  CSIStorageCapacity: 'storage.k8s.io/v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  RuntimeClass: 'node.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
};
const CLUSTER_SCOPED = new Set([
  'Node',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'PriorityClass',
  'RuntimeClass',
  'PersistentVolume',
  'Namespace',
]);

export interface World {
  readonly cluster: Cluster;
  readonly state: SchedulerState;
  create(object: Json): ApiObject;
  createNode(node: NodeSpec): void;
  patch(kind: string, namespace: string | undefined, name: string, body: unknown, subresource?: string): ApiObject;
  remove(kind: string, namespace: string | undefined, name: string, graceSeconds?: number): void;
  pod(namespace: string, name: string): Pod | undefined;
  /** Binds and provisions claims as a volume controller would. */
  tendClaims(): void;
}

export function createWorld(seed = 1): World {
  const cluster = createCluster({ seed, domain: 'k8s.io', controllers: () => [] });
  const state = cluster.runtime.process('scheduler')?.running.get('scheduler')?.state as SchedulerState;
  const priorities = new Map<string, Json>();

  /** Kinds the server does not serve are put into the store as they are. */
  const commit = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Json): ApiObject => {
    const { kind, metadata } = object as { kind: string; metadata: Json };
    const { kernel } = cluster;
    const store = cluster.store as WritableStore;
    const made = {
      ...object,
      metadata: {
        uid: `uid-${kind}-${String(metadata['name'])}`,
        creationTimestamp: new Date(kernel.now).toISOString(),
        ...metadata,
        resourceVersion: String(store.revision + 1),
      },
    } as unknown as ApiObject;
    const key =
      metadata['namespace'] === undefined ? String(metadata['name']) : `${String(metadata['namespace'])}/${String(metadata['name'])}`;
    store.commit({ type, kind, key, object: made, at: kernel.now, entry: 0 }, NOBODY);
    return made;
  };
  const ask = (request: Json): ApiObject => {
    const response = cluster.request('test', { user: { name: 'test', groups: ['system:masters'] }, ...request } as never);
    if (!response.ok) throw new Error(`${String(request['verb'])} ${String(request['kind'])}: ${response.status.message}`);
    return 'object' in response ? response.object : ({} as ApiObject);
  };
  const served = (kind: string): boolean => cluster.kinds.byKind(kind) !== undefined;
  const at = (kind: string, namespace: string | undefined): Json => (CLUSTER_SCOPED.has(kind) ? {} : { namespace: namespace ?? 'default' });

  const world: World = {
    cluster,
    state,
    create(given) {
      const kind = String(given['kind']);
      const metadata = { ...(given['metadata'] as Json), ...at(kind, (given['metadata'] as Json)['namespace'] as string | undefined) };
      const object: Json = { apiVersion: NAMES[kind] ?? 'v1', ...given, metadata };
      if (kind === 'PriorityClass') priorities.set(String(metadata['name']), given);
      if (kind === 'Pod' && !served('PriorityClass')) resolvePriority(object, priorities);
      if (!served(kind)) return commit('ADDED', object);
      return ask({ verb: 'create', kind, ...at(kind, metadata['namespace'] as string | undefined), body: object });
    },
    createNode({ name, labels, taints, unschedulable, capacity, allocatable, images, conditions }) {
      const ready = [{ type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null }];
      const status = {
        capacity,
        allocatable: allocatable ?? capacity,
        conditions: conditions ?? ready,
        ...(images === undefined ? {} : { images }),
      };
      // Asked dry, then stored without the taint of new nodes: the recorded nodes never had it.
      const made = ask({
        verb: 'create',
        kind: 'Node',
        dryRun: true,
        body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {}, status },
      });
      commit('ADDED', {
        ...made,
        spec: { ...(Array.isArray(taints) && taints.length > 0 ? { taints } : {}), ...(unschedulable === true ? { unschedulable } : {}) },
      });
    },
    patch(kind, namespace, name, body, subresource) {
      if (!served(kind)) {
        const old = cluster.store.get(kind, CLUSTER_SCOPED.has(kind) ? name : `${namespace ?? 'default'}/${name}`);
        return commit('MODIFIED', merge(old as unknown as Json, body as Json));
      }
      return ask({
        verb: 'patch',
        kind,
        ...at(kind, namespace),
        name,
        patchType: 'merge',
        body,
        ...(subresource === undefined ? {} : { subresource }),
      });
    },
    remove(kind, namespace, name, graceSeconds) {
      if (!served(kind)) {
        commit(
          'DELETED',
          cluster.store.get(kind, CLUSTER_SCOPED.has(kind) ? name : `${namespace ?? 'default'}/${name}`) as unknown as Json,
        );
        return;
      }
      ask({
        verb: 'delete',
        kind,
        ...at(kind, namespace),
        name,
        ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
      });
    },
    pod: (namespace, name) => cluster.store.get('Pod', `${namespace}/${name}`),
    tendClaims() {
      tendClaims(world);
    },
  };
  return world;
}

function merge(old: Json, patch: Json): Json {
  const made: Json = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key];
    else if (typeof value === 'object' && !Array.isArray(value)) made[key] = merge((made[key] ?? {}) as Json, value as Json);
    else made[key] = value;
  }
  return made;
}

function resolvePriority(object: Json, classes: ReadonlyMap<string, Json>): void {
  const { priorityClassName, ...spec } = object['spec'] as Json;
  const found = typeof priorityClassName === 'string' ? classes.get(priorityClassName) : undefined;
  object['spec'] = { ...spec, priority: found?.['value'] ?? 0, preemptionPolicy: found?.['preemptionPolicy'] ?? 'PreemptLowerPriority' };
}

interface Claim {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string; readonly annotations?: Json };
  readonly spec: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}
interface Volume {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly claimRef?: { readonly name: string; readonly namespace: string; readonly uid?: string };
    readonly storageClassName?: string;
  };
  readonly status?: { readonly phase?: string };
}

function tendClaims(world: World): void {
  const { store } = world.cluster;
  const bind = (claim: Claim, volume: string): void => {
    const { namespace, name, uid } = claim.metadata;
    world.patch('PersistentVolume', undefined, volume, {
      spec: { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid } },
    });
    world.patch('PersistentVolume', undefined, volume, { status: { phase: 'Bound' } }, 'status');
    world.patch('PersistentVolumeClaim', namespace, name, {
      metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: volume },
    });
    world.patch('PersistentVolumeClaim', namespace, name, { status: { phase: 'Bound' } }, 'status');
  };
  for (const volume of [...store.values('PersistentVolume')] as unknown as Volume[]) {
    if ((volume.status?.phase ?? 'Pending') === 'Pending' && volume.spec.claimRef === undefined)
      world.patch('PersistentVolume', undefined, volume.metadata.name, { status: { phase: 'Available' } }, 'status');
  }
  for (const claim of [...store.values('PersistentVolumeClaim')] as unknown as Claim[]) {
    if (claim.status?.phase === 'Bound') continue;
    const { name, namespace, annotations } = claim.metadata;
    const volumes = [...store.values('PersistentVolume')] as unknown as Volume[];
    const wanted =
      claim.spec.volumeName ??
      volumes.find(({ spec: { claimRef } }) => claimRef?.name === name && claimRef.namespace === namespace)?.metadata.name;
    const waits =
      (store.get('StorageClass', claim.spec.storageClassName ?? '') as unknown as { volumeBindingMode?: string } | undefined)
        ?.volumeBindingMode === 'WaitForFirstConsumer';
    const offered = waits
      ? undefined
      : volumes.find(
          ({ spec, status }) =>
            spec.storageClassName === claim.spec.storageClassName && spec.claimRef === undefined && status?.phase === 'Available',
        );
    const found = offered ?? volumes.find(({ metadata }) => metadata.name === wanted);
    if (found !== undefined && (found.spec.claimRef === undefined || found.spec.claimRef.name === name)) {
      bind(claim, found.metadata.name);
      continue;
    }
    if (annotations?.['volume.kubernetes.io/selected-node'] === undefined) continue;
    const made = `pvc-${name}`;
    world.create({
      kind: 'PersistentVolume',
      metadata: { name: made },
      spec: {
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany'],
        storageClassName: claim.spec.storageClassName,
        persistentVolumeReclaimPolicy: 'Delete',
        csi: { driver: 'csi.example.com', volumeHandle: made },
      },
    });
    bind(claim, made);
  }
}
