/** Protobuf field numbers of ReplicaSets, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const replicaSetWire: Wire = {
  ReplicaSet: 'metadata=1 spec=2 status=3',
  ReplicaSetCondition: 'type=1 status=2 lastTransitionTime=3 reason=4 message=5',
  ReplicaSetSpec: 'replicas=1 selector=2 template=3 minReadySeconds=4',
  ReplicaSetStatus: 'replicas=1 fullyLabeledReplicas=2 observedGeneration=3 readyReplicas=4 availableReplicas=5 conditions=6',
};
