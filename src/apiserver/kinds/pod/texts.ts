/** Descriptions of Pods and their fields, in our words. Source: spec, "Pod". */
import { conditionTexts, LAST_PROBE, type Texts, type Values } from '../../machinery/index.ts';

export const podTexts: Texts = {
  Pod: { '': 'Containers that run together on one node.' },
  PodStatus: {
    '': 'How it stands with it.',
    phase: 'Pending, Running, Succeeded, Failed or Unknown.',
    conditions: 'PodScheduled, Initialized, ContainersReady, Ready and others.',
    message: 'Why, for people.',
    reason: 'Why, for programs.',
    nominatedNodeName: 'Where room is being made for it.',
    hostIP: 'Address of its node.',
    podIP: 'Its address.',
    podIPs: 'The same, an address a family.',
    startTime: 'When its node took it on.',
    initContainerStatuses: 'One entry an init container.',
    containerStatuses: 'One entry a container.',
    qosClass: 'Guaranteed, Burstable or BestEffort.',
    ephemeralContainerStatuses: 'One entry an ephemeral container.',
  },
  PodCondition: {
    ...LAST_PROBE,
    ...conditionTexts('How it stands with the pod.', 'PodScheduled, Initialized, ContainersReady, Ready or a readiness gate'),
  },
  PodIP: { '': 'An address of a pod.', ip: 'The address.' },
  ContainerStatus: {
    '': 'How it stands with a container.',
    name: 'The container.',
    state: 'What it does.',
    lastState: 'How its last run ended.',
    ready: 'Whether it may get traffic.',
    restartCount: 'How often it was started again.',
    image: 'What runs.',
    imageID: 'What runs, exactly.',
    containerID: 'This run.',
    started: 'Whether it is up.',
  },
  ContainerState: {
    '': 'What a container does: one of its members.',
    waiting: 'It has not started.',
    running: 'It runs.',
    terminated: 'It has ended.',
  },
  ContainerStateWaiting: { '': 'It has not started.', reason: 'Why, for programs.', message: 'Why, for people.' },
  ContainerStateRunning: { '': 'It runs.', startedAt: 'Since when.' },
  ContainerStateTerminated: {
    '': 'It has ended.',
    exitCode: '0: well.',
    signal: 'What ended it.',
    reason: 'Completed, Error and others.',
    message: 'Its last words.',
    startedAt: 'When it started.',
    finishedAt: 'When it ended.',
    containerID: 'The run.',
  },
};

/** Fields with a closed set of values, sorted. */
export const podValues: Values = {
  PodStatus: { phase: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], qosClass: ['BestEffort', 'Burstable', 'Guaranteed'] },
};
