/** Metadata, selectors, references. Source: spec, conventions and shared types. */
import type { Texts } from './texts.ts';

/** Fields of every kind. */
export const COMMON: Readonly<Record<string, string>> = {
  kind: 'Which kind of object this is.',
  apiVersion: 'Group and version of the API that this form belongs to.',
  metadata: 'Name, labels, owners and whatever else objects of all kinds have.',
  spec: 'What is wanted.',
  status: 'What is the case, as whoever acts on the object last reported it.',
};

export const META: Texts = {
  ObjectMeta: {
    '': 'What objects of all kinds have.',
    name: 'Unique among the objects of its kind in its namespace; cannot be changed.',
    generateName: 'The beginning of a name: the server adds five random characters. Only used when there is no name.',
    namespace: 'The namespace it lives in; kinds of the whole cluster have none.',
    selfLink: 'No longer filled.',
    uid: 'Distinguishes this object from all others of all times, also of the same name. Set by the server.',
    resourceVersion:
      'Changes with every write. Send it with an update to be refused (409) when somebody else was faster. Compare only for equality.',
    generation: 'Grows when what is wanted changes; a change of metadata or status leaves it. Set by the server.',
    creationTimestamp: 'When the server stored it, UTC.',
    deletionTimestamp: 'When it is to be gone: set by a deletion that has to wait, for grace or for finalizers. There is no way back.',
    deletionGracePeriodSeconds: 'How long it may take to end after the deletion; may only be shortened.',
    labels: 'Keys and values by which selectors find it.',
    annotations: 'Keys and values for tools and people; no selector sees them.',
    ownerReferences: 'Objects it depends on: when all of them are gone it is collected. At most one of them is its controller.',
    finalizers: 'Who still has something to do before it may be gone; each takes its own name off the list, the last one ends it.',
    clusterName: 'Not used.',
    managedFields: 'Who manages which fields, kept by the server so that appliers notice conflicts.',
  },
  OwnerReference: {
    '': 'An object that this one belongs to, in the same namespace or of the whole cluster.',
    apiVersion: 'API version of the owner.',
    kind: 'Kind of the owner.',
    name: 'Name of the owner.',
    uid: 'The owner itself, not another one of its name.',
    controller: 'Whether the owner is the controller that manages this object.',
    blockOwnerDeletion: 'With a foreground deletion the owner waits until this object is gone.',
  },
  ManagedFieldsEntry: {
    '': 'Fields managed by one manager through one operation.',
    manager: 'Who manages them.',
    operation: 'Apply or Update.',
    apiVersion: 'The version in which the fields are named.',
    time: 'When fields were last added, changed or taken over.',
    fieldsType: 'How the fields are written down; FieldsV1 is the only way.',
    fieldsV1: 'The fields as a tree: f: a field, k: an item by its keys, v: an item by its value.',
    subresource: 'The sub-resource through which they were written.',
  },
  LabelSelector: {
    '': 'Chooses objects by their labels: all that is said must hold. An empty one chooses everything, an absent one nothing.',
    matchLabels: 'Labels that must be there with just these values.',
    matchExpressions: 'Requirements on labels; all must hold.',
  },
  LabelSelectorRequirement: {
    '': 'One requirement on a label.',
    key: 'The label.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'For In and NotIn at least one, for Exists and DoesNotExist none.',
  },
  ObjectReference: {
    '': 'Points to an object.',
    kind: 'Its kind.',
    namespace: 'Its namespace.',
    name: 'Its name.',
    uid: 'The object itself, not another one of its name.',
    apiVersion: 'Its API version.',
    resourceVersion: 'The version of it that is meant.',
    fieldPath: 'A part of it: spec.containers{name}.',
  },
  LocalObjectReference: { '': 'Points to an object of the same namespace.', name: 'Its name.' },
  TypedLocalObjectReference: {
    '': 'Points to an object of the same namespace, of any kind.',
    apiGroup: 'Group of its API; absent for the core group.',
    kind: 'Its kind.',
    name: 'Its name.',
  },
  SecretReference: { '': 'Points to a Secret.', name: 'Its name.', namespace: 'Its namespace.' },
  Condition: {
    '': 'One aspect of the state, judged.',
    type: 'What is judged, in CamelCase or domain/CamelCase. One condition a type.',
    status: 'True, False or Unknown.',
    observedGeneration: 'The generation it was judged from; an older one than the object has means it is out of date.',
    lastTransitionTime: 'When the status last changed from one value to another.',
    reason: 'Why, as one word in CamelCase, for programs; not empty.',
    message: 'Why, as a sentence, for people; may be empty.',
  },
};
