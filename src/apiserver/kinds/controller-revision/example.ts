/** A valid ControllerRevision, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const controllerRevisionExample: Example = {
  fields: () => ({ revision: 1, data: { spec: { a: 1 } } }),
};
