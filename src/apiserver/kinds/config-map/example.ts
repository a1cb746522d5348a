/** A valid ConfigMap, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const configMapExample: Example = {
  fields: () => ({ data: { a: 'b' }, binaryData: { c: 'AAEC' } }),
};
