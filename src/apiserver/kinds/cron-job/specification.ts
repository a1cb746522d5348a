/** Rules of the specification for CronJob that v1.24 does not have: its Job template must obey the rules of Jobs. */
import { invalid, type Rule } from '../../machinery/index.ts';
import type { CronJob } from './shape.ts';

const FIELD = 'spec.jobTemplate.spec.activeDeadlineSeconds';

export const cronJobSpecification: readonly Rule<CronJob>[] = [
  {
    name: 'cron-job/deadline-is-positive',
    kind: 'CronJob',
    field: FIELD,
    statement: 'activeDeadlineSeconds is positive, also in a Job template.',
    place: 'resource-api.md: Job, spec.activeDeadlineSeconds',
    recorded: 'accepts 0',
    member: 'spec',
    check: ({ spec }) => (spec.jobTemplate.spec.activeDeadlineSeconds === 0 ? [invalid(FIELD, 0, 'must be greater than 0')] : []),
  },
  {
    name: 'cron-job/forbidden-runs-come-late',
    kind: 'CronJob',
    field: 'spec.concurrencyPolicy',
    statement: 'Forbid skips the next run while the previous run is unfinished.',
    place: 'resource-api.md: CronJob, spec.concurrencyPolicy; States and transitions',
    recorded: 'starts the latest missed run when no Job is active, unless its deadline has passed',
    does: 'interpreted as v1.24 does, in either mode: a run is skipped while another is unfinished; afterwards it is a missed run like any other, subject to spec.startingDeadlineSeconds',
  },
  {
    name: 'cron-job/missed-runs-leave-no-job',
    kind: 'CronJob',
    field: 'spec.startingDeadlineSeconds',
    statement: 'A run whose deadline has passed counts as failed.',
    place: 'resource-api.md: CronJob, spec.startingDeadlineSeconds',
    recorded: 'creates no Job for it, and counts nothing',
    does: 'interpreted as v1.24 does, in either mode: failed means that the run is never started later; the status has no field that counts such runs, and failedJobsHistoryLimit concerns Jobs that were created',
  },
];
