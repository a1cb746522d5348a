/** Protobuf field numbers of CSINodes, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const csiNodeWire: Wire = {
  CSINode: 'metadata=1 spec=2',
  CSINodeDriver: 'name=1 nodeID=2 topologyKeys=3 allocatable=4',
  CSINodeSpec: 'drivers=1',
  VolumeNodeResources: 'count=1',
};
