/** Schemas that all kinds share: metadata, references, selectors. Models: v1.24 apimachinery pkg/apis/meta/v1 types. */
import { always, any, bool, field, int64, list, map, mergeList, obj, ptr, req, str, time } from '../../schema/shape/index.ts';
import type { Fieldset, Infer, ObjectShape, Schema } from '../../schema/shape/index.ts';
import type { ObjectMeta } from '../objects/index.ts';

const ownerReference = obj(
  'OwnerReference',
  'An owner, in the same namespace or cluster-scoped.',
  {
    apiVersion: field(5, 'API version of the owner.', req(str())),
    kind: field(1, 'Kind of the owner.', req(str())),
    name: field(3, 'Name of the owner.', req(str())),
    uid: field(4, 'Uid of the owner.', req(str('types.UID'))),
    controller: field(6, 'Whether the owner is the controller that manages this object.', ptr(bool)),
    blockOwnerDeletion: field(7, 'Whether a foreground deletion of the owner waits for this object.', ptr(bool)),
  },
  { mapType: 'atomic' },
);

const managedFieldsEntry = obj('ManagedFieldsEntry', 'Fields managed by one manager through one operation.', {
  manager: field(1, 'The name of the manager.', str()),
  operation: field(2, 'Apply or Update.', str('ManagedFieldsOperationType')),
  apiVersion: field(3, 'The API version of the field names.', str()),
  time: field(4, 'When fields were last added, changed or taken over.', time),
  fieldsType: field(6, 'The encoding of the fields; FieldsV1 is the only one.', str()),
  fieldsV1: field(7, 'The fields as a tree: f: a field, k: an item by its keys, v: an item by its value.', any),
  subresource: field(8, 'The sub-resource of the write.', str()),
});

export const objectMeta = obj('ObjectMeta', 'Metadata of all kinds.', {
  name: field(1, 'Unique among the objects of its kind in its namespace; cannot be changed.', str()),
  generateName: field(2, 'A name prefix, to which the server adds five random characters. Used only without a name.', str()),
  namespace: field(3, 'Its namespace; cluster-scoped kinds have none.', str()),
  selfLink: field(4, 'Not used.', str()),
  uid: field(5, 'Unique over time, also among objects of the same name. Set by the server.', str('types.UID')),
  resourceVersion: field(6, 'Changes with every write. An update with an old value is refused (409). Compare only for equality.', str()),
  generation: field(7, 'Incremented when the desired state changes, but not by changes of metadata or status. Set by the server.', int64),
  creationTimestamp: field(8, 'When the server created it, UTC.', always(time)),
  deletionTimestamp: field(
    9,
    'When it will be removed: set by a deletion that waits for a grace period or for finalizers. It cannot be undone.',
    time,
  ),
  deletionGracePeriodSeconds: field(10, 'The grace period of the deletion in seconds; may only be reduced.', ptr(int64)),
  labels: field(11, 'Keys and values for selectors.', map(str())),
  annotations: field(12, 'Keys and values for tools and users; selectors do not use them.', map(str())),
  ownerReferences: field(
    13,
    'Objects it depends on: when all of them are deleted, it is garbage collected. At most one of them is its controller.',
    mergeList(ownerReference, 'uid'),
  ),
  finalizers: field(
    14,
    'Components that must act before it is removed; each removes its own entry, and the last one completes the deletion.',
    mergeList(str(), '', 'merge'),
  ),
  clusterName: field(15, 'Not used.', str()),
  managedFields: field(17, 'The managers of fields, for conflicts in server-side apply. Set by the server.', list(managedFieldsEntry)),
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
  'Selects objects by their labels: all requirements must match. An empty selector selects everything, an absent one nothing.',
  {
    matchLabels: field(1, 'Labels with exactly these values.', map(str())),
    matchExpressions: field(2, 'Requirements on labels; all must match.', list(labelSelectorRequirement)),
  },
  { mapType: 'atomic', memo: true },
);
export type LabelSelector = Infer<typeof labelSelector>;

/** The common type of conditions, used by NetworkPolicy and others. */
export const condition = obj('Condition', 'One aspect of the state.', {
  type: field(1, 'The aspect, in CamelCase or domain/CamelCase. One condition for each type.', req(str())),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  observedGeneration: field(3, 'The generation it is based on; if the object has a later one, the condition is outdated.', int64),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', req(time)),
  reason: field(5, 'The reason as one word in CamelCase, for programs; not empty.', req(str())),
  message: field(6, 'The reason as a sentence; may be empty.', req(str())),
});

const CONDITION_STATUS = field(2, 'True, False or Unknown.', req(str('ConditionStatus')));

/** Returns the first fields of a condition of a kind. `types` are its types in words; `go` is the name of their Go type. */
export const conditionType = (types: string, go: string) => ({
  type: field(1, `The aspect: ${types}. One condition for each type.`, req(str(go))),
  status: CONDITION_STATUS,
});

/** The field of conditions that record when they were last checked. */
export const lastProbeTime = field(3, 'When the condition was last checked.', always(time));

/** Returns the last fields of a condition of a kind, numbered from `first` in protobuf. */
export const conditionReason = (first: number) => ({
  lastTransitionTime: field(first, 'When the status last changed from one value to another.', always(time)),
  reason: field(first + 1, 'The reason as one word in CamelCase, for programs.', str()),
  message: field(first + 2, 'The reason as a sentence.', str()),
});

export const objectReference = obj(
  'ObjectReference',
  'A reference to an object.',
  {
    kind: field(1, 'Its kind.', str()),
    namespace: field(2, 'Its namespace.', str()),
    name: field(3, 'Its name.', str()),
    uid: field(4, 'Its uid.', str('types.UID')),
    apiVersion: field(5, 'Its API version.', str()),
    resourceVersion: field(6, 'Its resourceVersion.', str()),
    fieldPath: field(7, 'A part of it: spec.containers{name}.', str()),
  },
  { mapType: 'atomic' },
);

export const localObjectReference = obj(
  'LocalObjectReference',
  'A reference to an object in the same namespace.',
  { name: field(1, 'Its name.', str()) },
  { mapType: 'atomic' },
);
export const typedLocalObjectReference = obj(
  'TypedLocalObjectReference',
  'A reference to an object of any kind in the same namespace.',
  {
    apiGroup: field(1, 'Group of its API; absent for the core group.', always(ptr(str()))),
    kind: field(2, 'Its kind.', req(str())),
    name: field(3, 'Its name.', req(str())),
  },
  { mapType: 'atomic' },
);

/** The first fields of every kind. */
export const typeMeta = { kind: str(), apiVersion: str(), metadata: field(1, always(objectMeta)) } as const;

/** Returns the fields of a kind with a specification, and mostly a status. */
export function kindFields<const P extends { readonly spec: Schema; readonly status?: Schema }>(
  parts: P,
): typeof typeMeta & { readonly [K in keyof P]: P[K] & { readonly always: true } };
export function kindFields({ spec, status }: { readonly spec: Schema; readonly status?: Schema }): Fieldset {
  return { ...typeMeta, spec: field(2, always(spec)), ...(status === undefined ? {} : { status: field(3, always(status)) }) };
}

/** The type of stored objects of a kind (defaulted, validated and frozen), from the schema of the fields after its metadata. */
export type ObjectOf<K extends string, S> = { readonly apiVersion: string; readonly kind: K; readonly metadata: ObjectMeta } & Omit<
  S,
  'apiVersion' | 'kind' | 'metadata'
>;

const COMMON: ReadonlyMap<string, string> = new Map([
  ['kind', 'The kind of the object.'],
  ['apiVersion', 'The API group and version of this form.'],
  ['metadata', 'Name, labels, owners and other members of all kinds.'],
  ['spec', 'The desired state.'],
  ['status', 'The observed state, as last reported by the controller of the object.'],
]);

/** Returns what a field of a struct means, as a sentence or two; undefined: its schema does not say. */
export const fieldText = ({ fields }: ObjectShape, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? (fields[name]?.says ?? COMMON.get(name)) : undefined;
