/** A valid CronJob in which most validation rules apply. */
import { EXAMPLE_JOB_SPEC, type Example } from '../../machinery/index.ts';

export const cronJobExample: Example = {
  fields: () => ({ spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: EXAMPLE_JOB_SPEC } } }),
};
