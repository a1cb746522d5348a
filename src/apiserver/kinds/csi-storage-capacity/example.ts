/** A valid CSIStorageCapacity in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const csiStorageCapacityExample: Example = {
  fields: () => ({ storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '10Gi' }),
};
