/** A valid PriorityClass, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const priorityClassExample: Example = {
  fields: () => ({ value: 1000, description: 'd' }),
};
