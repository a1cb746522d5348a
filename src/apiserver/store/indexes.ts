/** The secondary indexes every holder of objects keeps: by owner, by managing owner, by node, by namespace, and pods nobody manages. */
import { controllerOf, type ApiObject } from '../machinery/index.ts';

export type IndexName = 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace' | 'unmanagedInNamespace' | 'uid';

const nodeNameOf = (object: ApiObject): string | undefined => {
  const spec = object['spec'] as { readonly nodeName?: unknown } | undefined;
  return typeof spec?.nodeName === 'string' ? spec.nodeName : undefined;
};

export interface IndexRule {
  /** Values under which an object is found. */
  readonly values: (object: ApiObject) => readonly string[] | string | undefined;
  /** What they are worked out from: revisions that share it are found alike. */
  readonly source: (object: ApiObject) => unknown;
}

const owners = (object: ApiObject): unknown => object.metadata.ownerReferences;

export const OBJECT_INDEXES: Readonly<Record<IndexName, IndexRule>> = {
  uid: { values: (object) => object.metadata.uid, source: (object) => object.metadata.uid },
  ownerUid: { values: (object) => object.metadata.ownerReferences?.map((owner) => owner.uid), source: owners },
  controllerUid: { values: (object) => controllerOf(object)?.uid, source: owners },
  nodeName: { values: nodeNameOf, source: (object) => object['spec'] },
  namespace: { values: (object) => object.metadata.namespace, source: (object) => object.metadata.namespace },
  // An object's namespace never changes.
  unmanagedInNamespace: {
    values: (object) => (controllerOf(object) === undefined ? object.metadata.namespace : undefined),
    source: owners,
  },
};
