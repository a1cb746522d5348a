/** Descriptions of DaemonSets and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const daemonSetTexts: Texts = {
  DaemonSet: { '': 'Runs a pod on every suitable node: a new node gets a pod, and a removed node loses it.' },
  DaemonSetSpec: {
    '': 'The pods, their nodes, and the update strategy.',
    selector: 'The pods of the set; must match the labels of the template and never changes.',
    template:
      'The template of the pods. Its node selector, node affinity and tolerations determine the suitable nodes. When it changes, pods of the old template are replaced.',
    updateStrategy: 'How pods of an old template are replaced.',
    minReadySeconds: 'Seconds for which a pod must be ready, without a failing container, to count as available.',
    revisionHistoryLimit: 'The number of unused old templates that are kept for rollbacks.',
  },
  DaemonSetUpdateStrategy: {
    '': 'How pods of an old template are replaced.',
    type: 'RollingUpdate: the controller replaces them, some nodes at a time. OnDelete: a pod is replaced after a user has deleted it.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateDaemonSet: {
    '': 'Details of a rolling update. Exactly one of the two is not 0.',
    maxUnavailable:
      'The number of nodes that may be without a pod during the update: a number, or a percentage of the suitable nodes (rounded up). 0 when maxSurge is not.',
    maxSurge:
      'The number of nodes on which a new pod may start beside the old one, which is deleted when the new one is available: a number, or a percentage of the suitable nodes (rounded up).',
  },
  DaemonSetStatus: {
    '': 'The observed state.',
    currentNumberScheduled: 'Suitable nodes with a pod.',
    numberMisscheduled: 'Unsuitable nodes with a pod.',
    desiredNumberScheduled: 'Suitable nodes.',
    numberReady: 'Suitable nodes with a ready pod.',
    observedGeneration: 'The latest generation that the controller has processed.',
    updatedNumberScheduled: 'Suitable nodes with a pod of the current template.',
    numberAvailable: 'Suitable nodes with a pod that has been ready for at least minReadySeconds.',
    numberUnavailable: 'Suitable nodes without an available pod.',
    collisionCount: "The number of collisions of the hash in a revision's name.",
    conditions: 'Not used by the controller.',
  },
  DaemonSetCondition: conditionTexts('A condition of the set.', 'no types are defined'),
};

/** Fields with a closed set of values, sorted. */
export const daemonSetValues: Values = { DaemonSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] } };
