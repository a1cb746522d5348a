/** A valid PersistentVolume in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const persistentVolumeExample: Example = {
  fields: () => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disk.example.com', volumeHandle: 'h' } },
  }),
};
