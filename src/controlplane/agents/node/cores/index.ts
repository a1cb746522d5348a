/**
 * Exclusive CPUs and memory of containers: the machine's topology (`layout.ts`), topology policies (`hints.ts`), allocation (`cpus.ts`,
 * `memory.ts`), and the decision at admission (`admit.ts`). Active only where an agent has a static policy.
 */
export { type Cores, coresOf, type Place } from './admit.ts';
