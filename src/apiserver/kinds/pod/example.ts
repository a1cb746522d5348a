/** A valid Pod, filled well enough that its rules have something to look at. */
import { EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const podExample: Example = {
  fields: () => ({ spec: EXAMPLE_TEMPLATE.spec }),
};
