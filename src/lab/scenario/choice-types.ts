/** What a run does otherwise than it would by itself: at which point, and what. Durations in milliseconds. */
import type { Position } from '../../schema/yaml/index.ts';

/** What happens at a point. */
export type InjectedFault =
  /** What is seen or decided comes so much later; 0, of a decision: at the end of its instant. */
  | { readonly do: 'hold'; readonly ms: number }
  /** The request reaches the server so much later. */
  | { readonly do: 'late'; readonly ms: number }
  | { readonly do: 'refuse'; readonly code: number }
  /** The request is handled, its answer lost. */
  | { readonly do: 'lose' }
  /** The process dies, before or after what happens at the point, and comes back. */
  | { readonly do: 'crash'; readonly when: 'before' | 'after'; readonly restartAfterMs: number; readonly staleByMs?: number }
  | { readonly do: 'relist'; readonly staleByMs?: number }
  | { readonly do: 'cut'; readonly ms: number }
  /** The clock is so far ahead (behind, where it is negative), for so long. */
  | { readonly do: 'skew'; readonly ms: number; readonly forMs: number }
  /** Containers run and are never ready. */
  | { readonly do: 'hang' }
  /** All that a process sees of a kind, or a controller decides or writes, is late, until so long after the start (absent: always). */
  | { readonly do: 'slow'; readonly ms: number; readonly untilMs?: number };

/** A fault at a point, which is named by its address: see `lab/choices/address.ts`. */
export interface PointChoice {
  readonly at: string;
  readonly injectedFault: InjectedFault;
  readonly source?: Position;
}
