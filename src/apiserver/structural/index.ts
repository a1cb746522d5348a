/** Structural schemas of custom resources: what is wrong with one, the stored form of values, and what is wrong with values. */
export { fieldsOf, structOf, storedForm } from './coerce.ts';
export { COLUMN_TYPES, pathSteps, printerColumn } from './printer-columns.ts';
export type { Structural } from './members.ts';
export { brokenRules } from './cel/evaluate.ts';
export { structuralErrors } from './structural.ts';
export { ruleErrors } from './value-errors.ts';
