/** A valid ServiceAccount, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const serviceAccountExample: Example = {
  fields: () => ({ secrets: [{ name: 's' }], automountServiceAccountToken: true }),
};
