/** Descriptions of StatefulSets and their fields, in our words. Source: spec, "StatefulSet". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const statefulSetTexts: Texts = {
  StatefulSet: { '': 'Pods with names, network identities and storage that outlive them: NAME-0, NAME-1 and so on.' },
  StatefulSetSpec: {
    '': 'How many, of what, and how they come, go and change.',
    replicas: 'How many pods; their ordinals are 0 to replicas-1.',
    selector: 'The pods that count as its own; must fit the labels of the template.',
    template: 'What each pod is made of, but for its name, host name and claims.',
    volumeClaimTemplates:
      'Claims that every pod gets for itself, TEMPLATE-NAME-ORDINAL, and keeps over its lives. A claim wins over a volume of its name.',
    serviceName: 'The service that gives the pods their host names: POD.SERVICE.',
    podManagementPolicy:
      'OrderedReady: pods start one after the other, each when those before it are ready, and stop in reverse. Parallel: all at once.',
    updateStrategy: 'What happens to the pods when the template changes.',
    revisionHistoryLimit: 'How many past templates that nobody uses are kept, to go back to.',
    minReadySeconds: 'How long a pod must have been ready to count as available.',
    persistentVolumeClaimRetentionPolicy: 'What becomes of the claims when pods or the whole set go.',
  },
  StatefulSetUpdateStrategy: {
    '': 'How pods get a new template.',
    type: 'RollingUpdate: the controller replaces them, from the highest ordinal down. OnDelete: whoever deletes a pod does.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateStatefulSetStrategy: {
    '': 'Details of a rolling update.',
    partition: 'Pods of lower ordinals keep the old template, also when they are made anew.',
    maxUnavailable: 'How many pods may be down at a time, as a number or a percentage of replicas (rounded up); not 0.',
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    '': 'What becomes of claims.',
    whenDeleted: 'When the set is deleted: Retain or Delete.',
    whenScaled: 'When pods are too many: Retain or Delete.',
  },
  StatefulSetStatus: {
    '': 'How far it is.',
    observedGeneration: 'The newest generation that the controller has acted on.',
    replicas: 'Pods there are.',
    readyReplicas: 'Pods that are ready.',
    currentReplicas: 'Pods made of currentRevision.',
    updatedReplicas: 'Pods made of updateRevision.',
    currentRevision: 'The revision of the pods that have not been updated.',
    updateRevision: 'The revision of the present template. The same as currentRevision when no update goes on.',
    collisionCount: "How often the hash in a revision's name was taken by another one.",
    conditions: 'Not used by the controller.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
  },
  StatefulSetCondition: conditionTexts('How it stands with the set.', 'no types are defined'),
};

/** Fields with a closed set of values, sorted. */
export const statefulSetValues: Values = {
  StatefulSetSpec: { podManagementPolicy: ['OrderedReady', 'Parallel'] },
  StatefulSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] },
};
