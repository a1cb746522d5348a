/** A valid PersistentVolumeClaim in which most validation rules apply. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const persistentVolumeClaimExample: Example = {
  fields: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector: { matchLabels: EXAMPLE_LABELS } },
  }),
};
