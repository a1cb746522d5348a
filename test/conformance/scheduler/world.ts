/** A cluster with only a scheduler, and nodes that are only objects, as in the recordings. */
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import type { Node, Pod } from '../../../src/apiserver/kinds/index.ts';
import type { WritableStore } from '../../../src/apiserver/store/index.ts';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import type { SchedulerState } from '../../../src/controlplane/agents/index.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';
import { tendClaims } from './claims.ts';

export type Json = Record<string, unknown>;

/** A node in the format of the recordings. */
export interface RecordedNode {
  readonly name: string;
  readonly labels?: Json;
  readonly taints?: unknown;
  readonly unschedulable?: boolean;
  readonly capacity?: Json;
  readonly allocatable?: Json;
  readonly images?: unknown;
  readonly conditions?: unknown;
}

export interface World {
  readonly cluster: Cluster;
  readonly state: SchedulerState;
  create(object: Json): ApiObject;
  createNode(node: RecordedNode): void;
  patch(kind: string, namespace: string | undefined, name: string, body: unknown, subresource?: string): ApiObject;
  /**
   * Deletes an object. A volume is deleted immediately despite its protection finalizer, because nothing in the recorded cluster protected
   * it.
   */
  remove(kind: string, namespace: string | undefined, name: string, graceSeconds?: number): void;
  pod(namespace: string, name: string): Pod | undefined;
  /** Binds and provisions claims like a volume controller. */
  tendClaims(): void;
}

/** The user of these writes does not matter. */
const ENVELOPE = envelopeOf('test', { verb: 'list', kind: '' });
const USER = { name: 'test', groups: ['system:masters'] };

/** Adds the fields that recorded objects leave out. */
function asSent(
  { cluster }: Pick<World, 'cluster'>,
  given: Json,
): { readonly kind: string; readonly namespace?: string; readonly body: ObjectInput } {
  const kind = String(given['kind']);
  const registered = cluster.kinds.byKind(kind);
  if (registered === undefined) throw new Error(`the recording has a ${kind}, which this server does not serve`);
  const metadata = given['metadata'] as Json;
  const namespace = registered.namespaced ? String(metadata['namespace'] ?? 'default') : undefined;
  const place = namespace === undefined ? {} : { namespace };
  return {
    kind,
    ...place,
    body: { apiVersion: cluster.kinds.apiVersionOf(registered), kind, ...given, metadata: { ...metadata, ...place } },
  };
}

function ask(cluster: Cluster, request: ApiRequest): ApiObject {
  const response = cluster.request('test', { user: USER, ...request });
  if (!response.ok) throw new Error(`${request.verb} ${request.kind}: ${response.status.message ?? ''}`);
  return 'object' in response ? response.object : ({} as ApiObject);
}

/** Defaulted by a dry run, then stored without the taint of new nodes, which the recorded nodes did not have. */
function createNode(cluster: Cluster, { name, labels, taints, unschedulable, ...given }: RecordedNode): void {
  const { kernel } = cluster;
  const store = cluster.store as WritableStore;
  const { capacity, allocatable = capacity, images } = given;
  const { conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null }] } = given;
  const status = { capacity, allocatable, conditions, ...(images === undefined ? {} : { images }) };
  const { body } = asSent({ cluster }, { kind: 'Node', metadata: { name, labels }, spec: {}, status });
  const made = ask(cluster, { verb: 'create', kind: 'Node', dryRun: true, body }) as Node;
  const tainted = Array.isArray(taints) && taints.length > 0 ? { taints: taints as NonNullable<Node['spec']['taints']> } : {};
  const spec: Node['spec'] = { ...tainted, ...(unschedulable === true ? { unschedulable } : {}) };
  const metadata = { ...made.metadata, uid: `uid-Node-${name}`, resourceVersion: String(store.revision + 1) };
  const object: Node = { ...made, metadata, spec };
  store.commit({ type: 'ADDED', kind: 'Node', key: name, object, at: kernel.now, entry: 0 }, ENVELOPE);
}

/** Returns a new world whose scheduler has run for a while. */
export function createWorld(seed = 1): World {
  const cluster = createCluster({ seed, domain: 'k8s.io', controllers: () => [] });
  const at = (kind: string, namespace: string | undefined): { readonly namespace?: string } =>
    cluster.kinds.byKind(kind)?.namespaced === true ? { namespace: namespace ?? 'default' } : {};
  const world: World = {
    cluster,
    state: cluster.runtime.process('scheduler')?.running.get('scheduler')?.state as SchedulerState,
    create: (given) => ask(cluster, { verb: 'create', ...asSent({ cluster }, given) }),
    createNode: (node) => createNode(cluster, node),
    patch: (kind, namespace, name, body, subresource) =>
      ask(cluster, {
        verb: 'patch',
        kind,
        ...at(kind, namespace),
        name,
        patchType: 'merge',
        body,
        ...(subresource === undefined ? {} : { subresource }),
      }),
    remove(kind, namespace, name, graceSeconds) {
      const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
      ask(cluster, { verb: 'delete', kind, ...at(kind, namespace), name, ...grace });
      if (kind === 'PersistentVolume' && cluster.store.get(kind, name) !== undefined)
        world.patch(kind, undefined, name, { metadata: { finalizers: null } });
    },
    pod: (namespace, name) => cluster.store.get('Pod', `${namespace}/${name}`),
    tendClaims: () => tendClaims(world),
  };
  return world;
}
