/** A valid StorageClass, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const storageClassExample: Example = {
  fields: () => ({
    provisioner: 'disk.example.com',
    parameters: { a: 'b' },
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  }),
};
