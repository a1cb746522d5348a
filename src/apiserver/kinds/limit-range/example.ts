/** A valid LimitRange in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const limitRangeExample: Example = {
  fields: () => ({ spec: { limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' }, max: { cpu: '2' } }] } }),
};
