/** A valid Service, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const serviceExample: Example = {
  fields: () => ({ spec: { selector: EXAMPLE_LABELS, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } }),
};
