/**
 * Patches and field ownership: JSON patch, merge patch, strategic merge patch, server-side apply, and `metadata.managedFields`.
 * Everything here is a pure function from values to values: nothing is mutated, unchanged subtrees are shared, and a no-op
 * returns the very document it was given. Failures are values that name code, reason, message and details of the answer.
 * The schema of a kind decides how lists merge; no kind is known by name.
 */
export { apply, type Applied, type ApplyRequest } from './apply.ts';
export { notAnObject, type Patched, type PatchError, undecodablePatch } from './errors.ts';
export { applyJsonPatch } from './json-patch.ts';
export { ignoringTimes, type ManagedWrite, trackUpdate } from './managed-fields.ts';
export { applyMergePatch } from './merge-patch.ts';
export { managedFieldsFromScale, managedFieldsOfScale } from './scale-fields.ts';
export { applyStrategicPatch } from './strategic-merge-patch.ts';
export { sameJson } from './values.ts';
