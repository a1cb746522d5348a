/**
 * The owner graph, read from the cache's indexes; no separate graph is maintained. And the nodes of the graph that a change enqueues.
 * Models: v1.24 pkg/controller/garbagecollector graph.go, graph_builder.go, graph_builder.go processGraphChanges.
 */
import { type ApiObject, type Kind, type OwnerReference, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { type CacheView, record, type Write, type Delta } from '../../runtime/index.ts';

/** Kinds whose objects are never collected: events expire by themselves. */
const IGNORED: ReadonlySet<string> = new Set(['Event']);

/** `Pod/default/web-0`, `Node/node-0`. */
export const nodeOf = ({ kind, metadata: { namespace, name } }: ApiObject): string =>
  namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;

/** Whether an object is being deleted with this finalizer. */
export const isDying = (object: ApiObject, finalizer: string): boolean =>
  object.metadata.deletionTimestamp !== undefined && object.metadata.finalizers?.includes(finalizer) === true;

/** Whether an owner has to wait for this dependent. */
export const blocks = (dependent: ApiObject, { metadata: { uid } }: ApiObject): boolean =>
  dependent.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true) ?? false;

export interface Graph {
  readonly kinds: readonly string[];
  /** The object of a node's key, if it exists. */
  find(cache: CacheView, node: string): ApiObject | undefined;
  /** Objects with this uid among their owners. */
  dependentsOf(cache: CacheView, uid: string): readonly ApiObject[];
  /** The kind in a reference; undefined: the kind is not in the graph. */
  kindOf(owner: OwnerReference): Kind | undefined;
  /** The owner at the reference's location. */
  ownerOf(cache: CacheView, dependent: ApiObject, owner: OwnerReference): ApiObject | undefined;
  /** The object with a uid, at any location. */
  byUid(cache: CacheView, uid: string): ApiObject | undefined;
}

const NONE: readonly ApiObject[] = [];

/** The graph over all collected kinds of a registry. */
export function graphOver(registry: KindRegistry): Graph {
  const kinds = registry
    .list()
    .filter(({ kind }) => !IGNORED.has(kind))
    .map(({ kind }) => kind);
  const kindOf = (owner: OwnerReference): Kind | undefined => {
    const kind = IGNORED.has(owner.kind) ? undefined : registry.byKind(owner.kind);
    return kind !== undefined && groupOf(registry.apiVersionOf(kind)) === groupOf(owner.apiVersion) ? kind : undefined;
  };
  return {
    kinds,
    kindOf,
    find(cache, node) {
      const slash = node.indexOf('/');
      return cache.byKey(node.slice(0, slash), node.slice(slash + 1));
    },
    dependentsOf(cache, uid) {
      let found: readonly ApiObject[] = NONE;
      for (const kind of kinds) if (cache.countBy(kind, 'ownerUid', uid) > 0) found = [...found, ...cache.by(kind, 'ownerUid', uid)];
      return found;
    },
    ownerOf(cache, dependent, owner) {
      const kind = kindOf(owner);
      if (kind === undefined) return undefined;
      const found = cache.get(kind.kind, kind.namespaced ? dependent.metadata.namespace : undefined, owner.name);
      return found?.metadata.uid === owner.uid ? found : undefined;
    },
    byUid(cache, uid) {
      for (const kind of kinds) for (const object of cache.by(kind, 'uid', uid)) return object;
      return undefined;
    },
  };
}

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '');

/** The state of an object's owners. Models: v1.24 pkg/controller/garbagecollector classifyReferences, isDangling. */
interface Owners {
  /** Owners that exist and are not waiting for their dependents. */
  readonly solid: readonly OwnerReference[];
  /** Owners that are certainly gone: a uid is never reused. */
  readonly dangling: readonly OwnerReference[];
  /** Owners that wait for their dependents to be deleted first. */
  readonly waiting: readonly OwnerReference[];
  /** Owners that are not in the cache, which may lag: a live read is needed. */
  readonly missing: readonly OwnerReference[];
  /** References that cannot be resolved: unknown kinds, or namespaced owners of a cluster-scoped object. */
  readonly unresolvable: readonly OwnerReference[];
  /** Events about owners in another namespace. */
  readonly complaints: readonly Write[];
}

/** @param isGone whether a uid is known to have been deleted. */
export function classifyOwners(graph: Graph, cache: CacheView, object: ApiObject, isGone: (uid: string) => boolean): Owners {
  const owners = {
    solid: [] as OwnerReference[],
    dangling: [] as OwnerReference[],
    waiting: [] as OwnerReference[],
    missing: [] as OwnerReference[],
    unresolvable: [] as OwnerReference[],
    complaints: [] as Write[],
  };
  for (const owner of object.metadata.ownerReferences ?? []) {
    const found = graph.ownerOf(cache, object, owner);
    if (found !== undefined) {
      (isDying(found, FOREGROUND) ? owners.waiting : owners.solid).push(owner);
      continue;
    }
    const elsewhere = isGone(owner.uid) ? undefined : graph.byUid(cache, owner.uid);
    const kind = graph.kindOf(owner);
    if (elsewhere?.metadata.namespace !== undefined && elsewhere.metadata.namespace !== object.metadata.namespace)
      owners.complaints.push(wrongNamespace(object, owner));
    if (kind === undefined || (kind.namespaced && object.metadata.namespace === undefined)) owners.unresolvable.push(owner);
    else if (isGone(owner.uid) || elsewhere !== undefined) owners.dangling.push(owner);
    else owners.missing.push(owner);
  }
  return owners;
}

function wrongNamespace(object: ApiObject, { apiVersion, kind, name, uid }: OwnerReference): Write {
  const namespace = object.metadata.namespace ?? '';
  return record(
    object,
    'Warning',
    'OwnerRefInvalidNamespace',
    `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] does not exist in namespace "${namespace}"`,
  );
}

const NO_NODES: readonly OwnerReference[] = [];
const NO_KEYS: readonly string[] = [];
const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? NO_NODES;

/** The keys to enqueue for a change. */
export function nodesConcerned(graph: Graph, cache: CacheView, { type, object, old }: Delta): readonly string[] {
  if (type === 'DELETED') {
    const waiting = ownersOf(object)
      .map((owner) => graph.ownerOf(cache, object, owner))
      .filter((owner) => owner !== undefined && isDying(owner, FOREGROUND));
    return [...graph.dependentsOf(cache, object.metadata.uid), ...waiting].flatMap((concerned) =>
      concerned === undefined ? [] : [nodeOf(concerned)],
    );
  }
  if (object.metadata.deletionTimestamp === undefined) return ofOwners(graph, cache, object, old);
  return [...ofDeletion(graph, cache, object, old), ...ofOwners(graph, cache, object, old)];
}

/**
 * An object whose foreground deletion or orphaning begins. Its reconcile enqueues the dependents that block it; the other dependents are
 * enqueued here.
 */
function ofDeletion(graph: Graph, cache: CacheView, object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const begins = (finalizer: string): boolean => isDying(object, finalizer) && (old === undefined || !isDying(old, finalizer));
  if (begins(FOREGROUND))
    return [
      ...graph
        .dependentsOf(cache, object.metadata.uid)
        .filter((dependent) => !blocks(dependent, object))
        .map(nodeOf),
      nodeOf(object),
    ];
  return begins(ORPHAN) ? [nodeOf(object)] : [];
}

/**
 * A new or changed reference to a missing owner, or an owner in deletion that lost a dependent. A new dependent of an owner that waits is
 * found at the owner's next reconcile, as in upstream, and not before.
 */
function ofOwners(graph: Graph, cache: CacheView, object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const owners = ownersOf(object);
  const before = ownersOf(old);
  if (owners === before) return NO_KEYS;
  if (old !== undefined && owners.length === before.length && owners.every((owner, at) => sameReference(owner, before[at]))) return NO_KEYS;
  const doubtful = owners.some((owner) => graph.ownerOf(cache, object, owner) === undefined);
  const released =
    before.length === 0
      ? NO_KEYS
      : before.flatMap((owner) => {
          if (
            owner.blockOwnerDeletion !== true ||
            owners.some(({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true)
          )
            return [];
          const found = graph.ownerOf(cache, object, owner);
          return found !== undefined && isDying(found, FOREGROUND) ? [nodeOf(found)] : [];
        });
  return doubtful ? [nodeOf(object), ...released] : released;
}

const sameReference = (a: OwnerReference, b: OwnerReference | undefined): boolean =>
  b !== undefined &&
  a.uid === b.uid &&
  a.name === b.name &&
  a.kind === b.kind &&
  a.apiVersion === b.apiVersion &&
  a.blockOwnerDeletion === b.blockOwnerDeletion;
