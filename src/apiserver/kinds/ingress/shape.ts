/** The schema of Ingresses: fields, types, and the defaults that depend only on the object. */
import { always, atomicList, type Infer, int32, obj, ptr, req, str, field } from '../../../schema/shape/index.ts';
import { loadBalancerStatus, type ObjectOf, typedLocalObjectReference, typeMeta } from '../../machinery/index.ts';

const ingressBackend = obj('IngressBackend', 'Who answers: one of its members.', {
  service: field(
    4,
    'A service.',
    obj('IngressServiceBackend', 'A service.', {
      name: field(1, 'Its name, in the same namespace.', req(str())),
      port: field(
        2,
        'Its port.',
        always(
          obj('ServiceBackendPort', 'A port of a service: one of its members.', {
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

const httpPath = obj('HTTPIngressPath', 'Who answers requests for a path.', {
  path: field(1, 'Begins with /.', str()),
  pathType: field(
    3,
    'Exact; Prefix: element by element, /foo fits /foo/bar and not /foobar; ImplementationSpecific: as the class likes.',
    req(ptr(str('PathType'))),
  ),
  backend: field(2, 'Who answers.', req(ingressBackend)),
});
const ingressRule = obj('IngressRule', 'What to do with requests for a host.', {
  host: field(1, 'A name, or a wildcard: *.example.com stands for one label more. Absent: all hosts.', str()),
  http: field(
    [2, 1],
    'By path.',
    obj('HTTPIngressRuleValue', 'Backends by path.', {
      paths: field(1, 'The longest that fits wins, an exact one before a prefix.', req(atomicList(httpPath))),
    }),
  ),
});
export type IngressRule = Infer<typeof ingressRule>;

const ingressSpec = obj('IngressSpec', 'The rules.', {
  ingressClassName: field(4, 'Who implements it; without a class nobody does.', ptr(str())),
  defaultBackend: field(1, 'Who gets what no rule fits; must be there where there are no rules.', ingressBackend),
  tls: field(
    2,
    'Which hosts are served with which certificates, all on port 443.',
    atomicList(
      obj('IngressTLS', 'A certificate and its hosts.', {
        hosts: field(1, 'Names on the certificate.', atomicList(str())),
        secretName: field(2, 'Where certificate and key are; absent: routing goes by the host name alone.', str()),
      }),
    ),
  ),
  rules: field(3, 'By host and path.', atomicList(ingressRule)),
});
export type IngressSpec = Infer<typeof ingressSpec>;

export const ingressSchema = obj('Ingress', 'Which backend gets which requests from outside.', {
  ...typeMeta,
  spec: field(2, always(ingressSpec)),
  status: field(
    3,
    always(
      obj('IngressStatus', 'Where it can be reached.', { loadBalancer: field(1, 'Where traffic comes in.', always(loadBalancerStatus)) }),
    ),
  ),
});
/** A stored Ingress: defaulted, validated and frozen. */
export type Ingress = ObjectOf<'Ingress', Infer<typeof ingressSchema>>;
