/** A valid Job, filled well enough that its rules have something to look at. */
import { EXAMPLE_JOB_SPEC, type Example } from '../../machinery/index.ts';

export const jobExample: Example = {
  fields: () => ({ spec: EXAMPLE_JOB_SPEC }),
};
