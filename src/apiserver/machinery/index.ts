/**
 * The API machinery, shared by all kinds: the contract of a kind, its definition, drafts, hooks and columns. For the modules above, its face
 * has objects, structs and validation, too.
 */
export * from '../objects/index.ts';
export * from '../structs/index.ts';
export * from '../validation/index.ts';
export * from './columns.ts';
export { defineKind, type KindDefinition, type KindOf } from './define-kind.ts';
export * from './hooks.ts';
export * from './kind.ts';
export * from './workloads.ts';
