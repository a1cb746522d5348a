/**
 * Writes that change who owns an object: adopting, releasing, orphaning. Models: v1.24 pkg/controller/controller_ref_manager.go,
 * garbagecollector/patch.go.
 */
import type { ApiObject, OwnerReference } from '../../apiserver/machinery/index.ts';
import type { ObjectOf, ObserveContext, Write } from '../runtime/index.ts';

/** The cached object that an owner reference of a kind names, if its uid is the same. */
export function referenced<K extends string>(
  kind: K,
  namespace: string | undefined,
  owner: OwnerReference | undefined,
  { cache }: Pick<ObserveContext, 'cache'>,
): ObjectOf<K> | undefined {
  if (owner?.kind !== kind) return undefined;
  const found = cache.get(kind, namespace, owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** The controller reference to `owner`. */
export const controllerReference = ({ apiVersion, kind, metadata: { name, uid } }: ApiObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

const patchOf = ({ kind, metadata: { name, namespace, uid } }: ApiObject, fields: Readonly<Record<string, unknown>>): Write => ({
  op: 'patch',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  patchType: 'strategic',
  patch: { metadata: { uid, ...fields } },
  tolerate: ['NotFound'],
  awaited: true,
});

/** A live check that the owner exists: with a stale cache, objects could be adopted by an owner that is gone. */
export const stillThere = ({ kind, metadata: { name, namespace, uid } }: ApiObject): Write => ({
  op: 'check',
  kind,
  name,
  uid,
  ...(namespace === undefined ? {} : { namespace }),
});

/**
 * Adopts an object that has no controller reference, and adds finalizers. The uid in the patch protects a later object of the same name.
 */
export const adopt = (object: ApiObject, owner: ApiObject, finalizers: readonly string[] = []): Write =>
  patchOf(object, { ownerReferences: [controllerReference(owner)], ...(finalizers.length === 0 ? {} : { finalizers }) });

/** Removes owners, and finalizers, from an object. */
export const removeOwners = (object: ApiObject, ownerUids: readonly string[], finalizers: readonly string[] = []): Write =>
  patchOf(object, {
    ownerReferences: ownerUids.map((uid) => ({ $patch: 'delete', uid })),
    ...(finalizers.length === 0 ? {} : { '$deleteFromPrimitiveList/finalizers': finalizers }),
  });

/** Removes finalizers from an object. */
export const dropFinalizers = (object: ApiObject, finalizers: readonly string[]): Write =>
  patchOf(object, { '$deleteFromPrimitiveList/finalizers': finalizers });
