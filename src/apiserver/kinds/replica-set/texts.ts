/** Descriptions of ReplicaSets and their fields, in our words. */
import { conditionTexts, type Texts } from '../../machinery/index.ts';

export const replicaSetTexts: Texts = {
  ReplicaSet: { '': 'A number of interchangeable pods of one template. Mostly managed by a Deployment.' },
  ReplicaSetSpec: {
    '': 'The number of pods and their template.',
    replicas: 'The desired number of pods.',
    minReadySeconds: 'Seconds for which a pod must be ready, without a failing container, to count as available.',
    selector: 'The pods of the set; must match the labels of the template and never changes.',
    template: 'The template of new pods. Existing pods do not change with it.',
  },
  ReplicaSetStatus: {
    '': 'The observed state.',
    replicas: 'Existing pods, without terminated ones and those being deleted.',
    fullyLabeledReplicas: 'Pods with all labels of the template.',
    readyReplicas: 'Ready pods.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
    observedGeneration: 'The latest generation that the controller has processed.',
    conditions: 'Failures, if any.',
  },
  ReplicaSetCondition: conditionTexts('A condition of the set.', 'ReplicaFailure: a pod could not be created or deleted'),
};
