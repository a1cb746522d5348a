/** A valid Endpoints in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const endpointsExample: Example = {
  fields: () => ({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }] }),
};
