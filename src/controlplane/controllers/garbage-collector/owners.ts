/** What has become of an object's owners. Models: v1.24 pkg/controller/garbagecollector classifyReferences, isDangling. */
import { type ApiObject, type OwnerReference, FOREGROUND } from '../../../apiserver/machinery/index.ts';
import { record, type CacheView, type Write } from '../../runtime/index.ts';
import { isDying, type Graph } from './graph.ts';

export interface Owners {
  /** There, and staying. */
  readonly solid: readonly OwnerReference[];
  /** Gone for certain: a uid never comes back. */
  readonly dangling: readonly OwnerReference[];
  /** Waiting for their dependents to go first. */
  readonly waiting: readonly OwnerReference[];
  /** Not in the cache, which may be behind: the server has to be asked. */
  readonly missing: readonly OwnerReference[];
  /** Nothing can be said of these: kinds that are not known, or namespaced owners of a cluster-scoped object. */
  readonly unresolvable: readonly OwnerReference[];
  /** Owners that live in another namespace: said in an event. */
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
