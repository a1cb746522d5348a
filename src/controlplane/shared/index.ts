/** What controllers, agents and drivers share: names of volumes, sets of labels, owner references, conditions. */
export { createLabelCounts, createLabelSets, type LabelCounts, type LabelSets } from './label-sets.ts';
export { adopt, controllerReference, disown, dropFinalizers, stillThere } from './owner-references.ts';
export { attacherFinalizer, attachmentName, uniqueVolumeName } from './volumes.ts';
