/** The schema of PersistentVolumes: fields, types, and the defaults that depend only on the object. */
import { always, filled, type Infer, obj, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta, volumeSpec } from '../../machinery/index.ts';

export const persistentVolumeSchema = obj('PersistentVolume', {
  ...typeMeta,
  spec: always(volumeSpec),
  status: always(obj('PersistentVolumeStatus', { phase: filled(str('PersistentVolumePhase'), 'Pending'), message: str(), reason: str() })),
});
export type PersistentVolume = ObjectOf<'PersistentVolume', Infer<typeof persistentVolumeSchema>>;
