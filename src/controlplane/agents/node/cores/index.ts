/**
 * Processors and memory that containers have for themselves: where a machine has them (`layout.ts`), which a policy of topology agrees on
 * (`hints.ts`), who gets which (`cpus.ts`, `memory.ts`), decided when a pod is let in (`admit.ts`). It is there only where an agent is told
 * to hand out any.
 */
export { type Cores, coresOf, type Place } from './admit.ts';
