/**
 * What must hold of CronJobs. A Job that its CronJob never listed does not count as a run: after a crash between the creation and the list
 * the recorded
 * controller forgets it too, and lets the next run overlap. So is a Job somebody made by hand in a CronJob's name.
 */
import type { Invariant } from '../invariant.ts';
import { cronJobActiveListIsTrue, cronJobHistoryLimitsKept } from './restored.ts';
import { cronJobForbidNeverOverlaps, cronJobOneJobPerMinute, cronJobReplaceNeverOverlaps, cronJobSuspendedStartsNothing } from './runs.ts';

/** All of them. */
export const cronJobInvariants: readonly Invariant[] = [
  cronJobForbidNeverOverlaps,
  cronJobReplaceNeverOverlaps,
  cronJobOneJobPerMinute,
  cronJobSuspendedStartsNothing,
  cronJobHistoryLimitsKept,
  cronJobActiveListIsTrue,
];
