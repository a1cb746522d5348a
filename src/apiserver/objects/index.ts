/** What every object has and every request is judged by: metadata and references, names of the domain, feature gates, errors of fields. */
export type { FeatureGates, KindContext, RulesMode } from './context.ts';
export { type Gate, GATES, resolveGates } from './gates.ts';
export { type KeyTable, KeyTables } from './key-tables.ts';
export * from './names.ts';
export * from './object.ts';
export * from './status.ts';
