/** Descriptions of CSIStorageCapacities and their fields, in our words. Source: spec, "CSIStorageCapacity". */
import type { Texts } from '../../machinery/index.ts';

export const csiStorageCapacityTexts: Texts = {
  CSIStorageCapacity: {
    '': 'What a driver has left for a class in one part of the cluster.',
    nodeTopology: 'Nodes from which the storage can be reached; absent: none, empty: all. Cannot be changed.',
    storageClassName: 'The class. Cannot be changed; where there is no such class any more, this object is out of date.',
    capacity: 'Bytes that are left; absent: not known, and so none.',
    maximumVolumeSize: 'The largest volume that can be made; where it is known it decides, and not capacity.',
  },
};
