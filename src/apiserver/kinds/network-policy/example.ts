/** A valid NetworkPolicy in which most validation rules apply. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const networkPolicyExample: Example = {
  fields: () => ({
    spec: {
      podSelector: { matchLabels: EXAMPLE_LABELS },
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, protocol: 'TCP' }] }],
      policyTypes: ['Ingress'],
    },
  }),
};
