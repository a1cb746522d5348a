/** Errors of fields, and the validation of what several kinds share: facets of schemas, metadata, conditions, pods and volumes. */
export { validateImagesOfPod } from './containers.ts';
export { excessErrors, facetErrors, fixedErrors, memberErrors } from './facets.ts';
export * from './field-errors.ts';
export { shown, shownField, shownQuantity } from './go-types.ts';
export * from './object-meta.ts';
export * from './persistent-volumes.ts';
export * from './pod-annotations.ts';
export * from './pod-spec.ts';
export * from './pod-warnings.ts';
export * from './requirements.ts';
export * from './specification.ts';
export { webhookClientErrors } from './webhook-client.ts';
