/** A user's definitions: controllers, invariants, faults and kinds, as one value that is checked before it is used. */
export { checkedDefinitions, type DefinitionProblem, problemsOf } from './check.ts';
export * from './definitions.ts';
