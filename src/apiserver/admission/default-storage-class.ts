/**
 * Sets the default class on claims without one; if several classes are marked as default, none is set. Models: v1.24
 * plugin/pkg/admission/storage/storageclass/setdefault.
 */
import { isDefaultStorageClass, type PersistentVolumeClaim } from '../kinds/index.ts';
import type { Draft } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  verbs: ['create'],
  kinds: ['PersistentVolumeClaim'],
  mutate({ names, store }, { resource, name }, draft) {
    const { spec, metadata } = draft as Draft<PersistentVolumeClaim>;
    if (spec.storageClassName !== undefined || metadata.annotations?.[names.key('volume.beta', 'storage-class')] !== undefined) return;
    const marked = [...store.values('StorageClass')].filter((one) => isDefaultStorageClass(one, names));
    if (marked.length > 1) throw forbidden(resource, name, `Internal error occurred: ${marked.length} default StorageClasses were found`);
    const [chosen] = marked;
    if (chosen !== undefined) spec.storageClassName = chosen.metadata.name;
  },
};
