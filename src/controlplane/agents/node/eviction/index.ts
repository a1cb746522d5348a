/**
 * When a node runs short: what is left of memory, disk and processes (`observe.ts`), which thresholds that meets and for how long
 * (`thresholds.ts`), which pod goes first (`rank.ts`), what is decided every ten seconds (`manager.ts`), and whom a node in need lets in
 * (`admit.ts`). It is there only where a scenario says what pods use.
 */
export { EVICTION_KEY } from './manager.ts';
export type { Pressure } from './thresholds.ts';
