/** Descriptions of Deployments and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

export const deploymentTexts: Texts = {
  Deployment: { '': 'Pods of one template, replaced step by step when the template changes, with rollback.' },
  DeploymentSpec: {
    '': 'The number of pods, their template, and the update strategy.',
    replicas: 'The desired number of pods.',
    selector: 'The pods of the Deployment; must match the labels of the template and never changes.',
    template: 'The template of the pods. When it changes, pods of the old template are replaced.',
    strategy: 'How pods of an old template are replaced.',
    minReadySeconds: 'Seconds for which a pod must be ready, without a failing container, to count as available.',
    revisionHistoryLimit: 'The number of unused old templates that are kept for rollbacks.',
    paused: 'While true, changes of the template are not rolled out; changes of replicas are.',
    progressDeadlineSeconds: 'Seconds without progress after which the rollout is reported as stuck. Greater than minReadySeconds.',
  },
  DeploymentStrategy: {
    '': 'How pods of an old template are replaced.',
    type: 'RollingUpdate: some at a time, so that enough are always available. Recreate: all old pods are deleted before the first new one is created.',
    rollingUpdate: 'Details of a rolling update.',
  },
  RollingUpdateDeployment: {
    '': 'Details of a rolling update.',
    maxUnavailable:
      'The number of desired pods that may be unavailable during the update: a number, or a percentage (rounded down). Not 0 when maxSurge is.',
    maxSurge: 'The number of pods beyond the desired ones: a number, or a percentage (rounded up). Not 0 when maxUnavailable is.',
  },
  DeploymentStatus: {
    '': 'The observed state.',
    observedGeneration: 'The latest generation that the controller has processed.',
    replicas: 'Existing pods of any template.',
    updatedReplicas: 'Pods of the current template.',
    readyReplicas: 'Ready pods of any template.',
    availableReplicas: 'Pods that have been ready for at least minReadySeconds.',
    unavailableReplicas: 'Pods that are missing until all are available; they may not exist yet.',
    conditions: 'Availability, progress, and failures to create pods.',
    collisionCount: 'The number of collisions of the name of a new ReplicaSet.',
  },
  DeploymentCondition: {
    ...conditionTexts('A condition of the Deployment.', 'Available, Progressing or ReplicaFailure'),
    lastUpdateTime: 'When the condition was last confirmed or changed.',
  },
};

/** Fields with a closed set of values, sorted. */
export const deploymentValues: Values = { DeploymentStrategy: { type: ['Recreate', 'RollingUpdate'] } };
