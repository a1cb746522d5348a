/** Descriptions of DaemonSets and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const daemonSetTexts: Texts = {
  DaemonSet: { '': 'A pod on every node that fits: where a node comes, a pod comes; where it goes, the pod goes with it.' },
  DaemonSetSpec: {
    '': 'What runs on the nodes, on which, and how it is replaced.',
    selector: 'The pods that count as its own; must fit the labels of the template and never changes.',
    template:
      'What pods are made of. Its node selector, its node affinity and its tolerations decide which nodes fit. When it changes, the pods of the old one are replaced.',
    updateStrategy: 'How pods of an old template are replaced.',
    minReadySeconds: 'How long a pod must have been ready, none of its containers failing, to count as available.',
    revisionHistoryLimit: 'How many past templates that no pod has are kept, to go back to.',
  },
  DaemonSetUpdateStrategy: {
    '': 'How pods of an old template are replaced.',
    type: 'RollingUpdate: the controller replaces them, some nodes at a time. OnDelete: whoever deletes a pod does.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateDaemonSet: {
    '': 'Details of a rolling update. Exactly one of the two is not 0.',
    maxUnavailable:
      'On how many nodes the pod may be missing meanwhile: a number, or a percentage of the nodes that fit (rounded up). 0 when maxSurge is not.',
    maxSurge:
      'On how many nodes a new pod may start beside the old one, which goes when the new one is available: a number, or a percentage of the nodes that fit (rounded up).',
  },
  DaemonSetStatus: {
    '': 'How far it is.',
    currentNumberScheduled: 'Nodes that fit and have a pod.',
    numberMisscheduled: 'Nodes that have a pod and do not fit (any more).',
    desiredNumberScheduled: 'Nodes that fit.',
    numberReady: 'Nodes that fit and whose pod is ready.',
    observedGeneration: 'The newest generation that the controller has acted on.',
    updatedNumberScheduled: 'Nodes that fit and whose pod is made of the present template.',
    numberAvailable: 'Nodes that fit and whose pod has been ready for at least minReadySeconds.',
    numberUnavailable: 'Nodes that fit and whose pod is missing, or not available.',
    collisionCount: "How often the hash in a revision's name was taken by another one.",
    conditions: 'Not used by the controller.',
  },
  DaemonSetCondition: conditionTexts('How it stands with the set.', 'no types are defined'),
};

/** Fields with a closed set of values, sorted. */
export const daemonSetValues: Values = { DaemonSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] } };
