/** A valid CSIStorageCapacity, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const csiStorageCapacityExample: Example = {
  fields: () => ({ storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '10Gi' }),
};
