/** Where the specification asks more of a CronJob than v1.24 does: the Jobs that it makes obey the same rules. */
import { invalid, type Rule } from '../../vocabulary/index.ts';
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
];
