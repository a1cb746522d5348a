/** Rules of the specification for CronJob that v1.24 does not have: its Job template must obey the rules of Jobs. */
import { invalid, type Rule } from '../../machinery/index.ts';
import type { CronJob } from './shape.ts';

const FIELD = 'spec.jobTemplate.spec.activeDeadlineSeconds';

export const cronJobSpecification: readonly Rule<CronJob>[] = [
  {
    name: 'cron-job/deadline-is-positive',
    kind: 'CronJob',
    field: FIELD,
    statement: 'The time that a Job may be active is positive; so says the template of one.',
    place: 'resource-api.md: Job, spec.activeDeadlineSeconds',
    recorded: 'takes 0',
    member: 'spec',
    check: ({ spec }) => (spec.jobTemplate.spec.activeDeadlineSeconds === 0 ? [invalid(FIELD, 0, 'must be greater than 0')] : []),
  },
  {
    name: 'cron-job/forbidden-runs-come-late',
    kind: 'CronJob',
    field: 'spec.concurrencyPolicy',
    statement: 'Forbid skips the next run while the one before is unfinished.',
    place: 'resource-api.md: CronJob, spec.concurrencyPolicy; States and transitions',
    recorded: 'starts the last run that came due meanwhile once nothing runs, unless its deadline has passed',
    does: 'read as v1.24 does, in either mode: a run is skipped as long as another is unfinished, and once none is, it is a missed run like any other, for which spec.startingDeadlineSeconds is there',
  },
  {
    name: 'cron-job/missed-runs-leave-no-job',
    kind: 'CronJob',
    field: 'spec.startingDeadlineSeconds',
    statement: 'A run whose deadline has passed counts as failed.',
    place: 'resource-api.md: CronJob, spec.startingDeadlineSeconds',
    recorded: 'makes no Job for it, and counts nothing',
    does: 'read as v1.24 does, in either mode: failed means never made up for; there is no member of the status that counts, and failedJobsHistoryLimit keeps Jobs that there were',
  },
];
