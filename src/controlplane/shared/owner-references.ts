/**
 * Writes that change who owns an object: adopting, releasing, orphaning. Models: v1.24 pkg/controller/controller_ref_manager.go,
 * garbagecollector/patch.go.
 */
import type { ApiObject, OwnerReference } from '../../apiserver/machinery/index.ts';
import type { ObjectOf, ObserveContext, Write } from '../runtime/index.ts';

/** The object of a kind that a reference stands for: the one of that name in a process's cache, if it still is that one. */
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

/** The reference that makes `owner` the managing owner of what carries it. */
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

/** Adoptions go on only if the server still has the owner: a cache that lags must not tie objects to one that is gone. */
export const stillThere = ({ kind, metadata: { name, namespace, uid } }: ApiObject): Write => ({
  op: 'check',
  kind,
  name,
  uid,
  ...(namespace === undefined ? {} : { namespace }),
});

/** Makes `owner` manage an object that nobody manages, adding finalizers. The uid in the patch spares a namesake. */
export const adopt = (object: ApiObject, owner: ApiObject, finalizers: readonly string[] = []): Write =>
  patchOf(object, { ownerReferences: [controllerReference(owner)], ...(finalizers.length === 0 ? {} : { finalizers }) });

/** Takes owners, and finalizers, off an object. */
export const disown = (object: ApiObject, ownerUids: readonly string[], finalizers: readonly string[] = []): Write =>
  patchOf(object, {
    ownerReferences: ownerUids.map((uid) => ({ $patch: 'delete', uid })),
    ...(finalizers.length === 0 ? {} : { '$deleteFromPrimitiveList/finalizers': finalizers }),
  });

/** Takes finalizers off an object. */
export const dropFinalizers = (object: ApiObject, finalizers: readonly string[]): Write =>
  patchOf(object, { '$deleteFromPrimitiveList/finalizers': finalizers });
