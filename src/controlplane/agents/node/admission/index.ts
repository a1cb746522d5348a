/**
 * Admission of pods by a node's agent (`admit.ts`): resources (`resources.ts`), preemption by critical pods (`preempting.ts`), sysctls
 * (`sysctls.ts`). Admission under pressure is part of `eviction`.
 */
export { type Clearing, type Gate, judge } from './admit.ts';
export { type Refusal, type Capacity, capacityReader } from './resources.ts';
