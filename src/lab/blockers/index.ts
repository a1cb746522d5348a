/**
 * Why not: what an object waits for, across owners, told by small explainers, one file a kind of waiting and one line each in `all.ts`.
 * They read the objects of a moment, the trace up to it, and what is pending inside.
 */
export type { Situation } from './contract.ts';
export { introspectionAt } from './introspection-at.ts';
export { situationAt, situationOf } from './situation.ts';
export { explainers, blockersOf, type Waiting } from './blockers.ts';
export { waitingText } from './text.ts';
