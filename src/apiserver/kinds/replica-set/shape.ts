/** The schema of ReplicaSets: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, int32, int64, mergeList, obj, ptr, req, str, time } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

const replicaSetSpec = obj('ReplicaSetSpec', {
  replicas: filled(ptr(int32), 1),
  minReadySeconds: int32,
  selector: { ...labelSelector, required: true },
  template: always(podTemplateSpec),
});
export type ReplicaSetSpec = Infer<typeof replicaSetSpec>;

const replicaSetStatus = obj('ReplicaSetStatus', {
  replicas: req(int32),
  fullyLabeledReplicas: int32,
  readyReplicas: int32,
  availableReplicas: int32,
  observedGeneration: int64,
  conditions: mergeList(
    obj('ReplicaSetCondition', {
      type: req(str('ReplicaSetConditionType')),
      status: req(str('ConditionStatus')),
      lastTransitionTime: always(time),
      reason: str(),
      message: str(),
    }),
    'type',
  ),
});
export type ReplicaSetStatus = Infer<typeof replicaSetStatus>;

export const replicaSetSchema = obj('ReplicaSet', { ...typeMeta, spec: always(replicaSetSpec), status: always(replicaSetStatus) });
/** A stored ReplicaSet: defaulted, validated and frozen. */
export type ReplicaSet = ObjectOf<'ReplicaSet', Infer<typeof replicaSetSchema>>;
