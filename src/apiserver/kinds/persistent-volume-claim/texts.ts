/** Descriptions of PersistentVolumeClaims and their fields, in our words. Source: spec, "PersistentVolumeClaim". */
import { conditionTexts, LAST_PROBE, type Texts, type Values } from '../../machinery/index.ts';

export const persistentVolumeClaimTexts: Texts = {
  PersistentVolumeClaim: { '': 'A request for storage; pods name the claim, not the volume.' },
  PersistentVolumeClaimStatus: {
    '': 'What it got.',
    phase: 'Pending, Bound or Lost.',
    accessModes: 'How the volume can be mounted.',
    capacity: 'How much the volume holds.',
    conditions: 'What goes on with it.',
    allocatedResources: 'What is being made of it while it grows.',
    resizeStatus: 'How far growing is.',
  },
  PersistentVolumeClaimCondition: {
    ...LAST_PROBE,
    ...conditionTexts('What goes on with the claim.', 'Resizing or FileSystemResizePending'),
  },
};

/** Fields with a closed set of values, sorted. */
export const persistentVolumeClaimValues: Values = {
  PersistentVolumeClaimStatus: { phase: ['Bound', 'Lost', 'Pending'] },
};
