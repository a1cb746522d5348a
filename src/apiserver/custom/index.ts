/** Custom kinds: from a schema in TypeScript, and from a CustomResourceDefinition. */
export { defineCustomKind, type CustomKindDefinition } from './define-custom-kind.ts';
export { customKind, kindOfDefinition } from './custom-kind.ts';
