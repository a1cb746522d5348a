/** The schema of StorageClasses: fields, types, and the defaults that depend only on the object. */
import { atomicList, bool, filled, type Infer, list, map, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const topologySelectorTerm = obj(
  'TopologySelectorTerm',
  {
    matchLabelExpressions: list(obj('TopologySelectorLabelRequirement', { key: req(str()), values: req(list(str())) })),
  },
  { mapType: 'atomic' },
);
export type Term = Infer<typeof topologySelectorTerm>;

export const storageClassSchema = obj('StorageClass', {
  ...typeMeta,
  provisioner: req(str()),
  parameters: map(str()),
  reclaimPolicy: filled(ptr(str('PersistentVolumeReclaimPolicy')), 'Delete'),
  mountOptions: list(str()),
  allowVolumeExpansion: ptr(bool),
  volumeBindingMode: filled(ptr(str('VolumeBindingMode')), 'Immediate'),
  allowedTopologies: atomicList(topologySelectorTerm),
});
export type StorageClass = ObjectOf<'StorageClass', Infer<typeof storageClassSchema>>;
