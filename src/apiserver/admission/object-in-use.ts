/** Volumes and claims get the finalizer that keeps them while they are used. Models: plugin/pkg/admission/storage/storageobjectinuseprotection. */
import type { AdmissionPlugin } from './plugin.ts';

export const objectInUse: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  verbs: ['create'],
  kinds: ['PersistentVolume', 'PersistentVolumeClaim'],
  mutate(door, { resource }, object) {
    const finalizer = door.names.key('', resource.kind.kind === 'PersistentVolume' ? 'pv-protection' : 'pvc-protection');
    const had = object.metadata.finalizers ?? [];
    if (had.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...had, finalizer] } };
  },
};
