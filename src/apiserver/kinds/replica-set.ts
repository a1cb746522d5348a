/** ReplicaSet: a number of pods of one template. Models: v1.24 apps/v1 ReplicaSet, pkg/registry/apps/replicaset. */
import { always, field, filled, type Infer, int32, int64, mergeList, obj, ptr, req } from '../../schema/shape/index.ts';
import { append } from '../../schema/values/index.ts';
import {
  conditionReason,
  conditionType,
  defineKind,
  type Draft,
  dropGatedPodFields,
  EXAMPLE_LABELS,
  EXAMPLE_TEMPLATE,
  type FieldError,
  hasNoGatedFields,
  immutableSelector,
  keepStatus,
  type KindContext,
  labelSelector,
  nonNegative,
  type ObjectOf,
  podTemplateSpec,
  replicatedTemplateErrors,
  statusCountErrors,
  subdomainName,
  templateWarnings,
  typeMeta,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';
import { selectorColumn, templateColumns } from './pod/template-columns.ts';

const replicaSetSpec = obj('ReplicaSetSpec', 'The number of pods and their template.', {
  replicas: field(1, 'The desired number of pods.', filled(ptr(int32), 1)),
  minReadySeconds: field(4, 'Seconds for which a pod must be ready, without a failing container, to count as available.', int32),
  selector: field(2, 'The pods of the set; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'The template of new pods. Existing pods do not change with it.', always(podTemplateSpec)),
});
type ReplicaSetSpec = Infer<typeof replicaSetSpec>;

const replicaSetStatus = obj('ReplicaSetStatus', 'The observed state.', {
  replicas: field(1, 'Existing pods, without terminated ones and those being deleted.', req(int32)),
  fullyLabeledReplicas: field(2, 'Pods with all labels of the template.', int32),
  readyReplicas: field(4, 'Ready pods.', int32),
  availableReplicas: field(5, 'Pods that have been ready for at least minReadySeconds.', int32),
  observedGeneration: field(3, 'The latest generation that the controller has processed.', int64),
  conditions: field(
    6,
    'Failures, if any.',
    mergeList(
      obj('ReplicaSetCondition', 'A condition of the set.', {
        ...conditionType('ReplicaFailure: a pod could not be created or deleted', 'ReplicaSetConditionType'),
        ...conditionReason(3),
      }),
      'type',
    ),
  ),
});
export type ReplicaSetStatus = Infer<typeof replicaSetStatus>;

const replicaSetSchema = obj('ReplicaSet', 'A number of interchangeable pods of one template. Mostly managed by a Deployment.', {
  ...typeMeta,
  spec: field(2, always(replicaSetSpec)),
  status: field(3, always(replicaSetStatus)),
});
/** A stored ReplicaSet: defaulted, validated and frozen. */
export type ReplicaSet = ObjectOf<'ReplicaSet', Infer<typeof replicaSetSchema>>;

const validateReplicaSet = (object: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec, context),
];

function specErrors(spec: ReplicaSetSpec, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  nonNegative(spec.replicas, 'spec.replicas', errors);
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors);
  append(errors, replicatedTemplateErrors(spec, context));
  return errors;
}

/** Upstream validates the whole new object, then the change, and with it the specification again. */
const validateReplicaSetUpdate = (object: ReplicaSet, old: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateReplicaSet(object, context),
  ...validateMetaUpdate(object, old, context),
  ...specErrors(object.spec, context),
  ...immutableSelector(object.spec.selector, old.spec.selector),
];

const validateReplicaSetStatusUpdate = (object: ReplicaSet, old: ReplicaSet, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...statusCountErrors(
    object.status,
    ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ),
];

function prepareReplicaSet(draft: Draft<ReplicaSet>, context: KindContext): void {
  draft.status = { replicas: 0 };
  dropGatedPodFields(draft.spec.template, undefined, context);
}

function prepareReplicaSetUpdate(draft: Draft<ReplicaSet>, old: ReplicaSet, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
}

export const replicaSet = defineKind<ReplicaSet>({
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: replicaSetSchema,
  subresources: ['status', 'scale'],
  missingScale: true,
  generation: 'spec',
  prepareForCreate: prepareReplicaSet,
  prepareForUpdate: prepareReplicaSetUpdate,
  leavesUnchanged: ({ spec }) => hasNoGatedFields(spec.template),
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  columns: [
    'Name',
    ['Desired', 'integer', 'Desired pods.', ({ spec }) => spec.replicas],
    ['Current', 'integer', 'Existing pods.', ({ status }) => status.replicas],
    ['Ready', 'integer', 'Ready pods.', ({ status }) => status.readyReplicas ?? 0],
    'Age',
    ...templateColumns<ReplicaSet>(({ spec }) => spec.template),
    selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/validation.',
  example: {
    spec: { replicas: 2, minReadySeconds: 1, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE },
  },
});
