/**
 * Blockers ("why not"): what an object waits for, across owners. Small explainers, one file for each sort of wait and one line each in
 * `all.ts`, read the objects of a moment, the trace up to it, and the pending events.
 */
export { type Situation, situationAt, situationOf } from './situation.ts';
export { introspectionAt } from './introspection-at.ts';
export * from './blockers.ts';
