/** A valid Role, filled well enough that its rules have something to look at. */
import { EXAMPLE_RULES, type Example } from '../../machinery/index.ts';

export const roleExample: Example = {
  fields: () => ({ rules: EXAMPLE_RULES }),
};
