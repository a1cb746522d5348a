/**
 * The owner graph, read from the cache's indexes; no separate graph is maintained. And what a change means for it: the nodes to enqueue, and
 * the uids that are gone. Models: v1.24 pkg/controller/garbagecollector graph.go, graph_builder.go processGraphChanges.
 */
import { perObject } from '../../../engine/index.ts';
import { type ApiObject, type Kind, type OwnerReference, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import { kindInGroup, type KindRegistry } from '../../../apiserver/kinds/index.ts';
import { type CacheView, record, watch, type Delta, type ObserveContext, type Write } from '../../runtime/index.ts';

/** Kinds whose objects are never collected: events expire by themselves. */
const IGNORED: ReadonlySet<string> = new Set(['Event']);

/** `Pod/default/web-0`, `Node/node-0`. */
export const nodeOf = ({ kind, metadata: { namespace, name } }: ApiObject): string =>
  namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;

export const isDying = (object: ApiObject, finalizer: string): boolean =>
  object.metadata.deletionTimestamp !== undefined && object.metadata.finalizers?.includes(finalizer) === true;

/** Whether an owner has to wait for this dependent. */
export const blocks = (dependent: ApiObject, uid: string): boolean =>
  dependent.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true) ?? false;

type Graph = ReturnType<typeof graphOf>;

const NONE: readonly ApiObject[] = [];

/** Returns the graph of the kinds that a registry has now; the same object while these do not change. */
export const graphOver = (registry: KindRegistry): Graph => graphOf(registry.now());

const graphOf = perObject((registry: KindRegistry) => {
  const kinds = registry
    .list()
    .filter(({ kind }) => !IGNORED.has(kind))
    .map(({ kind }) => kind);
  /** The kind in a reference; undefined: the kind is not in the graph. */
  const kindOf = (owner: OwnerReference): Kind | undefined =>
    IGNORED.has(owner.kind) ? undefined : kindInGroup(registry, groupOf(owner.apiVersion), owner.kind);
  return {
    kinds,
    kindOf,
    dependentsOf(cache: CacheView, uid: string): readonly ApiObject[] {
      let found: readonly ApiObject[] = NONE;
      for (const kind of kinds) if (cache.countBy(kind, 'ownerUid', uid) > 0) found = [...found, ...cache.by(kind, 'ownerUid', uid)];
      return found;
    },
    /** The owner at the reference's location. */
    ownerOf(cache: CacheView, dependent: ApiObject, owner: OwnerReference): ApiObject | undefined {
      const kind = kindOf(owner);
      if (kind === undefined) return undefined;
      const found = cache.get(kind.kind, kind.namespaced ? dependent.metadata.namespace : undefined, owner.name);
      return found?.metadata.uid === owner.uid ? found : undefined;
    },
    /** The object with a uid, at any location. */
    byUid(cache: CacheView, uid: string): ApiObject | undefined {
      for (const kind of kinds) for (const object of cache.by(kind, 'uid', uid)) return object;
      return undefined;
    },
  };
});

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** `isGone`: whether a uid is known to have been deleted. Models: v1.24 pkg/controller/garbagecollector classifyReferences, isDangling. */
export function classifyOwners(graph: Graph, cache: CacheView, object: ApiObject, isGone: (uid: string) => boolean) {
  const owners = {
    /** Owners that exist and are not waiting for their dependents. */
    solid: new Array<OwnerReference>(),
    /** Owners that are certainly gone: a uid is never reused. */
    dangling: new Array<OwnerReference>(),
    /** Owners that wait for their dependents to be deleted first. */
    waiting: new Array<OwnerReference>(),
    /** Owners that are not in the cache, which may lag: a live read is needed. */
    missing: new Array<OwnerReference>(),
    /** References that cannot be resolved: unknown kinds, or namespaced owners of a cluster-scoped object. */
    unresolvable: new Array<OwnerReference>(),
    /** Events about owners in another namespace. */
    complaints: new Array<Write>(),
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
    if (kind === undefined && isGone(owner.uid)) owners.dangling.push(owner);
    else if (kind === undefined || (kind.namespaced && object.metadata.namespace === undefined)) owners.unresolvable.push(owner);
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

/** Uids of recent deletions: no live read is needed for each of 100,000 dependents. */
export interface Gone {
  readonly gone: Set<string>;
}
const MOST_REMEMBERED = 500;

export function rememberGone({ type, object }: Delta, { state: { gone } }: ObserveContext<Gone>): void {
  if (type !== 'DELETED') return;
  gone.add(object.metadata.uid);
  const [first = ''] = gone.size > MOST_REMEMBERED ? gone : [];
  gone.delete(first);
}

/** Only changes of the fields that link an object to others, and control its deletion. */
export const watchOf = (kind: string) =>
  watch<string, Gone>(kind, nodesConcerned, {
    predicate: { fields: ['metadata.ownerReferences', 'metadata.deletionTimestamp', 'metadata.finalizers'] },
    // Renewals do not change the owners of a lease, so they may be elided.
    ...(kind === 'Lease' ? { renewals: false } : {}),
  });

const NO_NODES: readonly OwnerReference[] = [];
const NO_KEYS: readonly string[] = [];
const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? NO_NODES;

function nodesConcerned({ type, object, old }: Delta, { cache, kinds }: ObserveContext<Gone>): readonly string[] {
  const graph = graphOver(kinds);
  if (type === 'DELETED') {
    const waiting = ownersOf(object).flatMap((owner) => {
      const found = graph.ownerOf(cache, object, owner);
      return found !== undefined && isDying(found, FOREGROUND) ? [found] : [];
    });
    return [...graph.dependentsOf(cache, object.metadata.uid), ...waiting].map(nodeOf);
  }
  if (object.metadata.deletionTimestamp === undefined)
    return ownersOf(object) === ownersOf(old) ? NO_KEYS : ofOwners(graph, cache, object, old);
  return [...ofDeletion(graph, cache, object, old), ...ofOwners(graph, cache, object, old)];
}

/** An object whose foreground deletion or orphaning begins. Its reconcile enqueues the dependents that block it, this the others. */
function ofDeletion(graph: Graph, cache: CacheView, object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const begins = (finalizer: string): boolean => isDying(object, finalizer) && (old === undefined || !isDying(old, finalizer));
  if (begins(FOREGROUND))
    return [...graph.dependentsOf(cache, object.metadata.uid).filter((dependent) => !blocks(dependent, object.metadata.uid)), object].map(
      nodeOf,
    );
  return begins(ORPHAN) ? [nodeOf(object)] : [];
}

/**
 * A new or changed reference to a missing owner, or an owner in deletion that lost a dependent. A new dependent of an owner that waits is
 * found at the owner's next reconcile, as in upstream, and not before.
 */
function ofOwners(graph: Graph, cache: CacheView, object: ApiObject, old: ApiObject | undefined): readonly string[] {
  const owners = ownersOf(object);
  const before = ownersOf(old);
  if (
    old !== undefined &&
    owners.length === before.length &&
    owners.every((owner, at) => COMPARED.every((field) => owner[field] === before[at]?.[field]))
  )
    return NO_KEYS;
  const doubtful = lacksOwner(graph, cache, object, owners);
  // A new object has lost no owner.
  if (before.length === 0) return doubtful ? [nodeOf(object)] : NO_KEYS;
  const released = before.flatMap((owner) => {
    if (owner.blockOwnerDeletion !== true || blocks(object, owner.uid)) return [];
    const found = graph.ownerOf(cache, object, owner);
    return found !== undefined && isDying(found, FOREGROUND) ? [nodeOf(found)] : [];
  });
  return doubtful ? [nodeOf(object), ...released] : released;
}

function lacksOwner(graph: Graph, cache: CacheView, object: ApiObject, owners: readonly OwnerReference[]): boolean {
  for (let at = 0; at < owners.length; at++) {
    const owner = owners[at];
    if (owner !== undefined && graph.ownerOf(cache, object, owner) === undefined) return true;
  }
  return false;
}

const COMPARED = ['uid', 'name', 'kind', 'apiVersion', 'blockOwnerDeletion'] as const;
