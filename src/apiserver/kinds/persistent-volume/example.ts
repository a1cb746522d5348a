/** A valid PersistentVolume, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const persistentVolumeExample: Example = {
  fields: () => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disk.example.com', volumeHandle: 'h' } },
  }),
};
