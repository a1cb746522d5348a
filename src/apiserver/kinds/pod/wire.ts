/** Protobuf field numbers of Pods, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const podWire: Wire = {
  ContainerState: 'waiting=1 running=2 terminated=3',
  ContainerStateRunning: 'startedAt=1',
  ContainerStateTerminated: 'exitCode=1 signal=2 reason=3 message=4 startedAt=5 finishedAt=6 containerID=7',
  ContainerStateWaiting: 'reason=1 message=2',
  ContainerStatus: 'name=1 state=2 lastState=3 ready=4 restartCount=5 image=6 imageID=7 containerID=8 started=9',
  Pod: 'metadata=1 spec=2 status=3',
  PodCondition: 'type=1 status=2 lastProbeTime=3 lastTransitionTime=4 reason=5 message=6',
  PodIP: 'ip=1',
  PodStatus:
    'phase=1 conditions=2 message=3 reason=4 hostIP=5 podIP=6 startTime=7 containerStatuses=8 qosClass=9 initContainerStatuses=10 nominatedNodeName=11 podIPs=12 ephemeralContainerStatuses=13',
};
