/** Descriptions of PersistentVolumes and their fields, in our words. Source: spec, "PersistentVolume". */
import type { Texts, Values } from '../../machinery/index.ts';

export const persistentVolumeTexts: Texts = {
  PersistentVolume: { '': 'A piece of storage of the cluster.' },
  PersistentVolumeStatus: {
    '': 'The observed state of the volume.',
    phase: 'Pending, Available, Bound, Released or Failed.',
    message: 'The reason as a sentence.',
    reason: 'The reason as one word.',
  },
};

/** Fields with a closed set of values, sorted. */
export const persistentVolumeValues: Values = {
  PersistentVolumeStatus: { phase: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
};
