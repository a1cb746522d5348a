/**
 * How long a Job waits before it is looked at again after its key was requeued n times: at once, then 10 s, 20 s, 40 s … at most six
 * minutes. Models: v1.24 pkg/controller/job getBackoff.
 */
import { exponentialDelayMs } from '../../runtime/index.ts';

/** What the Job controller's work queue uses, too. */
export const JOB_BACKOFF: { readonly baseMs: number; readonly maxMs: number } = { baseMs: 10_000, maxMs: 360_000 };

/** Milliseconds. */
export function getBackoff(requeues: number): number {
  return requeues <= 0 ? 0 : exponentialDelayMs(requeues - 1, JOB_BACKOFF.baseMs, JOB_BACKOFF.maxMs);
}
