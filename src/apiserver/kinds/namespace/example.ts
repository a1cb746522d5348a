/** A valid Namespace in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const namespaceExample: Example = {
  fields: () => ({}),
};
