/**
 * Invariants of CronJobs. A Job that its CronJob never listed does not count as a run: after a crash between the creation and the update of
 * the list the recorded controller forgets it too, and lets the next run overlap. The same holds for a Job that a user created with a
 * CronJob as owner.
 */
import type { Invariant } from '../invariant.ts';
import { cronJobActiveListIsTrue, cronJobHistoryLimitsKept } from './restored.ts';
import { cronJobForbidNeverOverlaps, cronJobOneJobPerMinute, cronJobReplaceNeverOverlaps, cronJobSuspendedStartsNothing } from './runs.ts';

export const cronJobInvariants: readonly Invariant[] = [
  cronJobForbidNeverOverlaps,
  cronJobReplaceNeverOverlaps,
  cronJobOneJobPerMinute,
  cronJobSuspendedStartsNothing,
  cronJobHistoryLimitsKept,
  cronJobActiveListIsTrue,
];
