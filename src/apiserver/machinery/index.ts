/**
 * The API machinery, shared by all kinds: objects and metadata, names, feature gates, the contract of a kind, schemas under `structs/`,
 * rules under `validation/`. A struct that two kinds share is here; a struct of a single kind is in its file.
 */
export * from './columns.ts';
export { defineKind, type KindDefinition, type KindOf } from './define-kind.ts';
export * from './draft.ts';
export * from './gated.ts';
export { type Gate, GATES, resolveGates } from './gates.ts';
export type { ColumnOf, TemplateRules, FeatureGates, Kind, KindContext, Lookup, ScalePaths } from './kind.ts';
export * from './names.ts';
export * from './object.ts';
export * from './rules.ts';
export { claimTemplateInSet, persistentVolumeClaim, type PersistentVolumeClaimSpec, resourceList } from './structs/claims.ts';
export type { Container } from './structs/containers.ts';
export * from './structs/meta.ts';
export * from './structs/pod-spec.ts';
export * from './structs/policy-rule.ts';
export * from './structs/pod-status.ts';
export * from './structs/services.ts';
export { TOKEN_SECONDS } from './structs/volumes.ts';
export { inlineVolumeSpec, persistentSourceNames, volumeSpec } from './structs/volume-spec.ts';
export * from './status.ts';
export * from './strategy.ts';
export * from './examples.ts';
export { mayBeOnePod, validateClaimSpec } from './validation/persistent-volumes.ts';
export * from './validation/specification.ts';
export { validateImagesOfPod } from './validation/containers.ts';
export * from './validation/field-errors.ts';
export { facetErrors, shareErrors } from './validation/facets.ts';
export { shown, shownField, shownQuantity } from './validation/go-types.ts';
export * from './validation/object-meta.ts';
export * from './validation/persistent-volumes.ts';
export * from './validation/pod-annotations.ts';
export * from './validation/by-reference.ts';
export * from './validation/pod-spec.ts';
export * from './validation/pod-warnings.ts';
export * from './workloads.ts';
export * from './validation/resources.ts';
export { validateTolerations } from './validation/scheduling.ts';
export * from './validation/seccomp.ts';
