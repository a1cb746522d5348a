/** A valid CSIDriver, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const csiDriverExample: Example = {
  fields: () => ({
    spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] },
  }),
};
