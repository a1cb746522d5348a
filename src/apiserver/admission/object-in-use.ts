/**
 * Adds the finalizer that keeps volumes and claims while they are in use. Models:
 * plugin/pkg/admission/storage/storageobjectinuseprotection.
 */
import type { AdmissionPlugin } from './plugin.ts';

export const objectInUse: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  verbs: ['create'],
  kinds: ['PersistentVolume', 'PersistentVolumeClaim'],
  mutate(scope, { resource }, { metadata }) {
    const finalizer = scope.names.key('', resource.kind.kind === 'PersistentVolume' ? 'pv-protection' : 'pvc-protection');
    if (metadata.finalizers?.includes(finalizer) !== true) (metadata.finalizers ??= []).push(finalizer);
  },
};
