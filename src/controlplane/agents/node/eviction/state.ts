/** The agent's knowledge about node pressure across synchronizations. */
import type { Pressure, Threshold } from './thresholds.ts';

/** The memory from one decision to the next, lost in a crash. */
export interface EvictionState {
  /** Since when thresholds are met, by threshold. */
  readonly since: Readonly<Record<string, number>>;
  /** When each condition was last observed. */
  readonly observed: Readonly<Partial<Record<Pressure, number>>>;
  /** Thresholds that were met with their grace period: they stay met until the minimum is reclaimed. */
  readonly unresolved: readonly Threshold[];
  /** The pressure conditions of the node. */
  readonly pressures: readonly Pressure[];
  /** The pod that was evicted last, while its containers still run. */
  readonly leaving?: { readonly uid: string; readonly since: number };
}
export const freshEviction: EvictionState = { since: {}, observed: {}, unresolved: [], pressures: [] };
