/** A valid Pod in which most validation rules apply. */
import { EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const podExample: Example = {
  fields: () => ({ spec: EXAMPLE_TEMPLATE.spec }),
};
