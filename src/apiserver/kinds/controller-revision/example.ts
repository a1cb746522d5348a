/** A valid ControllerRevision in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const controllerRevisionExample: Example = {
  fields: () => ({ revision: 1, data: { spec: { a: 1 } } }),
};
