/** Finished Jobs beyond the history limits. Models: v1.24 pkg/controller/cronjob cleanupFinishedJobs, byJobStartTimeStar. */
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import { compareText, parseTime } from '../../../schema/values/index.ts';
import { finishedCondition } from '../../shared/index.ts';

/** The oldest successful and failed Jobs whose deletion satisfies the limits. */
export function beyondHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  return [...oldest(jobs, 'Complete', spec.successfulJobsHistoryLimit), ...oldest(jobs, 'Failed', spec.failedJobsHistoryLimit)];
}

function oldest(jobs: readonly Job[], verdict: 'Complete' | 'Failed', limit: number | undefined): readonly Job[] {
  if (limit === undefined || jobs.length <= limit) return [];
  const finished = jobs.filter((job) => finishedCondition(job)?.type === verdict);
  return finished.length <= limit ? [] : finished.sort(byStartTime).slice(0, finished.length - limit);
}

/** By start time; Jobs that never started come last. */
function byStartTime(a: Job, b: Job): number {
  const from = a.status.startTime;
  const to = b.status.startTime;
  if (from === undefined || to === undefined)
    return from === to ? compareText(a.metadata.name, b.metadata.name) : from === undefined ? 1 : -1;
  return parseTime(from) - parseTime(to) || compareText(a.metadata.name, b.metadata.name);
}
