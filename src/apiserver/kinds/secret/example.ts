/** A valid Secret in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const secretExample: Example = {
  fields: () => ({ type: 'Opaque', data: { a: 'AAEC' }, stringData: { b: 'c' } }),
};
