/** The nodes of the graph that a change enqueues. Models: v1.24 pkg/controller/garbagecollector graph_builder.go processGraphChanges. */
import { type ApiObject, type OwnerReference, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { blocks, isDying, nodeOf, type Graph } from './graph.ts';

const NONE: readonly OwnerReference[] = [];
const NO_KEYS: readonly string[] = [];
const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? NONE;

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
