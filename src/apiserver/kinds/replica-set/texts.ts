/** Descriptions of ReplicaSets and their fields, in our words. */
import { conditionTexts, type Texts } from '../../machinery/index.ts';

export const replicaSetTexts: Texts = {
  ReplicaSet: { '': 'So many pods of one template, whichever they are. Mostly made and sized by a Deployment.' },
  ReplicaSetSpec: {
    '': 'How many pods, and of what.',
    replicas: 'How many pods are wanted.',
    minReadySeconds: 'How long a pod must have been ready, none of its containers failing, to count as available.',
    selector: 'The pods that count as its own; must fit the labels of the template and never changes.',
    template: 'What a new pod is made of. Pods that exist keep what they were made of.',
  },
  ReplicaSetStatus: {
    '': 'How far it is.',
    replicas: 'Pods there are, but for those that have ended or are going.',
    fullyLabeledReplicas: "Pods that have every label of the template's.",
    readyReplicas: 'Pods that are ready.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
    observedGeneration: 'The newest generation that the controller has acted on.',
    conditions: 'What is wrong, if something is.',
  },
  ReplicaSetCondition: conditionTexts('How it stands with the set.', 'ReplicaFailure: a pod could not be created or deleted'),
};
