/** ReplicaSet: a number of pods of one template. Models: v1.24 apps/v1 ReplicaSet, pkg/registry/apps/replicaset. */
import { always, field, filled, type Infer, count32, count64, mergeList, obj, ptr, req } from '../../schema/shape/index.ts';
import {
  defineKind,
  immutableSelector,
  partErrors,
  replicatedTemplateErrors,
  selectorColumn,
  templateColumns,
  workloadHooks,
} from '../machinery/index.ts';
import { conditionReason, conditionType, kindFields, labelSelector, type ObjectOf, podTemplateSpec } from '../structs/index.ts';

const replicaSetSpec = obj('ReplicaSetSpec', 'The number of pods and their template.', {
  replicas: field(1, 'The desired number of pods.', filled(ptr(count32), 1), { column: ['Desired', 'Desired pods.'] }),
  minReadySeconds: field(4, 'Seconds for which a pod must be ready, without a failing container, to count as available.', count32),
  selector: field(2, 'The pods of the set; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'The template of new pods. Existing pods do not change with it.', always(podTemplateSpec)),
});

const replicaSetStatus = obj('ReplicaSetStatus', 'The observed state.', {
  replicas: field(1, 'Existing pods, without terminated ones and those being deleted.', req(count32), {
    column: ['Current', 'Existing pods.'],
  }),
  fullyLabeledReplicas: field(2, 'Pods with all labels of the template.', count32),
  readyReplicas: field(4, 'Ready pods.', count32, { column: 'Ready' }),
  availableReplicas: field(5, 'Pods that have been ready for at least minReadySeconds.', count32),
  observedGeneration: field(3, 'The latest generation that the controller has processed.', count64),
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

const replicaSetSchema = obj(
  'ReplicaSet',
  'A number of interchangeable pods of one template. Mostly managed by a Deployment.',
  kindFields({ spec: replicaSetSpec, status: replicaSetStatus }),
);
export type ReplicaSet = ObjectOf<'ReplicaSet', Infer<typeof replicaSetSchema>>;

const SPEC = ['spec.replicas', 'spec.minReadySeconds', replicatedTemplateErrors] as const;

export const replicaSet = defineKind<ReplicaSet>({
  shortNames: ['rs'],
  categories: ['all'],
  groupPrefix: 'apps',
  schema: replicaSetSchema,
  subresources: ['status', 'scale'],
  missingScale: true,
  generation: 'spec',
  ...workloadHooks({ replicas: 0 }),
  create: ['metadata', ...SPEC],
  // Upstream validates the whole new object, then the change, and with it the specification again.
  update: ['metadata', ...SPEC, 'changed metadata', ...SPEC, immutableSelector],
  updateStatus: ['changed metadata', 'status', partErrors('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas')],
  columns: [
    'Name',
    'Age',
    ...templateColumns<ReplicaSet>(({ spec }) => spec.template),
    selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/validation.',
});
