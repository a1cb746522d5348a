/**
 * Whom a node's agent lets in (`admit.ts`): room for what pods ask (`room.ts`), whom critical pods evict (`preempting.ts`), kernel
 * parameters (`sysctls.ts`). Whom a node under pressure lets in stands with its eviction.
 */
export { type Clearing, type Gate, judge } from './admit.ts';
export type { Refusal } from './refusal.ts';
export { type Room, roomReader } from './room.ts';
