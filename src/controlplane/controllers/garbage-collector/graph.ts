/**
 * The owner graph, read from the cache's indexes; no separate graph is maintained. Models: v1.24 pkg/controller/garbagecollector graph.go,
 * graph_builder.go.
 */
import type { ApiObject, Kind, OwnerReference } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import type { CacheView } from '../../runtime/index.ts';

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
