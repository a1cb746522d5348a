/**
 * The back-off of a Job after n requeues of its key: 0, then 10 s, 20 s, 40 s … at most six minutes. Models: v1.24 pkg/controller/job
 * getBackoff.
 */
import { exponentialDelayMs } from '../../runtime/index.ts';

/** Also the back-off of the Job controller's work queue. */
export const JOB_BACKOFF: { readonly baseMs: number; readonly maxMs: number } = { baseMs: 10_000, maxMs: 360_000 };

/** The delay in milliseconds. */
export function getBackoff(requeues: number): number {
  return requeues <= 0 ? 0 : exponentialDelayMs(requeues - 1, JOB_BACKOFF.baseMs, JOB_BACKOFF.maxMs);
}
