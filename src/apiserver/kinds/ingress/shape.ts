/** The schema of Ingresses: fields, types, and the defaults that depend only on the object. */
import { always, atomicList, type Infer, int32, obj, ptr, req, str, field } from '../../../schema/shape/index.ts';
import { loadBalancerStatus, type ObjectOf, typedLocalObjectReference, typeMeta } from '../../machinery/index.ts';

const ingressBackend = obj('IngressBackend', 'A backend: exactly one of its members.', {
  service: field(
    4,
    'A service.',
    obj('IngressServiceBackend', 'A service.', {
      name: field(1, 'Its name, in the same namespace.', req(str())),
      port: field(
        2,
        'Its port.',
        always(
          obj('ServiceBackendPort', 'A port of a service: exactly one of its members.', {
            name: field(1, 'By name.', str()),
            number: field(2, 'By number.', int32),
          }),
        ),
      ),
    }),
  ),
  resource: field(3, 'Another object of the namespace.', typedLocalObjectReference),
});
export type IngressBackend = Infer<typeof ingressBackend>;

const httpPath = obj('HTTPIngressPath', 'The backend of requests for a path.', {
  path: field(1, 'Begins with /.', str()),
  pathType: field(
    3,
    'Exact; Prefix: element by element, /foo matches /foo/bar and not /foobar; ImplementationSpecific: defined by the class.',
    req(ptr(str('PathType'))),
  ),
  backend: field(2, 'The backend.', req(ingressBackend)),
});
const ingressRule = obj('IngressRule', 'The routing of requests for a host.', {
  host: field(1, 'A name, or a wildcard: the star in *.example.com stands for one label. Absent: all hosts.', str()),
  http: field(
    [2, 1],
    'Backends by path.',
    obj('HTTPIngressRuleValue', 'Backends by path.', {
      paths: field(1, 'The longest match wins, Exact before Prefix.', req(atomicList(httpPath))),
    }),
  ),
});
export type IngressRule = Infer<typeof ingressRule>;

const ingressSpec = obj('IngressSpec', 'The rules.', {
  ingressClassName: field(4, 'The class of its implementation; without a class it is not served.', ptr(str())),
  defaultBackend: field(1, 'The backend of requests without a matching rule; required without rules.', ingressBackend),
  tls: field(
    2,
    'Hosts and their certificates, all on port 443.',
    atomicList(
      obj('IngressTLS', 'A certificate and its hosts.', {
        hosts: field(1, 'Names on the certificate.', atomicList(str())),
        secretName: field(2, 'The Secret with certificate and key; absent: routing is by SNI host name only.', str()),
      }),
    ),
  ),
  rules: field(3, 'Rules by host and path.', atomicList(ingressRule)),
});
export type IngressSpec = Infer<typeof ingressSpec>;

export const ingressSchema = obj('Ingress', 'Routes requests from outside to backends.', {
  ...typeMeta,
  spec: field(2, always(ingressSpec)),
  status: field(
    3,
    always(
      obj('IngressStatus', 'Its addresses.', {
        loadBalancer: field(1, 'The load balancer and its addresses.', always(loadBalancerStatus)),
      }),
    ),
  ),
});
/** A stored Ingress: defaulted, validated and frozen. */
export type Ingress = ObjectOf<'Ingress', Infer<typeof ingressSchema>>;
