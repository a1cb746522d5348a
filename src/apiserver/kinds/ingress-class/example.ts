/** A valid IngressClass in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const ingressClassExample: Example = {
  fields: () => ({ spec: { controller: 'example.com/c' } }),
};
