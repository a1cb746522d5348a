/** The schema of PersistentVolumes: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, obj, str, field, oneOf } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta, volumeSpec } from '../../machinery/index.ts';

export const persistentVolumeSchema = obj('PersistentVolume', 'A piece of storage of the cluster.', {
  ...typeMeta,
  spec: field(2, always(volumeSpec)),
  status: field(
    3,
    always(
      obj('PersistentVolumeStatus', 'How it stands with the volume.', {
        phase: field(
          1,
          'Pending, Available, Bound, Released or Failed.',
          oneOf(filled(str('PersistentVolumePhase'), 'Pending'), ['Available', 'Bound', 'Failed', 'Pending', 'Released']),
        ),
        message: field(2, 'Why, for people.', str()),
        reason: field(3, 'Why, for programs.', str()),
      }),
    ),
  ),
});
export type PersistentVolume = ObjectOf<'PersistentVolume', Infer<typeof persistentVolumeSchema>>;
