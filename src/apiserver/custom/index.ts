/** Custom kinds: from a schema in TypeScript, and from the structural schema of a CustomResourceDefinition. */
export { defineCustomKind, type CustomKindDefinition } from './define-custom-kind.ts';
export { customKind } from './custom-kind.ts';
