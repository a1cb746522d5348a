/** The status of a pod. Models: v1.24 core/v1 PodStatus. */
import { always, bool, filled, int32, list, mergeList, obj, ptr, req, str, time, type Infer } from '../../../schema/shape/index.ts';

const podCondition = obj('PodCondition', {
  type: req(str('PodConditionType')),
  status: req(str('ConditionStatus')),
  lastProbeTime: always(time),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});
export type PodCondition = Infer<typeof podCondition>;

const containerState = obj('ContainerState', {
  waiting: obj('ContainerStateWaiting', { reason: str(), message: str() }),
  running: obj('ContainerStateRunning', { startedAt: always(time) }),
  terminated: obj('ContainerStateTerminated', {
    exitCode: req(int32),
    signal: int32,
    reason: str(),
    message: str(),
    startedAt: always(time),
    finishedAt: always(time),
    containerID: str(),
  }),
});
export type ContainerState = Infer<typeof containerState>;

const containerStatus = obj('ContainerStatus', {
  name: req(str()),
  state: always(containerState),
  lastState: always(containerState),
  ready: req(bool),
  restartCount: req(int32),
  image: req(str()),
  imageID: req(str()),
  containerID: str(),
  started: ptr(bool),
});
export type ContainerStatus = Infer<typeof containerStatus>;

export const podStatus = obj('PodStatus', {
  phase: filled(str('PodPhase'), 'Pending'),
  conditions: mergeList(podCondition, 'type'),
  message: str(),
  reason: str(),
  nominatedNodeName: str(),
  hostIP: str(),
  podIP: str(),
  podIPs: mergeList(obj('PodIP', { ip: str() }), 'ip'),
  startTime: ptr(time),
  initContainerStatuses: list(containerStatus),
  containerStatuses: list(containerStatus),
  qosClass: str('PodQOSClass'),
  ephemeralContainerStatuses: list(containerStatus),
});
export type PodStatus = Infer<typeof podStatus>;
