/** Descriptions of PersistentVolumeClaims and their fields, in our words. Source: spec, "PersistentVolumeClaim". */
import { conditionTexts, LAST_PROBE, type Texts, type Values } from '../../machinery/index.ts';

export const persistentVolumeClaimTexts: Texts = {
  PersistentVolumeClaim: { '': 'A request for storage; pods name the claim, not the volume.' },
  PersistentVolumeClaimStatus: {
    '': 'The observed state.',
    phase: 'Pending, Bound or Lost.',
    accessModes: 'The access modes of the volume.',
    capacity: 'The size of the volume.',
    conditions: 'Running operations.',
    allocatedResources: 'The requested size during an expansion.',
    resizeStatus: 'The progress of an expansion.',
  },
  PersistentVolumeClaimCondition: {
    ...LAST_PROBE,
    ...conditionTexts('A running operation on the claim.', 'Resizing or FileSystemResizePending'),
  },
};

/** Fields with a closed set of values, sorted. */
export const persistentVolumeClaimValues: Values = {
  PersistentVolumeClaimStatus: { phase: ['Bound', 'Lost', 'Pending'] },
};
