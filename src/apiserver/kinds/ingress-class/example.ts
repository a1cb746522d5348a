/** A valid IngressClass, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const ingressClassExample: Example = {
  fields: () => ({ spec: { controller: 'example.com/c' } }),
};
