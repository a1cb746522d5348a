/** A valid CSINode, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const csiNodeExample: Example = {
  fields: () => ({ spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] } }),
};
