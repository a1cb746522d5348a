/** A valid CronJob, filled well enough that its rules have something to look at. */
import { EXAMPLE_JOB_SPEC, type Example } from '../../machinery/index.ts';

export const cronJobExample: Example = {
  fields: () => ({ spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: EXAMPLE_JOB_SPEC } } }),
};
