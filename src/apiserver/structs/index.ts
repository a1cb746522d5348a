/** The schemas of structs that several kinds share: metadata, pod templates, volumes. A struct of a single kind is in its file. */
export * from './claims.ts';
export * from './containers.ts';
export * from './meta.ts';
export * from './pod-spec.ts';
export * from './pod-status.ts';
export * from './policy-rule.ts';
export * from './services.ts';
export * from './volume-spec.ts';
export * from './volumes.ts';
export * from './webhook-client.ts';
