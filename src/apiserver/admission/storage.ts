/** Admission of volumes and claims. Models: v1.24 plugin/pkg/admission/storage. */
import { isOf, type PersistentVolumeClaim } from '../kinds/index.ts';
import { compareQuantities, parseQuantity } from '../../schema/values/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

/** Adds the finalizer that keeps volumes and claims while they are in use. */
export const objectInUse: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  verbs: ['create'],
  kinds: ['PersistentVolume', 'PersistentVolumeClaim'],
  mutate(scope, { resource }, { metadata }) {
    const finalizer = scope.names.key('', resource.kind.kind === 'PersistentVolume' ? 'pv-protection' : 'pvc-protection');
    if (metadata.finalizers?.includes(finalizer) !== true) (metadata.finalizers ??= []).push(finalizer);
  },
};

/** A claim may grow only if its class allows it. */
export const claimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  verbs: ['update'],
  kinds: ['PersistentVolumeClaim'],
  validate(scope, { resource, name }, object, old) {
    if (!isOf('PersistentVolumeClaim', object) || !isOf('PersistentVolumeClaim', old)) return;
    const [wanted, had] = [sizeOf(object), sizeOf(old)];
    if (wanted === undefined || had === undefined || compareQuantities(wanted, had) <= 0) return;
    const className = object.spec.storageClassName ?? '';
    const storageClass = className === '' ? undefined : scope.store.get('StorageClass', className);
    if (storageClass?.allowVolumeExpansion !== true)
      throw forbidden(
        resource,
        name,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
  },
};

const sizeOf = ({ spec }: PersistentVolumeClaim) => {
  const text = spec.resources?.requests?.['storage'];
  return text === undefined ? undefined : parseQuantity(text).value;
};
