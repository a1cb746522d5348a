/** Invariants of Jobs: how many pods they have and which, their counts, and how they finish. */
import type { Invariant } from '../invariant.ts';
import {
  jobCompletedIndexesOnlyGrow,
  jobCompleteMeansDone,
  jobCountsNeverShrink,
  jobNoSuccessIsLost,
  jobPodsCountedOnce,
} from './counting.ts';
import {
  jobFinishedIsFinal,
  jobGetsOverFailures,
  jobNeverStuck,
  jobRunsInParallel,
  jobStatusTellsTheTruth,
  jobSuspendedRests,
  jobDeadlineIsKept,
  jobTtlIsKept,
} from './ending.ts';
import { jobActiveWithinParallelism, jobOnePodPerIndex, jobPodsAreOwned } from './pods.ts';

export const jobInvariants: readonly Invariant[] = [
  jobCountsNeverShrink,
  jobPodsCountedOnce,
  jobCompletedIndexesOnlyGrow,
  jobCompleteMeansDone,
  jobFinishedIsFinal,
  jobActiveWithinParallelism,
  jobOnePodPerIndex,
  jobPodsAreOwned,
  jobDeadlineIsKept,
  jobTtlIsKept,
  jobStatusTellsTheTruth,
  jobNeverStuck,
  jobSuspendedRests,
  jobGetsOverFailures,
  jobRunsInParallel,
  jobNoSuccessIsLost,
];
