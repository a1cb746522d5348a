/**
 * Choice points: places where a run can continue in several ways, decided by a search or by the replay of its result. Without a strategy
 * nothing is computed for them, and a strategy that never changes anything gives the same run as no strategy.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { RequestVerdict } from './context.ts';

/** A key that is about to be reconciled. */
export interface DecidePoint {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
}

/** The verdict on a decision. */
export type DecideVerdict =
  /** The decision is made so many milliseconds later; 0: at the end of this instant. */
  | { readonly hold: number }
  /** The process crashes before the decision. */
  | { readonly crash: true };

/**
 * The callbacks of a strategy, one for each kind of choice point. Each point calls once: a decision or request that was delayed does not
 * call again. Other effects at a point (a relist, a process cut off) are applied by the callback before it returns.
 */
export interface Points {
  /** A change is sent to a process. Returns the extra delay in milliseconds. A stream keeps its order, so later changes are delayed too. */
  see(process: string, change: Change): number;
  decide(point: DecidePoint): DecideVerdict | undefined;
  /** A controller's request is about to reach the server. */
  write(envelope: Envelope): RequestVerdict | undefined;
  /** The containers of a pod are about to be created. Returns true to make them run without ever becoming ready or ending by themselves. */
  start(process: string, pod: ApiObject): boolean;
}
