/** A valid Role in which most validation rules apply. */
import { EXAMPLE_RULES, type Example } from '../../machinery/index.ts';

export const roleExample: Example = {
  fields: () => ({ rules: EXAMPLE_RULES }),
};
