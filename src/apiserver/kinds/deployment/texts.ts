/** Descriptions of Deployments and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const deploymentTexts: Texts = {
  Deployment: { '': 'Pods of one template that are replaced step by step when the template changes, and can go back.' },
  DeploymentSpec: {
    '': 'How many pods, of what, and how they are replaced.',
    replicas: 'How many pods are wanted.',
    selector: 'The pods that count as its own; must fit the labels of the template and never changes.',
    template: 'What pods are made of. When it changes, the pods of the old one are replaced.',
    strategy: 'How pods of an old template are replaced.',
    minReadySeconds: 'How long a pod must have been ready, none of its containers failing, to count as available.',
    revisionHistoryLimit: 'How many past templates that nobody uses are kept, to go back to.',
    paused: 'While true, changes of the template wait; changes of replicas do not.',
    progressDeadlineSeconds: 'How long nothing may get better before the rollout is reported as stuck. Greater than minReadySeconds.',
  },
  DeploymentStrategy: {
    '': 'How pods of an old template are replaced.',
    type: 'RollingUpdate: some at a time, so that enough are available throughout. Recreate: all old ones go before the first new one comes.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateDeployment: {
    '': 'Details of a rolling update.',
    maxUnavailable:
      'How many of the wanted pods may be missing meanwhile: a number, or a percentage (rounded down). Not 0 when maxSurge is.',
    maxSurge: 'How many pods there may be beyond those wanted: a number, or a percentage (rounded up). Not 0 when maxUnavailable is.',
  },
  DeploymentStatus: {
    '': 'How far it is.',
    observedGeneration: 'The newest generation that the controller has acted on.',
    replicas: 'Pods there are, of any template.',
    updatedReplicas: 'Pods made of the present template.',
    readyReplicas: 'Pods that are ready, of any template.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
    unavailableReplicas: 'Pods that are still needed for all to be available; they may not exist yet.',
    conditions: 'Whether enough is available, whether it gets on, and what is in the way.',
    collisionCount: 'How often the name of a new ReplicaSet was taken by another one.',
  },
  DeploymentCondition: {
    ...conditionTexts('How it stands with the Deployment.', 'Available, Progressing or ReplicaFailure'),
    lastUpdateTime: 'When it was last confirmed or changed.',
  },
};

/** Fields with a closed set of values, sorted. */
export const deploymentValues: Values = { DeploymentStrategy: { type: ['Recreate', 'RollingUpdate'] } };
