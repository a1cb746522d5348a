/** What a PersistentVolume and its fields mean, in our words. Source: spec, "PersistentVolume". */
import type { Texts, Values } from '../../machinery/index.ts';

export const persistentVolumeTexts: Texts = {
  PersistentVolume: { '': 'A piece of storage of the cluster.' },
  PersistentVolumeStatus: {
    '': 'How it stands with the volume.',
    phase: 'Pending, Available, Bound, Released or Failed.',
    message: 'Why, for people.',
    reason: 'Why, for programs.',
  },
};

/** Closed sets of values; sorted. */
export const persistentVolumeValues: Values = {
  PersistentVolumeStatus: { phase: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
};
