/** Descriptions of Ingresses and their fields, in our words. Source: spec, "Ingress". */
import type { Texts } from '../../machinery/index.ts';

export const ingressTexts: Texts = {
  Ingress: { '': 'Routes requests from outside to backends.' },
  IngressSpec: {
    '': 'The rules.',
    ingressClassName: 'The class of its implementation; without a class it is not served.',
    defaultBackend: 'The backend of requests without a matching rule; required without rules.',
    tls: 'Hosts and their certificates, all on port 443.',
    rules: 'Rules by host and path.',
  },
  IngressBackend: { '': 'A backend: exactly one of its members.', service: 'A service.', resource: 'Another object of the namespace.' },
  IngressServiceBackend: { '': 'A service.', name: 'Its name, in the same namespace.', port: 'Its port.' },
  ServiceBackendPort: { '': 'A port of a service: exactly one of its members.', name: 'By name.', number: 'By number.' },
  IngressTLS: {
    '': 'A certificate and its hosts.',
    hosts: 'Names on the certificate.',
    secretName: 'The Secret with certificate and key; absent: routing is by SNI host name only.',
  },
  IngressRule: {
    '': 'The routing of requests for a host.',
    host: 'A name, or a wildcard: the star in *.example.com stands for one label. Absent: all hosts.',
    http: 'Backends by path.',
  },
  HTTPIngressRuleValue: { '': 'Backends by path.', paths: 'The longest match wins, Exact before Prefix.' },
  HTTPIngressPath: {
    '': 'The backend of requests for a path.',
    path: 'Begins with /.',
    pathType: 'Exact; Prefix: element by element, /foo matches /foo/bar and not /foobar; ImplementationSpecific: defined by the class.',
    backend: 'The backend.',
  },
  IngressStatus: { '': 'Its addresses.', loadBalancer: 'The load balancer and its addresses.' },
};
