/** A valid CSIDriver in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const csiDriverExample: Example = {
  fields: () => ({
    spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] },
  }),
};
