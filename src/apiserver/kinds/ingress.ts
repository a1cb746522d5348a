/** Ingress: rules from hosts and paths to services. Models: v1.24 networking/v1 Ingress, pkg/registry/networking/ingress. */
import { always, atomicList, field, type Infer, int32, obj, ptr, req, str } from '../../schema/shape/index.ts';
import {
  append,
  isDns1035Label,
  isDns1123Subdomain,
  isValidIp,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
} from '../../schema/values/index.ts';
import {
  balancerPoints,
  defineKind,
  type FieldError,
  invalid,
  isCamelCaseOfDomain,
  keepStatus,
  type KindContext,
  loadBalancerStatus,
  notSupported,
  type ObjectOf,
  protocolErrors,
  required,
  type RuleFacts,
  shownField,
  subdomainName,
  typedLocalObjectReference,
  validateLoadBalancerStatus,
  validateMeta,
  validateMetaUpdate,
  kindFields,
} from '../machinery/index.ts';
import type { Service } from './service/shape.ts';

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
type IngressSpec = Infer<typeof ingressSpec>;

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

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const FORBIDDEN_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

const problemsAt = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalid(field, value, problem));

function backendErrors({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (resource !== undefined && service !== undefined) return [invalid(field, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return resourceErrors(resource, `${field}.resource`);
  if (service === undefined) return [invalid(field, '', 'resource or service backend is required')];
  const errors =
    service.name === ''
      ? [required(`${field}.service.name`)]
      : problemsAt(isDns1035Label(service.name), `${field}.service.name`, service.name);
  const { name, number } = service.port;
  if (name !== undefined && number !== undefined) return [...errors, invalid(field, '', 'cannot set both port name & port number')];
  if (name !== undefined) return [...errors, ...problemsAt(isValidPortName(name), `${field}.service.port.name`, name)];
  return [
    ...errors,
    ...(number === undefined
      ? [required(field, 'port name or number is required')]
      : problemsAt(isValidPortNumber(number), `${field}.service.port.number`, number)),
  ];
}

function resourceErrors({ apiGroup, kind, name }: NonNullable<IngressBackend['resource']>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (apiGroup !== undefined && apiGroup !== null) append(errors, problemsAt(isDns1123Subdomain(apiGroup), `${field}.apiGroup`, apiGroup));
  if (kind === '') errors.push(required(`${field}.kind`, 'kind is required'));
  else append(errors, problemsAt(isValidPathSegmentName(kind), `${field}.kind`, kind));
  if (name === '') errors.push(required(`${field}.name`, 'name is required'));
  else append(errors, problemsAt(isValidPathSegmentName(name), `${field}.name`, name));
  return errors;
}

/** A DNS name, or one with `*` as its whole first label. */
function hostErrors(host: string, field: string): FieldError[] {
  return problemsAt(host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host), field, host);
}

function pathErrors({ path = '', pathType, backend }: NonNullable<IngressRule['http']>['paths'][number], field: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((pathType ?? null) === null) return [required(`${field}.pathType`, 'pathType must be specified')];
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) errors.push(invalid(`${field}.path`, path, 'must be an absolute path'));
    if (path !== '') {
      for (const part of FORBIDDEN_IN_PATHS)
        if (path.includes(part)) errors.push(invalid(`${field}.path`, path, `must not contain '${part}'`));
      for (const end of FORBIDDEN_ENDS) if (path.endsWith(end)) errors.push(invalid(`${field}.path`, path, `cannot end with '${end}'`));
    }
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) errors.push(invalid(`${field}.path`, path, 'must be an absolute path'));
  } else errors.push(notSupported(`${field}.pathType`, pathType, PATH_TYPES));
  return [...errors, ...backendErrors(backend, `${field}.backend`)];
}

function ruleErrors({ host, http }: IngressRule, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (host !== undefined) {
    if (isValidIp(host).length === 0) errors.push(invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    append(errors, hostErrors(host, `${field}.host`));
  }
  if (http === undefined) return errors;
  if (http.paths === null || http.paths.length === 0) return [...errors, required(`${field}.http.paths`)];
  return [...errors, ...http.paths.flatMap((path, at) => pathErrors(path, `${field}.http.paths[${at}]`))];
}

function specErrors(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  const errors: FieldError[] = [];
  if (rules.length === 0 && defaultBackend === undefined)
    errors.push(
      invalid(
        'spec',
        shownField(spec, 'rules', ingressSpec.fields.rules, 'networking'),
        'either `defaultBackend` or `rules` must be specified',
      ),
    );
  if (defaultBackend !== undefined) append(errors, backendErrors(defaultBackend, 'spec.defaultBackend'));
  for (const [at, rule] of rules.entries()) append(errors, ruleErrors(rule, `spec.rules[${at}]`));
  for (const [at, { hosts = [], secretName }] of tls.entries()) {
    for (const [i, host] of hosts.entries()) append(errors, hostErrors(host, `spec.tls[${at}].hosts[${i}]`));
    if (secretName !== undefined) append(errors, problemsAt(isDns1123Subdomain(secretName), `spec.tls[${at}].secretName`, secretName));
  }
  if (ingressClassName !== undefined)
    append(errors, problemsAt(isDns1123Subdomain(ingressClassName), 'spec.ingressClassName', ingressClassName));
  return errors;
}

function validateIngress(object: Ingress, context: KindContext): FieldError[] {
  const { spec, metadata } = object;
  const errors = [...validateMeta(object, true, subdomainName, context), ...specErrors(spec)];
  const key = context.names.key('', 'ingress.class');
  const legacy = metadata.annotations?.[key];
  if (legacy !== undefined && spec.ingressClassName !== undefined)
    errors.push(invalid(`annotations.${key}`, legacy, 'can not be set when the class field is also set'));
  return errors;
}

const validateIngressUpdate = (object: Ingress, old: Ingress, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec),
];

const validateIngressStatusUpdate = (object: Ingress, old: Ingress, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...validateLoadBalancerStatus(object.status.loadBalancer),
];

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
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  validateStatusUpdate: validateIngressStatusUpdate,
  columns: [
    'Name',
    ['Class', 'string', 'Class that implements it.', (object) => object.spec.ingressClassName ?? '<none>'],
    ['Hosts', 'string', 'Host names of its rules.', (object) => hosts(object)],
    ['Address', 'string', 'Addresses of its load balancer.', (object) => balancerPoints(object.status.loadBalancer).join(',')],
    ['Ports', 'string', 'Open ports, with 443 for TLS.', (object) => ((object.spec.tls ?? []).length > 0 ? '80, 443' : '80')],
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
  example: {
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
        },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: 't' }],
    },
  },
});
