/** Descriptions of CSINodes and their fields, in our words. Source: spec, "CSINode". */
import type { Texts } from '../../machinery/index.ts';

export const csiNodeTexts: Texts = {
  CSINode: { '': 'The drivers of one node; named as the node, and written by its agent.' },
  CSINodeSpec: { '': 'The drivers of the node.', drivers: 'One entry a driver; may be empty.' },
  CSINodeDriver: {
    '': 'A driver on this node.',
    name: 'The driver.',
    nodeID: 'How the storage system calls the node.',
    topologyKeys: 'Labels of nodes by which the driver tells where volumes can be reached.',
    allocatable: 'What the node can take.',
  },
  VolumeNodeResources: {
    '': 'How many volumes a node can take.',
    count: 'Volumes of the driver that can be used on the node at a time; absent: no bound.',
  },
};
