/** Protobuf field numbers of StorageClasses, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const storageClassWire: Wire = {
  StorageClass:
    'metadata=1 provisioner=2 parameters=3 reclaimPolicy=4 mountOptions=5 allowVolumeExpansion=6 volumeBindingMode=7 allowedTopologies=8',
  TopologySelectorLabelRequirement: 'key=1 values=2',
  TopologySelectorTerm: 'matchLabelExpressions=1',
};
