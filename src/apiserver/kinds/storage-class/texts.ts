/** Descriptions of StorageClasses and their fields, in our words. Source: spec, "StorageClass". */
import type { Texts } from '../../machinery/index.ts';

export const storageClassTexts: Texts = {
  StorageClass: {
    '': 'A way in which volumes are made for claims.',
    provisioner: 'Who makes them.',
    parameters: 'What it is told.',
    reclaimPolicy: 'What becomes of a volume when its claim goes: Delete or Retain.',
    mountOptions: 'Options with which its volumes are mounted; a wrong one is noticed when mounting.',
    allowVolumeExpansion: 'Whether claims may grow.',
    volumeBindingMode: 'Immediate: when the claim is made. WaitForFirstConsumer: when a pod that uses it is scheduled, and near that pod.',
    allowedTopologies: 'Where volumes may be made; empty: everywhere.',
  },
  TopologySelectorTerm: { '': 'A part of the cluster.', matchLabelExpressions: 'Requirements on labels; all must hold.' },
  TopologySelectorLabelRequirement: { '': 'A label and its values.', key: 'The label.', values: 'One of these.' },
};
