/** A valid Job in which most validation rules apply. */
import { EXAMPLE_JOB_SPEC, type Example } from '../../machinery/index.ts';

export const jobExample: Example = {
  fields: () => ({ spec: EXAMPLE_JOB_SPEC }),
};
