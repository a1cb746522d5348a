/** A valid Ingress in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const ingressExample: Example = {
  fields: () => ({
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
        },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: 't' }],
    },
  }),
};
