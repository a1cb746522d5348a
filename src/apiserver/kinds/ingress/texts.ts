/** Descriptions of Ingresses and their fields, in our words. Source: spec, "Ingress". */
import type { Texts } from '../../machinery/index.ts';

export const ingressTexts: Texts = {
  Ingress: { '': 'Which backend gets which requests from outside.' },
  IngressSpec: {
    '': 'The rules.',
    ingressClassName: 'Who implements it; without a class nobody does.',
    defaultBackend: 'Who gets what no rule fits; must be there where there are no rules.',
    tls: 'Which hosts are served with which certificates, all on port 443.',
    rules: 'By host and path.',
  },
  IngressBackend: { '': 'Who answers: one of its members.', service: 'A service.', resource: 'Another object of the namespace.' },
  IngressServiceBackend: { '': 'A service.', name: 'Its name, in the same namespace.', port: 'Its port.' },
  ServiceBackendPort: { '': 'A port of a service: one of its members.', name: 'By name.', number: 'By number.' },
  IngressTLS: {
    '': 'A certificate and its hosts.',
    hosts: 'Names on the certificate.',
    secretName: 'Where certificate and key are; absent: routing goes by the host name alone.',
  },
  IngressRule: {
    '': 'What to do with requests for a host.',
    host: 'A name, or a wildcard: *.example.com stands for one label more. Absent: all hosts.',
    http: 'By path.',
  },
  HTTPIngressRuleValue: { '': 'Backends by path.', paths: 'The longest that fits wins, an exact one before a prefix.' },
  HTTPIngressPath: {
    '': 'Who answers requests for a path.',
    path: 'Begins with /.',
    pathType: 'Exact; Prefix: element by element, /foo fits /foo/bar and not /foobar; ImplementationSpecific: as the class likes.',
    backend: 'Who answers.',
  },
  IngressStatus: { '': 'Where it can be reached.', loadBalancer: 'Where traffic comes in.' },
};
