/** Schemas that all kinds share: metadata, references, selectors. Models: v1.24 apimachinery pkg/apis/meta/v1 types. */
import { always, any, bool, int64, list, map, mergeList, obj, ptr, req, str, time, type Infer } from '../../../schema/shape/index.ts';
import type { ObjectMeta } from '../object.ts';

const ownerReference = obj(
  'OwnerReference',
  {
    apiVersion: req(str()),
    kind: req(str()),
    name: req(str()),
    uid: req(str('types.UID')),
    controller: ptr(bool),
    blockOwnerDeletion: ptr(bool),
  },
  { mapType: 'atomic' },
);

const managedFieldsEntry = obj('ManagedFieldsEntry', {
  manager: str(),
  operation: str('ManagedFieldsOperationType'),
  apiVersion: str(),
  time,
  fieldsType: str(),
  fieldsV1: any,
  subresource: str(),
});

export const objectMeta = obj('ObjectMeta', {
  name: str(),
  generateName: str(),
  namespace: str(),
  selfLink: str(),
  uid: str('types.UID'),
  resourceVersion: str(),
  generation: int64,
  creationTimestamp: always(time),
  deletionTimestamp: time,
  deletionGracePeriodSeconds: ptr(int64),
  labels: map(str()),
  annotations: map(str()),
  ownerReferences: mergeList(ownerReference, 'uid'),
  finalizers: mergeList(str(), '', 'merge'),
  clusterName: str(),
  managedFields: list(managedFieldsEntry),
});

const labelSelectorRequirement = obj('LabelSelectorRequirement', {
  key: { ...req(str()), patchMergeKey: 'key' } as { readonly type: 'string'; readonly required: true; readonly always: true },
  operator: req(str('LabelSelectorOperator')),
  values: list(str()),
});

export const labelSelector = obj(
  'LabelSelector',
  {
    matchLabels: map(str()),
    matchExpressions: list(labelSelectorRequirement),
  },
  { mapType: 'atomic', memo: true },
);
export type LabelSelector = Infer<typeof labelSelector>;

/** The common type of conditions, used by NetworkPolicy and others. */
export const condition = obj('Condition', {
  type: req(str()),
  status: req(str('ConditionStatus')),
  observedGeneration: int64,
  lastTransitionTime: req(time),
  reason: req(str()),
  message: req(str()),
});

export const objectReference = obj(
  'ObjectReference',
  {
    kind: str(),
    namespace: str(),
    name: str(),
    uid: str('types.UID'),
    apiVersion: str(),
    resourceVersion: str(),
    fieldPath: str(),
  },
  { mapType: 'atomic' },
);

export const localObjectReference = obj('LocalObjectReference', { name: str() }, { mapType: 'atomic' });
export const typedLocalObjectReference = obj(
  'TypedLocalObjectReference',
  { apiGroup: always(ptr(str())), kind: req(str()), name: req(str()) },
  { mapType: 'atomic' },
);

/** The first fields of every kind. */
export const typeMeta = { kind: str(), apiVersion: str(), metadata: always(objectMeta) } as const;

/** The object type of a kind, from the schema of the fields after its metadata. */
export type ObjectOf<K extends string, S> = { readonly apiVersion: string; readonly kind: K; readonly metadata: ObjectMeta } & Omit<
  S,
  'apiVersion' | 'kind' | 'metadata'
>;
