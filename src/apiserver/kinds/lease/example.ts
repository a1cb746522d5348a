/** A valid Lease in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const leaseExample: Example = {
  fields: () => ({ spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2024-03-01T00:00:00.000000Z' } }),
};
