/** Choices of a run: a fault and the point at which it is injected. Durations in milliseconds. */
import type { Position } from '../../schema/yaml/index.ts';

/** A fault at a point. */
export type InjectedFault =
  /** Delays a watch event or a decision; 0, for a decision: until the end of its instant. */
  | { readonly do: 'hold'; readonly ms: number }
  /** Delays the arrival of a request at the server. */
  | { readonly do: 'late'; readonly ms: number }
  | { readonly do: 'refuse'; readonly code: number }
  /** Handles a request and loses its response. */
  | { readonly do: 'lose' }
  /** Crashes the process before or after the point, and restarts it. */
  | { readonly do: 'crash'; readonly when: 'before' | 'after'; readonly restartAfterMs: number; readonly staleByMs?: number }
  | { readonly do: 'relist'; readonly staleByMs?: number }
  | { readonly do: 'cut'; readonly ms: number }
  /** Skews the clock (negative: behind) for a while. */
  | { readonly do: 'skew'; readonly ms: number; readonly forMs: number }
  /** Makes containers run without ever becoming ready. */
  | { readonly do: 'hang' }
  /**
   * Delays all watch events of a kind for a process, or all decisions or writes of a controller, until this time after the start (absent:
   * to the end).
   */
  | { readonly do: 'slow'; readonly ms: number; readonly untilMs?: number };

/** A fault at a point, which is identified by its address: see `lab/choices/address.ts`. */
export interface PointChoice {
  readonly at: string;
  readonly injectedFault: InjectedFault;
  readonly source?: Position;
}
