/** The schema of StatefulSets: fields, types and defaults. Models: v1.24 apps/v1 StatefulSet. */
import {
  always,
  count32,
  count64,
  field,
  filled,
  int32,
  intOrString,
  list,
  mergeList,
  obj,
  oneOf,
  ptr,
  req,
  str,
} from '../../../schema/shape/index.ts';
import type { Complete, Infer } from '../../../schema/shape/index.ts';
import { claimTemplateInSet, conditionReason, conditionType, kindFields, labelSelector, podTemplateSpec } from '../../structs/index.ts';
import type { ObjectOf } from '../../structs/index.ts';

/** The default is a rolling update with its parameters; an explicit rolling update without parameters has none. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  if (type !== undefined && (type !== 'RollingUpdate' || rollingUpdate === undefined)) return undefined;
  const given = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  return type === undefined || given['partition'] === undefined
    ? { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } }
    : undefined;
};

/** Always present after `completeStrategy`. */
const strategyName = str('StatefulSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

export const rollingUpdateSchema = obj('RollingUpdateStatefulSetStrategy', 'Details of a rolling update.', {
  partition: field(1, 'Pods with lower ordinals keep the old template, even when they are created again.', ptr(count32)),
  maxUnavailable: field(
    2,
    'The number of pods that may be unavailable, or a percentage of replicas (rounded up); not 0.',
    ptr(intOrString),
    { format: 'share', since: 'MaxUnavailableStatefulSet' },
  ),
});

export const updateStrategy = obj(
  'StatefulSetUpdateStrategy',
  'How pods are updated to a new template.',
  {
    type: field(
      1,
      'RollingUpdate: the controller replaces them, from the highest ordinal down. OnDelete: a pod is replaced after a user has deleted it.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(2, 'Details of a rolling update.', rollingUpdateSchema),
  },
  { complete: completeStrategy },
);

const RETAIN = filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain');
const retention = { among: ['Retain', 'Delete'] };
export const retentionPolicy = obj('StatefulSetPersistentVolumeClaimRetentionPolicy', 'Whether claims are deleted.', {
  whenDeleted: field(1, 'When the set is deleted: Retain or Delete.', RETAIN, retention),
  whenScaled: field(2, 'When the set is scaled down: Retain or Delete.', RETAIN, retention),
});

const statefulSetSpec = obj('StatefulSetSpec', 'The number of pods, their template, and how they are created, deleted and updated.', {
  replicas: field(1, 'The desired number of pods; their ordinals are 0 to replicas-1.', filled(ptr(count32), 1)),
  selector: field(2, 'The pods of the set; must match the labels of the template.', { ...labelSelector, required: true }),
  template: field(3, 'The template of the pods, without name, host name and claims.', req(podTemplateSpec)),
  volumeClaimTemplates: field(
    4,
    'Claims of each pod, TEMPLATE-NAME-ORDINAL, which are kept when the pod is replaced. A claim takes precedence over a volume of its name.',
    list(claimTemplateInSet),
  ),
  serviceName: field(5, 'The service for the host names of the pods: POD.SERVICE.', req(str())),
  podManagementPolicy: field(
    6,
    'OrderedReady: pods are created one after the other, each when its predecessors are ready, and deleted in reverse. Parallel: all at once.',
    oneOf(filled(str('PodManagementPolicyType'), 'OrderedReady'), ['OrderedReady', 'Parallel']),
    { among: ['OrderedReady', 'Parallel'], words: "must be 'OrderedReady' or 'Parallel'" },
  ),
  updateStrategy: field(7, 'How the pods are updated when the template changes.', always(updateStrategy)),
  revisionHistoryLimit: field(8, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(int32), 10)),
  minReadySeconds: field(9, 'Seconds for which a pod must be ready to count as available.', count32, {
    since: { gate: 'StatefulSetMinReadySeconds', ruled: true },
  }),
  persistentVolumeClaimRetentionPolicy: field(10, 'Whether claims are deleted with their pods or with the set.', retentionPolicy, {
    since: 'StatefulSetAutoDeletePVC',
  }),
});
export type StatefulSetSpec = Infer<typeof statefulSetSpec>;

const statefulSetStatus = obj(
  'StatefulSetStatus',
  'The observed state.',
  {
    observedGeneration: field(1, 'The latest generation that the controller has processed.', count64),
    replicas: field(2, 'Existing pods.', req(count32)),
    readyReplicas: field(3, 'Ready pods.', count32),
    currentReplicas: field(4, 'Pods of currentRevision.', count32),
    updatedReplicas: field(5, 'Pods of updateRevision.', count32),
    currentRevision: field(6, 'The revision of pods that are not updated.', str()),
    updateRevision: field(7, 'The revision of the current template. Equals currentRevision when no update is in progress.', str()),
    collisionCount: field(9, "The number of collisions of the hash in a revision's name.", ptr(count32)),
    conditions: field(
      10,
      'Not used by the controller.',
      mergeList(
        obj('StatefulSetCondition', 'A condition of the set.', {
          ...conditionType('no types are defined', 'StatefulSetConditionType'),
          ...conditionReason(3),
        }),
        'type',
      ),
    ),
    availableReplicas: field(11, 'Pods that have been ready for at least minReadySeconds.', always(count32)),
  },
  {
    order: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration', 'collisionCount'],
  },
);
export type StatefulSetStatus = Infer<typeof statefulSetStatus>;

export const statefulSetSchema = obj(
  'StatefulSet',
  'Pods with stable names, network identities and storage: NAME-0, NAME-1 and so on.',
  kindFields({ spec: statefulSetSpec, status: statefulSetStatus }),
);
/** A stored StatefulSet: defaulted, validated and frozen. */
export type StatefulSet = ObjectOf<'StatefulSet', Infer<typeof statefulSetSchema>>;
