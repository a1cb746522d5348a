/** The schema of StorageClasses: fields, types, and the defaults that depend only on the object. */
import { atomicList, bool, filled, type Infer, list, map, obj, ptr, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

const topologySelectorTerm = obj(
  'TopologySelectorTerm',
  'A part of the cluster.',
  {
    matchLabelExpressions: field(
      1,
      'Requirements on labels; all must hold.',
      list(
        obj('TopologySelectorLabelRequirement', 'A label and its values.', {
          key: field(1, 'The label.', req(str())),
          values: field(2, 'One of these.', req(list(str()))),
        }),
      ),
    ),
  },
  { mapType: 'atomic' },
);
export type Term = Infer<typeof topologySelectorTerm>;

export const storageClassSchema = obj('StorageClass', 'A way in which volumes are made for claims.', {
  ...typeMeta,
  provisioner: field(2, 'Who makes them.', req(str())),
  parameters: field(3, 'What it is told.', map(str())),
  reclaimPolicy: field(
    4,
    'What becomes of a volume when its claim goes: Delete or Retain.',
    filled(ptr(str('PersistentVolumeReclaimPolicy')), 'Delete'),
  ),
  mountOptions: field(5, 'Options with which its volumes are mounted; a wrong one is noticed when mounting.', list(str())),
  allowVolumeExpansion: field(6, 'Whether claims may grow.', ptr(bool)),
  volumeBindingMode: field(
    7,
    'Immediate: when the claim is made. WaitForFirstConsumer: when a pod that uses it is scheduled, and near that pod.',
    filled(ptr(str('VolumeBindingMode')), 'Immediate'),
  ),
  allowedTopologies: field(8, 'Where volumes may be made; empty: everywhere.', atomicList(topologySelectorTerm)),
});
export type StorageClass = ObjectOf<'StorageClass', Infer<typeof storageClassSchema>>;
