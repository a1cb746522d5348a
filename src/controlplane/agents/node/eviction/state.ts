/** What an agent knows of its node's need beyond one look. */
import type { Pressure, Threshold } from './thresholds.ts';

/** What an agent remembers from one decision to the next; lost in a crash. */
export interface EvictionState {
  /** Since when thresholds are met, by threshold. */
  readonly since: Readonly<Record<string, number>>;
  /** When each condition was last called for. */
  readonly observed: Readonly<Partial<Record<Pressure, number>>>;
  /** Thresholds that were met with their grace: until the minimum is reclaimed they still are. */
  readonly unresolved: readonly Threshold[];
  /** The conditions of the node. */
  readonly pressures: readonly Pressure[];
  /** The pod that was evicted last, while its containers go on. */
  readonly leaving?: { readonly uid: string; readonly since: number };
}
export const freshEviction: EvictionState = { since: {}, observed: {}, unresolved: [], pressures: [] };
