/** Protobuf field numbers of PersistentVolumes, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const persistentVolumeWire: Wire = {
  PersistentVolume: 'metadata=1 spec=2 status=3',
  PersistentVolumeStatus: 'phase=1 message=2 reason=3',
};
