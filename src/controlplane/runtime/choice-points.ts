/**
 * Places where a run may go another way, for whoever searches or replays a search: what is asked there, and what may be answered. While
 * nobody asks nothing is put together, and a run that is asked and never answers is the run that is not.
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

/** What becomes of a decision. */
export type DecideVerdict =
  /** It is made so many milliseconds later; 0: at the end of its instant. */
  | { readonly hold: number }
  /** The process dies before it. */
  | { readonly crash: true };

/**
 * Who is asked at each point. Each is asked once: what was held or is late is not asked again. What else is done at a point (lists are
 * made anew, a process is cut off) the one who is asked does, before the answer.
 */
export interface Points {
  /** A change is sent to a process: so many milliseconds later than it would come. A stream keeps its order: what follows waits too. */
  see(process: string, change: Change): number;
  decide(point: DecidePoint): DecideVerdict | undefined;
  /** A controller's request is about to reach the door. */
  write(envelope: Envelope): RequestVerdict | undefined;
  /** The containers of a pod are about to be created; true: they run and are never ready, and do not end by themselves. */
  start(process: string, pod: ApiObject): boolean;
}
