/** A valid CSINode in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const csiNodeExample: Example = {
  fields: () => ({ spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] } }),
};
