import { conditionType, conditionReason, lastProbeTime } from './meta.ts';
/** The status of a pod. Models: v1.24 core/v1 PodStatus. */
import { always, bool, field, filled, int32, list, mergeList, obj, oneOf, ptr, req, str, time } from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';

const podCondition = obj('PodCondition', 'A condition of the pod.', {
  ...conditionType('PodScheduled, Initialized, ContainersReady, Ready or a readiness gate', 'PodConditionType'),
  lastProbeTime,
  ...conditionReason(4),
});
export type PodCondition = Infer<typeof podCondition>;

const containerState = obj('ContainerState', 'The state of a container: exactly one of its members.', {
  waiting: field(
    1,
    'It has not started.',
    obj('ContainerStateWaiting', 'It has not started.', {
      reason: field(1, 'The reason as one word.', str()),
      message: field(2, 'The reason as a sentence.', str()),
    }),
  ),
  running: field(
    2,
    'It is running.',
    obj('ContainerStateRunning', 'It is running.', { startedAt: field(1, 'When it started.', always(time)) }),
  ),
  terminated: field(
    3,
    'It has terminated.',
    obj('ContainerStateTerminated', 'It has terminated.', {
      exitCode: field(1, '0: success.', req(int32)),
      signal: field(2, 'The signal that ended it.', int32),
      reason: field(3, 'Completed, Error and others.', str()),
      message: field(4, 'Its termination message.', str()),
      startedAt: field(5, 'When it started.', always(time)),
      finishedAt: field(6, 'When it terminated.', always(time)),
      containerID: field(7, 'The id of the run.', str()),
    }),
  ),
});
export type ContainerState = Infer<typeof containerState>;

const containerStatus = obj('ContainerStatus', 'The state of a container.', {
  name: field(1, 'The container.', req(str())),
  state: field(2, 'Its current state.', always(containerState)),
  lastState: field(3, 'The state of its previous run.', always(containerState)),
  ready: field(4, 'Whether it may get traffic.', req(bool)),
  restartCount: field(5, 'The number of restarts.', req(int32)),
  image: field(6, 'The image in use.', req(str())),
  imageID: field(7, 'The exact id of the image.', req(str())),
  containerID: field(8, 'The id of this run.', str()),
  started: field(9, 'Whether it has started.', ptr(bool)),
});
export type ContainerStatus = Infer<typeof containerStatus>;

export const podStatus = obj('PodStatus', 'The observed state.', {
  phase: field(
    1,
    'Pending, Running, Succeeded, Failed or Unknown.',
    oneOf(filled(str('PodPhase'), 'Pending'), ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown']),
  ),
  conditions: field(2, 'PodScheduled, Initialized, ContainersReady, Ready and others.', mergeList(podCondition, 'type')),
  message: field(3, 'The reason as a sentence.', str()),
  reason: field(4, 'The reason as one word.', str()),
  nominatedNodeName: field(11, 'The node on which preemption makes space for it.', str()),
  hostIP: field(5, 'Address of its node.', str()),
  podIP: field(6, 'Its address.', str()),
  podIPs: field(
    12,
    'Its addresses, one for each IP family.',
    mergeList(obj('PodIP', 'An address of a pod.', { ip: field(1, 'The address.', str()) }), 'ip'),
  ),
  startTime: field(7, 'When its node accepted it.', ptr(time)),
  initContainerStatuses: field(10, 'One entry for each init container.', list(containerStatus)),
  containerStatuses: field(8, 'One entry for each container.', list(containerStatus)),
  qosClass: field(9, 'Guaranteed, Burstable or BestEffort.', oneOf(str('PodQOSClass'), ['BestEffort', 'Burstable', 'Guaranteed'])),
  ephemeralContainerStatuses: field(13, 'One entry for each ephemeral container.', list(containerStatus)),
});
export type PodStatus = Infer<typeof podStatus>;
