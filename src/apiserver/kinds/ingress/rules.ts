/** Validation of Ingresses. Models: v1.24 pkg/apis/networking/validation. */
import {
  append,
  isDns1035Label,
  isDns1123Subdomain,
  isValidIp,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  type GoType,
} from '../../../schema/values/index.ts';
import {
  type FieldError,
  invalid,
  type KindContext,
  notSupported,
  required,
  shownField,
  subdomainName,
  validateLoadBalancerStatus,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { Ingress, IngressBackend, IngressRule, IngressSpec } from './shape.ts';

const rulesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]networking.IngressRule' };
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
    errors.push(invalid('spec', shownField(spec, 'rules', rulesType), 'either `defaultBackend` or `rules` must be specified'));
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

export function validateIngress(object: Ingress, context: KindContext): FieldError[] {
  const { spec, metadata } = object;
  const errors = [...validateMeta(object, true, subdomainName, context), ...specErrors(spec)];
  const key = context.names.key('', 'ingress.class');
  const legacy = metadata.annotations?.[key];
  if (legacy !== undefined && spec.ingressClassName !== undefined)
    errors.push(invalid(`annotations.${key}`, legacy, 'can not be set when the class field is also set'));
  return errors;
}

export const validateIngressUpdate = (object: Ingress, old: Ingress, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...validateMeta(object, true, subdomainName, context),
  ...specErrors(object.spec),
];

export const validateIngressStatusUpdate = (object: Ingress, old: Ingress, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...validateLoadBalancerStatus(object.status.loadBalancer),
];
