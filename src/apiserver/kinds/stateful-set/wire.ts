/** Protobuf field numbers of StatefulSets, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const statefulSetWire: Wire = {
  RollingUpdateStatefulSetStrategy: 'partition=1 maxUnavailable=2',
  StatefulSet: 'metadata=1 spec=2 status=3',
  StatefulSetCondition: 'type=1 status=2 lastTransitionTime=3 reason=4 message=5',
  StatefulSetPersistentVolumeClaimRetentionPolicy: 'whenDeleted=1 whenScaled=2',
  StatefulSetSpec:
    'replicas=1 selector=2 template=3 volumeClaimTemplates=4 serviceName=5 podManagementPolicy=6 updateStrategy=7 revisionHistoryLimit=8 minReadySeconds=9 persistentVolumeClaimRetentionPolicy=10',
  StatefulSetStatus:
    'observedGeneration=1 replicas=2 readyReplicas=3 currentReplicas=4 updatedReplicas=5 currentRevision=6 updateRevision=7 collisionCount=9 conditions=10 availableReplicas=11',
  StatefulSetUpdateStrategy: 'type=1 rollingUpdate=2',
};
