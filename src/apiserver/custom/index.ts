/** Custom kinds: from a schema in TypeScript, and from a CustomResourceDefinition. */
export { defineCustomKind, type CustomKindDefinition } from './define-custom-kind.ts';
export { customKind, type CustomProblem, kindOfDefinition } from './custom-kind.ts';
