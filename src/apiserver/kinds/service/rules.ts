/** A port of a service as Go prints its internal struct. Models: v1.24 pkg/apis/core ServicePort. */
import {
  append,
  type GoText,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidIp,
  isValidPortNumber,
  parseCidr,
  validateLabels,
  validateNonSpecialIp,
} from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  immutableText,
  int,
  invalid,
  type KindContext,
  label1035Name,
  listOf,
  notSupported,
  pointer,
  required,
  shown,
  struct,
  text,
  validateLoadBalancerStatus,
  validateMeta,
  validateMetaUpdate,
  validatePortOrName,
} from '../../machinery/index.ts';
import { clusterAddressChanges, clusterAddressErrors, isHeadless } from './families.ts';
import type { Service, ServicePort, ServiceSpec } from './shape.ts';
import { needsHealthCheck, needsNodePorts } from './strategy.ts';

const portType = struct('core.ServicePort', {
  Name: text,
  Protocol: text,
  AppProtocol: pointer(text),
  Port: int,
  TargetPort: { type: 'intOrString' },
  NodePort: int,
});

/** Upstream knows only the members that make a duplicate port equal. */
const shownServicePort = ({ protocol, port, nodePort = 0 }: ServicePort): GoText => shown({ protocol, port, nodePort }, portType);

/** Prints all ports of a service. */
const shownServicePorts = (ports: readonly ServicePort[]): GoText =>
  shown(
    ports.map(({ nodePort = 0, ...port }) => ({ ...port, nodePort })),
    listOf(portType),
  );

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['Cluster', 'Local'];
const MAX_AFFINITY = 86_400;
/** The port of node agents, which a load balancer must not expose. */
const AGENT_PORT = 10_250;
const BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

const all = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalid(field, value, problem));

/** Returns all errors of a new service. */
export const validateNewService = (object: Service, context: KindContext): FieldError[] => [
  ...validateService(object, context),
  ...mixedProtocolErrors(object.spec, undefined, context),
];

function validateService(object: Service, context: KindContext): FieldError[] {
  const { spec } = object;
  const { type, ports = [], selector, externalIPs = [] } = spec;
  const errors = validateMeta(object, true, label1035Name, context);
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') errors.push(required('spec.ports'));
  append(
    errors,
    typeErrors(spec, context),
    portsErrors(ports),
    validateLabels(selector, 'spec.selector'),
    affinityErrors(spec),
    clusterAddressErrors(spec),
  );
  for (const [at, ip] of externalIPs.entries()) {
    const field = `spec.externalIPs[${at}]`;
    const malformed = all(isValidIp(ip), field, ip);
    append(errors, malformed.length > 0 ? malformed : validateNonSpecialIp(ip, field));
  }
  if (!TYPES.includes(type)) errors.push(notSupported('spec.type', type, TYPES));
  append(errors, nodePortErrors(ports, type), samePortErrors(ports), sourceRangeErrors(object, context));
  if (spec.allocateLoadBalancerNodePorts !== undefined && type !== 'LoadBalancer')
    errors.push(forbidden('spec.allocateLoadBalancerNodePorts', BALANCERS_ONLY));
  return [...errors, ...classErrors(spec), ...externalTrafficErrors(spec), ...internalTrafficErrors(spec)];
}

/** Checks the members that a service type requires or forbids. */
function typeErrors(spec: ServiceSpec, { names }: KindContext): FieldError[] {
  const { type, ports = [], clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec;
  const errors: FieldError[] = [];
  if (type === 'LoadBalancer')
    for (const [at, { port }] of ports.entries())
      if (port === AGENT_PORT)
        errors.push(
          invalid(`spec.ports[${at}]`, port, `may not expose port ${AGENT_PORT} externally since it is used by ${names.agentName}`),
        );
  if (needsNodePorts(spec) && isHeadless(spec))
    errors.push(invalid('spec.clusterIPs[0]', clusterIPs[0], `may not be set to 'None' for ${type} services`));
  if (type !== 'ExternalName') return errors;
  const never = 'may not be set for ExternalName services';
  if (clusterIPs.length > 0) errors.push(forbidden('spec.clusterIPs', never));
  if (ipFamilies.length > 0) errors.push(forbidden('spec.ipFamilies', never));
  if (ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', never));
  // The trailing dot of a full name is allowed.
  const name = externalName.replace(/\.$/, '');
  append(errors, name === '' ? [required('spec.externalName')] : all(isDns1123Subdomain(name), 'spec.externalName', name));
  return errors;
}

function portsErrors(ports: readonly ServicePort[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name, port, protocol, targetPort, appProtocol }] of ports.entries()) {
    const field = `spec.ports[${at}]`;
    if (ports.length > 1 && name === undefined) errors.push(required(`${field}.name`));
    else if (name !== undefined) {
      append(errors, all(isDns1123Label(name), `${field}.name`, name));
      if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    append(errors, all(isValidPortNumber(port), `${field}.port`, port));
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
    append(errors, validatePortOrName(targetPort, `${field}.targetPort`));
    if (appProtocol !== undefined) append(errors, all(isQualifiedName(appProtocol), `${field}.appProtocol`, appProtocol));
  }
  return errors;
}

function nodePortErrors(ports: readonly ServicePort[], type: string): FieldError[] {
  const errors: FieldError[] = [];
  if (type === 'ClusterIP')
    for (const [at, { nodePort }] of ports.entries())
      if (nodePort !== undefined) errors.push(forbidden(`spec.ports[${at}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  const used = new Set<string>();
  for (const [at, { protocol, nodePort }] of ports.entries()) {
    if (nodePort === undefined) continue;
    const key = `${protocol}/${nodePort}`;
    if (used.has(key)) errors.push(duplicate(`spec.ports[${at}].nodePort`, nodePort));
    used.add(key);
  }
  return errors;
}

function samePortErrors(ports: readonly ServicePort[]): FieldError[] {
  const used = new Set<string>();
  return ports.flatMap((port, at) => {
    const key = `${port.protocol}/${port.port}`;
    if (used.has(key)) return [duplicate(`spec.ports[${at}]`, shownServicePort(port))];
    used.add(key);
    return [];
  });
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  if (sessionAffinity !== 'ClientIP' && sessionAffinity !== 'None')
    return [notSupported('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])];
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const wrong = sessionAffinity === 'ClientIP' && seconds !== undefined && (seconds <= 0 || seconds > MAX_AFFINITY);
  return wrong
    ? [invalid('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, `must be greater than 0 and less than ${MAX_AFFINITY}`)]
    : [];
}

/** Source ranges in the spec, or in the older annotation. */
function sourceRangeErrors(
  { metadata, spec: { type, loadBalancerSourceRanges: ranges = [] } }: Service,
  { names }: KindContext,
): FieldError[] {
  const key = names.key('service.beta', 'load-balancer-source-ranges');
  const annotation = metadata.annotations?.[key];
  if (ranges.length === 0 && annotation === undefined) return [];
  const field = ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${key}]`;
  const listed = ranges.length > 0 ? ranges : (annotation ?? '').trim() === '' ? [] : (annotation ?? '').split(',');
  const errors: FieldError[] = [];
  if (type !== 'LoadBalancer') errors.push(forbidden(field, BALANCERS_ONLY));
  if (listed.some((range) => parseCidr(range.trim()).error !== undefined))
    errors.push(
      invalid(
        field,
        ranges.length > 0 ? `[${ranges.join(' ')}]` : annotation,
        'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ),
    );
  return errors;
}

function classErrors({ type, loadBalancerClass: name }: ServiceSpec): FieldError[] {
  if (name === undefined) return [];
  return type === 'LoadBalancer'
    ? all(isQualifiedName(name), 'spec.loadBalancerClass', name)
    : [forbidden('spec.loadBalancerClass', BALANCERS_ONLY)];
}

function externalTrafficErrors(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort: port } = spec;
  const errors: FieldError[] = [];
  if (policy !== undefined) {
    if (!needsNodePorts(spec))
      errors.push(invalid('spec.externalTrafficPolicy', policy, "may only be set when `type` is 'NodePort' or 'LoadBalancer'"));
    else if (!POLICIES.includes(policy)) errors.push(notSupported('spec.externalTrafficPolicy', policy, POLICIES));
  }
  const field = 'spec.healthCheckNodePort';
  if (port === undefined) return needsHealthCheck(spec) ? [...errors, required(field)] : errors;
  return [
    ...errors,
    ...(needsHealthCheck(spec)
      ? all(isValidPortNumber(port), field, port)
      : [invalid(field, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")]),
  ];
}

const internalTrafficErrors = ({ internalTrafficPolicy: policy }: ServiceSpec): FieldError[] =>
  policy === undefined || POLICIES.includes(policy) ? [] : [notSupported('spec.internalTrafficPolicy', policy, POLICIES)];

const mixesProtocols = ({ ports = [] }: ServiceSpec): boolean => new Set(ports.map(({ protocol }) => protocol)).size > 1;

/**
 * Without the gate a load balancer has ports of one protocol, unless it had several before. Models: v1.24 validateMixedProtocolLBService.
 */
const mixedProtocolErrors = (spec: ServiceSpec, before: ServiceSpec | undefined, { gates }: KindContext): readonly FieldError[] =>
  gates['MixedProtocolLBService'] === false &&
  spec.type === 'LoadBalancer' &&
  mixesProtocols(spec) &&
  (before === undefined || !mixesProtocols(before))
    ? [invalid('spec.ports', shownServicePorts(spec.ports ?? []), "may not contain more than 1 protocol when type is 'LoadBalancer'")]
    : [];

export function validateServiceUpdate(object: Service, old: Service, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  const before = old.spec;
  const errors = [...validateMetaUpdate(object, old, context), ...clusterAddressChanges(spec, before)];
  const balanced = before.type === 'LoadBalancer' && spec.type === 'LoadBalancer';
  if (balanced && spec.loadBalancerClass !== before.loadBalancerClass)
    errors.push(invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'));
  // Upstream validates the class here, and again with the rules of every service.
  append(errors, classErrors(spec));
  if (needsHealthCheck(before) && needsHealthCheck(spec) && spec.healthCheckNodePort !== before.healthCheckNodePort)
    errors.push(forbidden('spec.healthCheckNodePort', immutableText));
  return [...errors, ...validateService(object, context), ...mixedProtocolErrors(spec, before, context)];
}

export const validateServiceStatusUpdate = (object: Service, old: Service, context: KindContext): readonly FieldError[] => [
  ...validateMetaUpdate(object, old, context),
  ...validateLoadBalancerStatus(object.status.loadBalancer),
];
