/** A user's definitions: controllers, invariants, faults and kinds, as one value that is checked before it is used. */
export { customKinds, readCustomKinds } from './definitions.ts';
export { checkedDefinitions, type DefinitionProblem, problemsOf } from './check.ts';
export * from './definitions.ts';
