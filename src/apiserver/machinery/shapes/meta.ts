/** Schemas that all kinds share: metadata, references, selectors. Models: v1.24 apimachinery pkg/apis/meta/v1 types. */
import {
  always,
  any,
  bool,
  int64,
  list,
  map,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  type Infer,
  field,
} from '../../../schema/shape/index.ts';
import type { ObjectMeta } from '../object.ts';

const ownerReference = obj(
  'OwnerReference',
  'An object that this one belongs to, in the same namespace or of the whole cluster.',
  {
    apiVersion: field(5, 'API version of the owner.', req(str())),
    kind: field(1, 'Kind of the owner.', req(str())),
    name: field(3, 'Name of the owner.', req(str())),
    uid: field(4, 'The owner itself, not another one of its name.', req(str('types.UID'))),
    controller: field(6, 'Whether the owner is the controller that manages this object.', ptr(bool)),
    blockOwnerDeletion: field(7, 'With a foreground deletion the owner waits until this object is gone.', ptr(bool)),
  },
  { mapType: 'atomic' },
);

const managedFieldsEntry = obj('ManagedFieldsEntry', 'Fields managed by one manager through one operation.', {
  manager: field(1, 'Who manages them.', str()),
  operation: field(2, 'Apply or Update.', str('ManagedFieldsOperationType')),
  apiVersion: field(3, 'The version in which the fields are named.', str()),
  time: field(4, 'When fields were last added, changed or taken over.', time),
  fieldsType: field(6, 'How the fields are written down; FieldsV1 is the only way.', str()),
  fieldsV1: field(7, 'The fields as a tree: f: a field, k: an item by its keys, v: an item by its value.', any),
  subresource: field(8, 'The sub-resource through which they were written.', str()),
});

export const objectMeta = obj('ObjectMeta', 'What objects of all kinds have.', {
  name: field(1, 'Unique among the objects of its kind in its namespace; cannot be changed.', str()),
  generateName: field(2, 'The beginning of a name: the server adds five random characters. Only used when there is no name.', str()),
  namespace: field(3, 'The namespace it lives in; kinds of the whole cluster have none.', str()),
  selfLink: field(4, 'No longer filled.', str()),
  uid: field(5, 'Distinguishes this object from all others of all times, also of the same name. Set by the server.', str('types.UID')),
  resourceVersion: field(
    6,
    'Changes with every write. Send it with an update to be refused (409) when somebody else was faster. Compare only for equality.',
    str(),
  ),
  generation: field(7, 'Grows when what is wanted changes; a change of metadata or status leaves it. Set by the server.', int64),
  creationTimestamp: field(8, 'When the server stored it, UTC.', always(time)),
  deletionTimestamp: field(
    9,
    'When it is to be gone: set by a deletion that has to wait, for grace or for finalizers. There is no way back.',
    time,
  ),
  deletionGracePeriodSeconds: field(10, 'How long it may take to end after the deletion; may only be shortened.', ptr(int64)),
  labels: field(11, 'Keys and values by which selectors find it.', map(str())),
  annotations: field(12, 'Keys and values for tools and people; no selector sees them.', map(str())),
  ownerReferences: field(
    13,
    'Objects it depends on: when all of them are gone it is collected. At most one of them is its controller.',
    mergeList(ownerReference, 'uid'),
  ),
  finalizers: field(
    14,
    'Who still has something to do before it may be gone; each takes its own name off the list, the last one ends it.',
    mergeList(str(), '', 'merge'),
  ),
  clusterName: field(15, 'Not used.', str()),
  managedFields: field(17, 'Who manages which fields, kept by the server so that appliers notice conflicts.', list(managedFieldsEntry)),
});

const labelSelectorRequirement = obj('LabelSelectorRequirement', 'One requirement on a label.', {
  key: field(1, 'The label.', { ...req(str()), patchMergeKey: 'key' } as {
    readonly type: 'string';
    readonly required: true;
    readonly always: true;
  }),
  operator: field(2, 'In, NotIn, Exists or DoesNotExist.', req(str('LabelSelectorOperator'))),
  values: field(3, 'For In and NotIn at least one, for Exists and DoesNotExist none.', list(str())),
});

export const labelSelector = obj(
  'LabelSelector',
  'Chooses objects by their labels: all that is said must hold. An empty one chooses everything, an absent one nothing.',
  {
    matchLabels: field(1, 'Labels that must be there with just these values.', map(str())),
    matchExpressions: field(2, 'Requirements on labels; all must hold.', list(labelSelectorRequirement)),
  },
  { mapType: 'atomic', memo: true },
);
export type LabelSelector = Infer<typeof labelSelector>;

/** The common type of conditions, used by NetworkPolicy and others. */
export const condition = obj('Condition', 'One aspect of the state, judged.', {
  type: field(1, 'What is judged, in CamelCase or domain/CamelCase. One condition a type.', req(str())),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  observedGeneration: field(3, 'The generation it was judged from; an older one than the object has means it is out of date.', int64),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', req(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs; not empty.', req(str())),
  message: field(6, 'Why, as a sentence, for people; may be empty.', req(str())),
});

export const objectReference = obj(
  'ObjectReference',
  'Points to an object.',
  {
    kind: field(1, 'Its kind.', str()),
    namespace: field(2, 'Its namespace.', str()),
    name: field(3, 'Its name.', str()),
    uid: field(4, 'The object itself, not another one of its name.', str('types.UID')),
    apiVersion: field(5, 'Its API version.', str()),
    resourceVersion: field(6, 'The version of it that is meant.', str()),
    fieldPath: field(7, 'A part of it: spec.containers{name}.', str()),
  },
  { mapType: 'atomic' },
);

export const localObjectReference = obj(
  'LocalObjectReference',
  'Points to an object of the same namespace.',
  { name: field(1, 'Its name.', str()) },
  { mapType: 'atomic' },
);
export const typedLocalObjectReference = obj(
  'TypedLocalObjectReference',
  'Points to an object of the same namespace, of any kind.',
  {
    apiGroup: field(1, 'Group of its API; absent for the core group.', always(ptr(str()))),
    kind: field(2, 'Its kind.', req(str())),
    name: field(3, 'Its name.', req(str())),
  },
  { mapType: 'atomic' },
);

/** The first fields of every kind. */
export const typeMeta = { kind: str(), apiVersion: str(), metadata: field(1, always(objectMeta)) } as const;

/** The object type of a kind, from the schema of the fields after its metadata. */
export type ObjectOf<K extends string, S> = { readonly apiVersion: string; readonly kind: K; readonly metadata: ObjectMeta } & Omit<
  S,
  'apiVersion' | 'kind' | 'metadata'
>;
