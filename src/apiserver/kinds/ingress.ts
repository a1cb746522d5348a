/** Ingress: rules from hosts and paths to services. Models: v1.24 networking/v1 Ingress, pkg/registry/networking/ingress. */
import { always, atomicList, field, type Infer, int32, obj, ptr, req, str } from '../../schema/shape/index.ts';
import { append, isValidIp } from '../../schema/values/index.ts';
import { balancerPoints, defineKind, keepStatus, type RuleFacts } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { kindFields, loadBalancerStatus, type ObjectOf, typedLocalObjectReference } from '../structs/index.ts';
import {
  facetErrors,
  invalid,
  isCamelCaseOfDomain,
  ofEach,
  protocolErrors,
  required,
  shownField,
  validateLoadBalancerStatus,
} from '../validation/index.ts';
import type { Service } from './service/shape.ts';

const { apiGroup, kind, name } = typedLocalObjectReference.fields;
const resourceReference = {
  ...typedLocalObjectReference,
  fields: {
    apiGroup: { ...apiGroup, format: 'subdomain' },
    kind: { ...kind, needed: 'kind is required', format: 'path segment' },
    name: { ...name, needed: 'name is required', format: 'path segment' },
  } as typeof typedLocalObjectReference.fields,
};

const ingressBackend = obj('IngressBackend', 'A backend: exactly one of its members.', {
  service: field(
    4,
    'A service.',
    obj('IngressServiceBackend', 'A service.', {
      name: field(1, 'Its name, in the same namespace.', req(str()), { needed: true, format: 'label-1035' }),
      port: field(
        2,
        'Its port.',
        always(
          obj('ServiceBackendPort', 'A port of a service: exactly one of its members.', {
            name: field(1, 'By name.', str(), { format: 'port name' }),
            number: field(2, 'By number.', int32, { format: 'port' }),
          }),
        ),
      ),
    }),
  ),
  resource: field(3, 'Another object of the namespace.', resourceReference),
});
export type IngressBackend = Infer<typeof ingressBackend>;

const httpPath = obj('HTTPIngressPath', 'The backend of requests for a path.', {
  path: field(1, 'Begins with /.', str()),
  pathType: field(
    3,
    'Exact; Prefix: element by element, /foo matches /foo/bar and not /foobar; ImplementationSpecific: defined by the class.',
    req(ptr(str('PathType'))),
    { among: ['Exact', 'ImplementationSpecific', 'Prefix'] },
  ),
  backend: field(2, 'The backend.', req(ingressBackend)),
});
const ingressRule = obj('IngressRule', 'The routing of requests for a host.', {
  host: field(1, 'A name, or a wildcard: the star in *.example.com stands for one label. Absent: all hosts.', str(), {
    format: 'host name',
  }),
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
  ingressClassName: field(4, 'The class of its implementation; without a class it is not served.', ptr(str()), { format: 'subdomain' }),
  defaultBackend: field(1, 'The backend of requests without a matching rule; required without rules.', ingressBackend),
  tls: field(
    2,
    'Hosts and their certificates, all on port 443.',
    atomicList(
      obj('IngressTLS', 'A certificate and its hosts.', {
        hosts: field(1, 'Names on the certificate.', atomicList({ ...str(), format: 'host name' } as ReturnType<typeof str>)),
        secretName: field(2, 'The Secret with certificate and key; absent: routing is by SNI host name only.', str(), {
          format: 'subdomain',
        }),
      }),
    ),
  ),
  rules: field(3, 'Rules by host and path.', atomicList(ingressRule)),
});

const ingressSchema = obj(
  'Ingress',
  'Routes requests from outside to backends.',
  kindFields({
    spec: ingressSpec,
    status: obj('IngressStatus', 'Its addresses.', {
      loadBalancer: field(1, 'The load balancer and its addresses.', always(loadBalancerStatus)),
    }),
  }),
);
/** A stored Ingress: defaulted, validated and frozen. */
export type Ingress = ObjectOf<'Ingress', Infer<typeof ingressSchema>>;

const FORBIDDEN_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

function backendErrors(backend: IngressBackend, field: string): FieldError[] {
  const { service, resource } = backend;
  if (resource !== undefined && service !== undefined) return [invalid(field, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return facetErrors(ingressBackend, backend, field, 'resource');
  if (service === undefined) return [invalid(field, '', 'resource or service backend is required')];
  const { name, number } = service.port;
  const of = ingressBackend.fields.service;
  const errors = facetErrors(of, service, `${field}.service`, 'name');
  if (name !== undefined && number !== undefined) errors.push(invalid(field, '', 'cannot set both port name & port number'));
  else if (name === undefined && number === undefined) errors.push(required(field, 'port name or number is required'));
  else append(errors, facetErrors(of, service, `${field}.service`, 'port'));
  return errors;
}

type Path = NonNullable<IngressRule['http']>['paths'][number];

function pathErrors(one: Path, field: string): FieldError[] {
  const { path = '', pathType, backend } = one;
  if ((pathType ?? null) === null) return [required(`${field}.pathType`, 'pathType must be specified')];
  const errors: FieldError[] = [];
  const refuse = (why: string): unknown => errors.push(invalid(`${field}.path`, path, why));
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) refuse('must be an absolute path');
    for (const part of FORBIDDEN_IN_PATHS) if (path.includes(part)) refuse(`must not contain '${part}'`);
    for (const end of FORBIDDEN_ENDS) if (path.endsWith(end)) refuse(`cannot end with '${end}'`);
  } else if (pathType === 'ImplementationSpecific' && path !== '' && !path.startsWith('/')) refuse('must be an absolute path');
  append(errors, facetErrors(httpPath, one, field, 'pathType'), backendErrors(backend, `${field}.backend`));
  return errors;
}

function ruleErrors(rule: IngressRule, field: string): FieldError[] {
  const { host, http } = rule;
  const errors =
    host !== undefined && isValidIp(host).length === 0 ? [invalid(`${field}.host`, host, 'must be a DNS name, not an IP address')] : [];
  append(
    errors,
    facetErrors(ingressRule, rule, field, 'host'),
    http !== undefined && (http.paths ?? []).length === 0 ? [required(`${field}.http.paths`)] : [],
    ofEach(http?.paths, `${field}.http.paths`, pathErrors),
  );
  return errors;
}

function specErrors({ spec }: Ingress): FieldError[] {
  const { rules = [], defaultBackend } = spec;
  return [
    ...(rules.length === 0 && defaultBackend === undefined
      ? [
          invalid(
            'spec',
            shownField(spec, 'rules', ingressSpec.fields.rules, 'networking'),
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(defaultBackend === undefined ? [] : backendErrors(defaultBackend, 'spec.defaultBackend')),
    ...ofEach(rules, 'spec.rules', ruleErrors),
    ...facetErrors(ingressSpec, spec, 'spec', 'tls', 'ingressClassName'),
  ];
}

/** The class of a new Ingress is in its specification, or in the older annotation. */
function classErrors({ spec, metadata }: Ingress, { names }: KindContext): FieldError[] {
  const key = names.key('', 'ingress.class');
  const legacy = metadata.annotations?.[key];
  return legacy === undefined || spec.ingressClassName === undefined
    ? []
    : [invalid(`annotations.${key}`, legacy, 'can not be set when the class field is also set')];
}

const MOST_HOSTS = 3;

/** Returns the first three hosts, and the number of rules beyond three. */
function hosts({ spec: { rules = [] } }: Ingress): string {
  const shown: string[] = [];
  let more = false;
  for (const { host = '' } of rules) {
    if (shown.length === MOST_HOSTS) more = true;
    else if (host !== '') shown.push(host);
  }
  if (shown.length === 0) return '*';
  return shown.join(',') + (more ? ` + ${rules.length - MOST_HOSTS} more...` : '');
}

type Point = NonNullable<Ingress['status']['loadBalancer']['ingress']>[number];
type PortStatus = NonNullable<Point['ports']>[number];

const pointsOf = ({ status }: Ingress): readonly Point[] => status.loadBalancer.ingress ?? [];

const ofEachPort = (ingress: Ingress, judge: (port: PortStatus, field: string) => readonly FieldError[]): readonly FieldError[] =>
  pointsOf(ingress).flatMap(({ ports }, at) =>
    (ports ?? []).flatMap((port, i) => judge(port, `status.loadBalancer.ingress[${at}].ports[${i}]`)),
  );

/** Returns the ports of the backend services that exist: `TCP/80`. */
function servicePorts({ metadata: { namespace }, spec }: Ingress, { find }: RuleFacts): ReadonlySet<string> {
  const backends = [spec.defaultBackend, ...(spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  const names = new Set(backends.flatMap((backend) => (backend?.service === undefined ? [] : [backend.service.name])));
  const services = [...names].map((name) => find('Service', namespace, name) as Service | undefined);
  return new Set(services.flatMap((service) => (service?.spec.ports ?? []).map(({ protocol, port }) => `${protocol}/${port}`)));
}

export const ingress = defineKind<Ingress>({
  plural: 'ingresses',
  shortNames: ['ing'],
  groupPrefix: 'networking',
  schema: ingressSchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft) {
    draft.status = { loadBalancer: {} };
  },
  prepareForUpdate: keepStatus,
  create: ['metadata', specErrors, classErrors],
  update: ['changed metadata', 'metadata', specErrors],
  updateStatus: ['changed metadata', ({ status }) => validateLoadBalancerStatus(status.loadBalancer)],
  columns: [
    'Name',
    ['Class', 'string', 'Class that implements it.', ({ spec }) => spec.ingressClassName ?? '<none>'],
    ['Hosts', 'string', 'Host names of its rules.', hosts],
    ['Address', 'string', 'Addresses of its load balancer.', ({ status }) => balancerPoints(status.loadBalancer).join(',')],
    ['Ports', 'string', 'Open ports, with 443 for TLS.', ({ spec }) => ((spec.tls ?? []).length > 0 ? '80, 443' : '80')],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/networking/ingress, pkg/apis/networking/validation.',
  specification: [
    {
      name: 'ingress/port-protocols',
      field: 'status.loadBalancer.ingress[].ports[].protocol, .port',
      statement: 'The status of a port contains the port and its protocol: TCP, UDP or SCTP.',
      place: 'IngressStatus, PortStatus port, protocol',
      recorded: 'accepts any text, and none',
      check: (ingress) =>
        ofEachPort(ingress, ({ port, protocol }, field) => [
          ...(port === 0 ? [required(`${field}.port`)] : []),
          ...protocolErrors(protocol, `${field}.protocol`),
        ]),
    },
    {
      name: 'ingress/port-errors',
      field: 'status.loadBalancer.ingress[].ports[].error',
      statement: 'The error of a port is one CamelCase word, with a domain as prefix where a provider defines it.',
      place: 'IngressStatus, PortStatus error',
      recorded: 'accepts any text',
      check: (ingress) =>
        ofEachPort(ingress, ({ error = '' }, field) =>
          error === '' || isCamelCaseOfDomain(error)
            ? []
            : [
                invalid(
                  `${field}.error`,
                  error,
                  "must be one word in CamelCase, or that behind a domain, as in 'example.com/QuotaExceeded'",
                ),
              ],
        ),
    },
    {
      name: 'ingress/every-port-has-an-entry',
      field: 'status.loadBalancer.ingress[].ports',
      statement: 'Where the status lists ports, it lists every port of the backend services.',
      place: 'IngressStatus, LoadBalancerIngress ports',
      recorded: 'accepts any subset of them',
      check(ingress, facts) {
        if (!pointsOf(ingress).some(({ ports }) => (ports?.length ?? 0) > 0)) return [];
        const wanted = servicePorts(ingress, facts);
        return pointsOf(ingress).flatMap(({ ports }, at) => {
          if ((ports?.length ?? 0) === 0) return [];
          const reported = new Set((ports ?? []).map(({ protocol, port }) => `${protocol}/${port}`));
          const missing = [...wanted].filter((port) => !reported.has(port));
          return missing.map((port) =>
            required(`status.loadBalancer.ingress[${at}].ports`, `must have an entry for ${port} of the service`),
          );
        });
      },
    },
  ],
});
