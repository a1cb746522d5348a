/** Descriptions of StatefulSets and their fields, in our words. Source: spec, "StatefulSet". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const statefulSetTexts: Texts = {
  StatefulSet: { '': 'Pods with stable names, network identities and storage: NAME-0, NAME-1 and so on.' },
  StatefulSetSpec: {
    '': 'The number of pods, their template, and how they are created, deleted and updated.',
    replicas: 'The desired number of pods; their ordinals are 0 to replicas-1.',
    selector: 'The pods of the set; must match the labels of the template.',
    template: 'The template of the pods, without name, host name and claims.',
    volumeClaimTemplates:
      'Claims of each pod, TEMPLATE-NAME-ORDINAL, which are kept when the pod is replaced. A claim takes precedence over a volume of its name.',
    serviceName: 'The service for the host names of the pods: POD.SERVICE.',
    podManagementPolicy:
      'OrderedReady: pods are created one after the other, each when its predecessors are ready, and deleted in reverse. Parallel: all at once.',
    updateStrategy: 'How the pods are updated when the template changes.',
    revisionHistoryLimit: 'The number of unused old templates that are kept for rollbacks.',
    minReadySeconds: 'Seconds for which a pod must be ready to count as available.',
    persistentVolumeClaimRetentionPolicy: 'Whether claims are deleted with their pods or with the set.',
  },
  StatefulSetUpdateStrategy: {
    '': 'How pods are updated to a new template.',
    type: 'RollingUpdate: the controller replaces them, from the highest ordinal down. OnDelete: a pod is replaced after a user has deleted it.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateStatefulSetStrategy: {
    '': 'Details of a rolling update.',
    partition: 'Pods with lower ordinals keep the old template, even when they are created again.',
    maxUnavailable: 'The number of pods that may be unavailable, or a percentage of replicas (rounded up); not 0.',
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    '': 'Whether claims are deleted.',
    whenDeleted: 'When the set is deleted: Retain or Delete.',
    whenScaled: 'When the set is scaled down: Retain or Delete.',
  },
  StatefulSetStatus: {
    '': 'The observed state.',
    observedGeneration: 'The latest generation that the controller has processed.',
    replicas: 'Existing pods.',
    readyReplicas: 'Ready pods.',
    currentReplicas: 'Pods of currentRevision.',
    updatedReplicas: 'Pods of updateRevision.',
    currentRevision: 'The revision of pods that are not updated.',
    updateRevision: 'The revision of the current template. Equals currentRevision when no update is in progress.',
    collisionCount: "The number of collisions of the hash in a revision's name.",
    conditions: 'Not used by the controller.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
  },
  StatefulSetCondition: conditionTexts('A condition of the set.', 'no types are defined'),
};

/** Fields with a closed set of values, sorted. */
export const statefulSetValues: Values = {
  StatefulSetSpec: { podManagementPolicy: ['OrderedReady', 'Parallel'] },
  StatefulSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] },
};
