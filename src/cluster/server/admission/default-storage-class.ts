/** A claim that names no class gets the default one, the youngest if several claim to be it. Models: plugin/pkg/admission/storage/storageclass/setdefault. */
import type { ApiObject } from '../../api/object.ts';
import type { AdmissionPlugin } from './plugin.ts';

export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  verbs: ['create'],
  kinds: ['PersistentVolumeClaim'],
  mutate(door, _attributes, object) {
    const spec = (object['spec'] ?? {}) as { readonly storageClassName?: string };
    if (spec.storageClassName !== undefined || object.metadata.annotations?.[door.names.key('volume.beta', 'storage-class')] !== undefined) return object;
    const marks = [door.names.key('storageclass', 'is-default-class'), door.names.key('storageclass.beta', 'is-default-class')];
    let chosen: ApiObject | undefined;
    for (const name of door.store.sortedKeys('StorageClass')) {
      const candidate = door.store.get('StorageClass', name);
      if (candidate === undefined || !marks.some((mark) => candidate.metadata.annotations?.[mark] === 'true')) continue;
      if (chosen === undefined || candidate.metadata.creationTimestamp > chosen.metadata.creationTimestamp) chosen = candidate;
    }
    return chosen === undefined ? object : { ...object, spec: { ...spec, storageClassName: chosen.metadata.name } };
  },
};
