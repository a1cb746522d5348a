/** A valid Service in which most validation rules apply. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const serviceExample: Example = {
  fields: () => ({ spec: { selector: EXAMPLE_LABELS, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } }),
};
