/** Descriptions of CSINodes and their fields, in our words. Source: spec, "CSINode". */
import type { Texts } from '../../machinery/index.ts';

export const csiNodeTexts: Texts = {
  CSINode: { '': 'The drivers of one node; named as the node, and written by its agent.' },
  CSINodeSpec: { '': 'The drivers of the node.', drivers: 'One entry for each driver; may be empty.' },
  CSINodeDriver: {
    '': 'A driver on this node.',
    name: 'The driver.',
    nodeID: "The node's name in the storage system.",
    topologyKeys: 'Node labels that describe from where volumes are accessible.',
    allocatable: 'The limits of the node.',
  },
  VolumeNodeResources: {
    '': 'The maximum number of volumes of a node.',
    count: 'The maximum number of volumes of the driver on the node; absent: no limit.',
  },
};
