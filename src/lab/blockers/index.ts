/** Blockers ("why not"): what an object waits for, across owners, by small explainers with one line each in `all.ts`. */
export { type Situation, situationAt, situationOf } from './situation.ts';
export { introspectionAt } from './introspection-at.ts';
export * from './blockers.ts';
