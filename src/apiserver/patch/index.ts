/**
 * Patches and field ownership: JSON patch, merge patch, strategic merge patch, server-side apply, and `metadata.managedFields`. All
 * functions are pure: nothing is mutated, unchanged subtrees are shared, and a no-op returns the same document. Failures are thrown as
 * `Refusal`. The schema of a kind determines how lists merge; no code depends on a kind's name.
 */
export { apply, type Applied, type ApplyRequest } from './apply.ts';
export { tooLarge, undecodableAs, undecodablePatch } from './errors.ts';
export { applyJsonPatch } from './json-patch.ts';
export { ignoringTimes, type ManagedWrite, trackUpdate } from './managed-fields.ts';
export { applyMergePatch } from './merge-patch.ts';
export { managedFieldsFromScale, managedFieldsOfScale } from './scale-fields.ts';
export { applyStrategicPatch } from './strategic-merge-patch.ts';
export { memberAt, sameJson } from './values.ts';
export { zeroValue } from './typed-schema.ts';
