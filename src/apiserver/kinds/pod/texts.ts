/** Descriptions of Pods and their fields, in our words. Source: spec, "Pod". */
import { conditionTexts, LAST_PROBE, type Texts, type Values } from '../../machinery/index.ts';

export const podTexts: Texts = {
  Pod: { '': 'Containers that run together on one node.' },
  PodStatus: {
    '': 'The observed state.',
    phase: 'Pending, Running, Succeeded, Failed or Unknown.',
    conditions: 'PodScheduled, Initialized, ContainersReady, Ready and others.',
    message: 'The reason as a sentence.',
    reason: 'The reason as one word.',
    nominatedNodeName: 'The node on which preemption makes space for it.',
    hostIP: 'Address of its node.',
    podIP: 'Its address.',
    podIPs: 'Its addresses, one for each IP family.',
    startTime: 'When its node accepted it.',
    initContainerStatuses: 'One entry for each init container.',
    containerStatuses: 'One entry for each container.',
    qosClass: 'Guaranteed, Burstable or BestEffort.',
    ephemeralContainerStatuses: 'One entry for each ephemeral container.',
  },
  PodCondition: {
    ...LAST_PROBE,
    ...conditionTexts('A condition of the pod.', 'PodScheduled, Initialized, ContainersReady, Ready or a readiness gate'),
  },
  PodIP: { '': 'An address of a pod.', ip: 'The address.' },
  ContainerStatus: {
    '': 'The state of a container.',
    name: 'The container.',
    state: 'Its current state.',
    lastState: 'The state of its previous run.',
    ready: 'Whether it may get traffic.',
    restartCount: 'The number of restarts.',
    image: 'The image in use.',
    imageID: 'The exact id of the image.',
    containerID: 'The id of this run.',
    started: 'Whether it has started.',
  },
  ContainerState: {
    '': 'The state of a container: exactly one of its members.',
    waiting: 'It has not started.',
    running: 'It is running.',
    terminated: 'It has terminated.',
  },
  ContainerStateWaiting: { '': 'It has not started.', reason: 'The reason as one word.', message: 'The reason as a sentence.' },
  ContainerStateRunning: { '': 'It is running.', startedAt: 'When it started.' },
  ContainerStateTerminated: {
    '': 'It has terminated.',
    exitCode: '0: success.',
    signal: 'The signal that ended it.',
    reason: 'Completed, Error and others.',
    message: 'Its termination message.',
    startedAt: 'When it started.',
    finishedAt: 'When it terminated.',
    containerID: 'The id of the run.',
  },
};

/** Fields with a closed set of values, sorted. */
export const podValues: Values = {
  PodStatus: { phase: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], qosClass: ['BestEffort', 'Burstable', 'Guaranteed'] },
};
