/** A valid PersistentVolumeClaim, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const persistentVolumeClaimExample: Example = {
  fields: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector: { matchLabels: EXAMPLE_LABELS } },
  }),
};
