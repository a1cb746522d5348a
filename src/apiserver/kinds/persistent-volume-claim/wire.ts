/** Protobuf field numbers of PersistentVolumeClaims, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const persistentVolumeClaimWire: Wire = {
  PersistentVolumeClaim: 'metadata=1 spec=2 status=3',
  PersistentVolumeClaimCondition: 'type=1 status=2 lastProbeTime=3 lastTransitionTime=4 reason=5 message=6',
  PersistentVolumeClaimStatus: 'phase=1 accessModes=2 capacity=3 conditions=4 allocatedResources=5 resizeStatus=6',
};
