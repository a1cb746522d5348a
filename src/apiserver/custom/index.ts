/** Custom kinds: from a schema in TypeScript, and from the structural schema of a CustomResourceDefinition. */
export { defineOwnKind, type OwnKindDefinition } from './own-kind.ts';
export { customKind } from './custom-kind.ts';
