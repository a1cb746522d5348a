/** The status of a pod. Models: v1.24 core/v1 PodStatus. */
import {
  always,
  bool,
  filled,
  int32,
  list,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  type Infer,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';

const podCondition = obj('PodCondition', 'How it stands with the pod.', {
  type: field(
    1,
    'What is judged: PodScheduled, Initialized, ContainersReady, Ready or a readiness gate. One condition a type.',
    req(str('PodConditionType')),
  ),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastProbeTime: field(3, 'When it was last looked at.', always(time)),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', always(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(6, 'Why, as a sentence, for people.', str()),
});
export type PodCondition = Infer<typeof podCondition>;

const containerState = obj('ContainerState', 'What a container does: one of its members.', {
  waiting: field(
    1,
    'It has not started.',
    obj('ContainerStateWaiting', 'It has not started.', {
      reason: field(1, 'Why, for programs.', str()),
      message: field(2, 'Why, for people.', str()),
    }),
  ),
  running: field(2, 'It runs.', obj('ContainerStateRunning', 'It runs.', { startedAt: field(1, 'Since when.', always(time)) })),
  terminated: field(
    3,
    'It has ended.',
    obj('ContainerStateTerminated', 'It has ended.', {
      exitCode: field(1, '0: well.', req(int32)),
      signal: field(2, 'What ended it.', int32),
      reason: field(3, 'Completed, Error and others.', str()),
      message: field(4, 'Its last words.', str()),
      startedAt: field(5, 'When it started.', always(time)),
      finishedAt: field(6, 'When it ended.', always(time)),
      containerID: field(7, 'The run.', str()),
    }),
  ),
});
export type ContainerState = Infer<typeof containerState>;

const containerStatus = obj('ContainerStatus', 'How it stands with a container.', {
  name: field(1, 'The container.', req(str())),
  state: field(2, 'What it does.', always(containerState)),
  lastState: field(3, 'How its last run ended.', always(containerState)),
  ready: field(4, 'Whether it may get traffic.', req(bool)),
  restartCount: field(5, 'How often it was started again.', req(int32)),
  image: field(6, 'What runs.', req(str())),
  imageID: field(7, 'What runs, exactly.', req(str())),
  containerID: field(8, 'This run.', str()),
  started: field(9, 'Whether it is up.', ptr(bool)),
});
export type ContainerStatus = Infer<typeof containerStatus>;

export const podStatus = obj('PodStatus', 'How it stands with it.', {
  phase: field(
    1,
    'Pending, Running, Succeeded, Failed or Unknown.',
    oneOf(filled(str('PodPhase'), 'Pending'), ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown']),
  ),
  conditions: field(2, 'PodScheduled, Initialized, ContainersReady, Ready and others.', mergeList(podCondition, 'type')),
  message: field(3, 'Why, for people.', str()),
  reason: field(4, 'Why, for programs.', str()),
  nominatedNodeName: field(11, 'Where room is being made for it.', str()),
  hostIP: field(5, 'Address of its node.', str()),
  podIP: field(6, 'Its address.', str()),
  podIPs: field(
    12,
    'The same, an address a family.',
    mergeList(obj('PodIP', 'An address of a pod.', { ip: field(1, 'The address.', str()) }), 'ip'),
  ),
  startTime: field(7, 'When its node took it on.', ptr(time)),
  initContainerStatuses: field(10, 'One entry an init container.', list(containerStatus)),
  containerStatuses: field(8, 'One entry a container.', list(containerStatus)),
  qosClass: field(9, 'Guaranteed, Burstable or BestEffort.', oneOf(str('PodQOSClass'), ['BestEffort', 'Burstable', 'Guaranteed'])),
  ephemeralContainerStatuses: field(13, 'One entry an ephemeral container.', list(containerStatus)),
});
export type PodStatus = Infer<typeof podStatus>;
