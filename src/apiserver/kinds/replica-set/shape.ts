/** The schema of ReplicaSets: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, int32, int64, mergeList, obj, ptr, req, str, time, field } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

const replicaSetSpec = obj('ReplicaSetSpec', 'How many pods, and of what.', {
  replicas: field(1, 'How many pods are wanted.', filled(ptr(int32), 1)),
  minReadySeconds: field(4, 'How long a pod must have been ready, none of its containers failing, to count as available.', int32),
  selector: field(2, 'The pods that count as its own; must fit the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(3, 'What a new pod is made of. Pods that exist keep what they were made of.', always(podTemplateSpec)),
});
export type ReplicaSetSpec = Infer<typeof replicaSetSpec>;

const replicaSetStatus = obj('ReplicaSetStatus', 'How far it is.', {
  replicas: field(1, 'Pods there are, but for those that have ended or are going.', req(int32)),
  fullyLabeledReplicas: field(2, "Pods that have every label of the template's.", int32),
  readyReplicas: field(4, 'Pods that are ready.', int32),
  availableReplicas: field(5, 'Pods that have been ready for at least minReadySeconds.', int32),
  observedGeneration: field(3, 'The newest generation that the controller has acted on.', int64),
  conditions: field(
    6,
    'What is wrong, if something is.',
    mergeList(
      obj('ReplicaSetCondition', 'How it stands with the set.', {
        type: field(
          1,
          'What is judged: ReplicaFailure: a pod could not be created or deleted. One condition a type.',
          req(str('ReplicaSetConditionType')),
        ),
        status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
        lastTransitionTime: field(3, 'When the status last changed from one value to another.', always(time)),
        reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
        message: field(5, 'Why, as a sentence, for people.', str()),
      }),
      'type',
    ),
  ),
});
export type ReplicaSetStatus = Infer<typeof replicaSetStatus>;

export const replicaSetSchema = obj(
  'ReplicaSet',
  'So many pods of one template, whichever they are. Mostly made and sized by a Deployment.',
  { ...typeMeta, spec: field(2, always(replicaSetSpec)), status: field(3, always(replicaSetStatus)) },
);
/** A stored ReplicaSet: defaulted, validated and frozen. */
export type ReplicaSet = ObjectOf<'ReplicaSet', Infer<typeof replicaSetSchema>>;
