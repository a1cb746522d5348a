/** The state of an object's owners. Models: v1.24 pkg/controller/garbagecollector classifyReferences, isDangling. */
import { type ApiObject, type OwnerReference, FOREGROUND } from '../../../apiserver/machinery/index.ts';
import { record, type CacheView, type Write } from '../../runtime/index.ts';
import { isDying, type Graph } from './graph.ts';

export interface Owners {
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
