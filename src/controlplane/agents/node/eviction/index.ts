/**
 * Eviction under node pressure: available memory, disk and processes (`observe.ts`), thresholds that are met, and since when
 * (`thresholds.ts`), the ranking of pods (`rank.ts`), the decision every ten seconds (`manager.ts`), and admission under pressure
 * (`admit.ts`). Active only where a scenario describes usage.
 */
export { EVICTION_KEY } from './manager.ts';
export type { Pressure } from './thresholds.ts';
