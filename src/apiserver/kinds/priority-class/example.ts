/** A valid PriorityClass in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const priorityClassExample: Example = {
  fields: () => ({ value: 1000, description: 'd' }),
};
