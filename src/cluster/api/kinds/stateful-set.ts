/** StatefulSet: pods with stable names and storage. Models: v1.24 apps/v1 StatefulSet, pkg/registry/apps/statefulset. */
import { always, filled, int32, int64, intOrString, list, mergeList, obj, ptr, req, str, time, type Complete, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { claimTemplateInSet } from '../shapes/claims.ts';
import { labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { podTemplateSpec } from '../shapes/pod-spec.ts';
import { templateWarnings } from '../validation/pod-warnings.ts';
import { containerNames, imageNames } from './pod-columns.ts';
import { defaultStatefulSet, prepareStatefulSet, prepareStatefulSetUpdate } from './stateful-set-strategy.ts';
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from './stateful-set-validation.ts';

/** A rolling update is the default and has its parameters; where it is named without any, it has none. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  if (type !== undefined && (type !== 'RollingUpdate' || rollingUpdate === undefined)) return undefined;
  const given = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  return type === undefined || given['partition'] === undefined ? { type: 'RollingUpdate', rollingUpdate: { partition: 0, ...given } } : undefined;
};

/** Always there after `completeStrategy`. */
const strategyName = str('StatefulSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

const updateStrategy = obj('StatefulSetUpdateStrategy', {
  type: strategyName,
  rollingUpdate: obj('RollingUpdateStatefulSetStrategy', { partition: ptr(int32), maxUnavailable: ptr(intOrString) }),
}, { complete: completeStrategy });

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
  conditions: mergeList(obj('StatefulSetCondition', {
    type: req(str('StatefulSetConditionType')), status: req(str('ConditionStatus')), lastTransitionTime: always(time), reason: str(), message: str(),
  }), 'type'),
  availableReplicas: always(int32),
});
export type StatefulSetStatus = Infer<typeof statefulSetStatus>;

export const statefulSetSchema = obj('StatefulSet', { ...typeMeta, spec: always(statefulSetSpec), status: always(statefulSetStatus) });
export type StatefulSet = ObjectOf<'StatefulSet', Infer<typeof statefulSetSchema>>;

export const statefulSet = defineKind<StatefulSet>({
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: statefulSetSchema,
  subresources: ['status', 'scale'],
  generation: 'spec',
  applyDefaults: defaultStatefulSet,
  prepareForCreate: prepareStatefulSet,
  prepareForUpdate: prepareStatefulSetUpdate,
  warnings: (object, old, context) => templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatusUpdate: validateStatefulSetStatusUpdate,
  columns: [
    nameColumn,
    { name: 'Ready', type: 'string', description: 'Number of the pod with ready state', priority: 0, cell: (object) => `${object.status.readyReplicas ?? 0}/${object.spec.replicas}` },
    ageColumn,
    { name: 'Containers', type: 'string', description: 'Names of each container in the template.', priority: 1, cell: (object) => containerNames(object.spec.template.spec) },
    { name: 'Images', type: 'string', description: 'Images referenced by each container in the template.', priority: 1, cell: (object) => imageNames(object.spec.template.spec) },
  ],
  models: 'Complete. Upstream: pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/validation.',
});
