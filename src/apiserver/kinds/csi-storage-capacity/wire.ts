/** Protobuf field numbers of CSIStorageCapacities, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const csiStorageCapacityWire: Wire = {
  CSIStorageCapacity: 'metadata=1 nodeTopology=2 storageClassName=3 capacity=4 maximumVolumeSize=5',
};
