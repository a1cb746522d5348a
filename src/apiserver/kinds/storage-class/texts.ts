/** Descriptions of StorageClasses and their fields, in our words. Source: spec, "StorageClass". */
import type { Texts } from '../../machinery/index.ts';

export const storageClassTexts: Texts = {
  StorageClass: {
    '': 'A class of dynamically provisioned volumes.',
    provisioner: 'The driver that creates the volumes.',
    parameters: 'Its parameters.',
    reclaimPolicy: 'Whether a volume is deleted after its claim: Delete or Retain.',
    mountOptions: 'Mount options of its volumes; an invalid one fails at mount time.',
    allowVolumeExpansion: 'Whether claims may be expanded.',
    volumeBindingMode:
      'Immediate: when the claim is created. WaitForFirstConsumer: when a pod that uses it is scheduled, and accessible from its node.',
    allowedTopologies: 'The topology in which volumes may be created; empty: all.',
  },
  TopologySelectorTerm: { '': 'A part of the cluster.', matchLabelExpressions: 'Requirements on labels; all must match.' },
  TopologySelectorLabelRequirement: { '': 'A label and its values.', key: 'The label.', values: 'One of these.' },
};
