/** Protobuf field numbers of DaemonSets, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const daemonSetWire: Wire = {
  DaemonSet: 'metadata=1 spec=2 status=3',
  DaemonSetCondition: 'type=1 status=2 lastTransitionTime=3 reason=4 message=5',
  DaemonSetSpec: 'selector=1 template=2 updateStrategy=3 minReadySeconds=4 revisionHistoryLimit=6',
  DaemonSetStatus:
    'currentNumberScheduled=1 numberMisscheduled=2 desiredNumberScheduled=3 numberReady=4 observedGeneration=5 updatedNumberScheduled=6 numberAvailable=7 numberUnavailable=8 collisionCount=9 conditions=10',
  DaemonSetUpdateStrategy: 'type=1 rollingUpdate=2',
  RollingUpdateDaemonSet: 'maxUnavailable=1 maxSurge=2',
};
