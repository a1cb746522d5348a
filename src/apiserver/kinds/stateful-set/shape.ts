/** The schema of StatefulSets: fields, types, and the defaults that depend only on the object. */
import {
  always,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  intOrString,
  list,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
} from '../../../schema/shape/index.ts';
import { claimTemplateInSet, labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

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

const updateStrategy = obj(
  'StatefulSetUpdateStrategy',
  {
    type: strategyName,
    rollingUpdate: obj('RollingUpdateStatefulSetStrategy', { partition: ptr(int32), maxUnavailable: ptr(intOrString) }),
  },
  { complete: completeStrategy },
);

const statefulSetSpec = obj('StatefulSetSpec', {
  replicas: filled(ptr(int32), 1),
  selector: { ...labelSelector, required: true },
  template: req(podTemplateSpec),
  volumeClaimTemplates: list(claimTemplateInSet),
  serviceName: req(str()),
  podManagementPolicy: filled(str('PodManagementPolicyType'), 'OrderedReady'),
  updateStrategy: always(updateStrategy),
  revisionHistoryLimit: filled(ptr(int32), 10),
  minReadySeconds: int32,
  persistentVolumeClaimRetentionPolicy: obj('StatefulSetPersistentVolumeClaimRetentionPolicy', {
    whenDeleted: filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
    whenScaled: filled(str('PersistentVolumeClaimRetentionPolicyType'), 'Retain'),
  }),
});
export type StatefulSetSpec = Infer<typeof statefulSetSpec>;

const statefulSetStatus = obj('StatefulSetStatus', {
  observedGeneration: int64,
  replicas: req(int32),
  readyReplicas: int32,
  currentReplicas: int32,
  updatedReplicas: int32,
  currentRevision: str(),
  updateRevision: str(),
  collisionCount: ptr(int32),
  conditions: mergeList(
    obj('StatefulSetCondition', {
      type: req(str('StatefulSetConditionType')),
      status: req(str('ConditionStatus')),
      lastTransitionTime: always(time),
      reason: str(),
      message: str(),
    }),
    'type',
  ),
  availableReplicas: always(int32),
});
export type StatefulSetStatus = Infer<typeof statefulSetStatus>;

export const statefulSetSchema = obj('StatefulSet', { ...typeMeta, spec: always(statefulSetSpec), status: always(statefulSetStatus) });
/** A stored StatefulSet: defaulted, validated and frozen. */
export type StatefulSet = ObjectOf<'StatefulSet', Infer<typeof statefulSetSchema>>;
