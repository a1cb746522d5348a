/** Descriptions of CSIStorageCapacities and their fields, in our words. Source: spec, "CSIStorageCapacity". */
import type { Texts } from '../../machinery/index.ts';

export const csiStorageCapacityTexts: Texts = {
  CSIStorageCapacity: {
    '': 'The remaining capacity of a driver for a class in one part of the cluster.',
    nodeTopology: 'Nodes from which the storage is accessible; absent: none, empty: all. Cannot be changed.',
    storageClassName: 'The class. Cannot be changed; the object is obsolete when the class does not exist.',
    capacity: 'The remaining bytes; absent: unknown, which counts as none.',
    maximumVolumeSize: 'The largest volume that can be created; if set, it decides in place of capacity.',
  },
};
