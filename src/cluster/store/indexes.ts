/** The secondary indexes every holder of objects keeps: by owner, by managing owner, by node, by namespace, and pods nobody manages. */
import { controllerOf, type ApiObject } from '../api/object.ts';

export type IndexName = 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace' | 'unmanagedInNamespace' | 'uid';

const nodeNameOf = (object: ApiObject): string | undefined => {
  const spec = object['spec'] as { readonly nodeName?: unknown } | undefined;
  return typeof spec?.nodeName === 'string' ? spec.nodeName : undefined;
};

/** Values under which an object is found. */
export const OBJECT_INDEXES: Readonly<Record<IndexName, (object: ApiObject) => readonly string[] | string | undefined>> = {
  uid: (object) => object.metadata.uid,
  ownerUid: (object) => object.metadata.ownerReferences?.map((owner) => owner.uid),
  controllerUid: (object) => controllerOf(object)?.uid,
  nodeName: nodeNameOf,
  namespace: (object) => object.metadata.namespace,
  unmanagedInNamespace: (object) => (controllerOf(object) === undefined ? object.metadata.namespace : undefined),
};
