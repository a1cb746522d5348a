/** A valid ServiceAccount in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const serviceAccountExample: Example = {
  fields: () => ({ secrets: [{ name: 's' }], automountServiceAccountToken: true }),
};
