/** The secondary indexes of the store and of caches: by owner, by controller, by node, by namespace, and pods without a controller. */
import { controllerOf, type ApiObject } from '../machinery/index.ts';

export type IndexName = 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace' | 'unmanagedInNamespace' | 'uid';

const nodeNameOf = (object: ApiObject): string | undefined => {
  const spec = object['spec'] as { readonly nodeName?: unknown } | undefined;
  return typeof spec?.nodeName === 'string' ? spec.nodeName : undefined;
};

export interface IndexRule {
  /** Returns the values under which an object is found. */
  readonly values: (object: ApiObject) => readonly string[] | string | undefined;
  /** Returns the part that the values depend on: two revisions that share it have equal values. */
  readonly source: (object: ApiObject) => unknown;
}

const owners = (object: ApiObject): unknown => object.metadata.ownerReferences;

export const OBJECT_INDEXES: Readonly<Record<IndexName, IndexRule>> = {
  uid: { values: (object) => object.metadata.uid, source: (object) => object.metadata.uid },
  ownerUid: { values: (object) => object.metadata.ownerReferences?.map((owner) => owner.uid), source: owners },
  controllerUid: { values: (object) => controllerOf(object)?.uid, source: owners },
  nodeName: { values: nodeNameOf, source: (object) => object['spec'] },
  namespace: { values: (object) => object.metadata.namespace, source: (object) => object.metadata.namespace },
  // The namespace of an object never changes.
  unmanagedInNamespace: {
    values: (object) => (controllerOf(object) === undefined ? object.metadata.namespace : undefined),
    source: owners,
  },
};
