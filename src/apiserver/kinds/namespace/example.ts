/** A valid Namespace, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const namespaceExample: Example = {
  fields: () => ({}),
};
