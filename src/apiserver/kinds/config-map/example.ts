/** A valid ConfigMap in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const configMapExample: Example = {
  fields: () => ({ data: { a: 'b' }, binaryData: { c: 'AAEC' } }),
};
