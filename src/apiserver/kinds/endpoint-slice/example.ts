/** A valid EndpointSlice in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const endpointSliceExample: Example = {
  fields: () => ({
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  }),
};
