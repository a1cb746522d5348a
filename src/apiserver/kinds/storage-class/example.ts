/** A valid StorageClass in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const storageClassExample: Example = {
  fields: () => ({
    provisioner: 'disk.example.com',
    parameters: { a: 'b' },
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  }),
};
