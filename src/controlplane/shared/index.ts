/** What controllers, agents and drivers share: names of volumes, label sets, owner references, conditions, the pods behind services. */
export { present } from '../../schema/values/index.ts';
export * from './backends.ts';
export * from './collections.ts';
export * from './deletion-order.ts';
export * from './label-selection.ts';
export * from './node-facts.ts';
export * from './ordinal-set.ts';
export * from './owned-set.ts';
export * from './pod-requests.ts';
export * from './recovery.ts';
export * from './revisions.ts';
export * from './service-pods.ts';
export * from './slices.ts';
export * from './template-hash.ts';
export * from './volumes.ts';
