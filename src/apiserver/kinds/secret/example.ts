/** A valid Secret, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const secretExample: Example = {
  fields: () => ({ type: 'Opaque', data: { a: 'AAEC' }, stringData: { b: 'c' } }),
};
