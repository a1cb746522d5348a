/** Kinds of somebody's own: from a shape in TypeScript, and from the structural schema that a definition of custom resources carries. */
export { defineOwnKind, type OwnKindDefinition } from './own-kind.ts';
export { customKind } from './custom-kind.ts';
