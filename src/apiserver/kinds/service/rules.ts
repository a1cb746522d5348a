/** Validation of Services. Models: v1.24 pkg/apis/core/validation ValidateService, ValidateServiceUpdate. */
import { append, type GoText, isDns1123Subdomain, parseCidr, repeats } from '../../../schema/values/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import {
  duplicate,
  facetErrors,
  forbidden,
  immutableText,
  invalid,
  ofEach,
  problemsAt,
  required,
  shown,
  validateLoadBalancerStatus,
} from '../../validation/index.ts';
import { clusterAddressChanges, clusterAddressErrors, isHeadless } from './families.ts';
import { needsHealthCheck, needsNodePorts, type Service, serviceSchema, type ServicePort, type ServiceSpec } from './shape.ts';

/** Upstream knows only the members that make a duplicate port equal. */
const shownServicePort = ({ protocol, port }: ServicePort): GoText => shown({ protocol, port }, PORTS.items);

const PORTS = serviceSchema.fields.spec.fields.ports;
/** The port of node agents, which a load balancer must not expose. */
const AGENT_PORT = 10_250;
const BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

const judged = (spec: ServiceSpec, ...members: readonly (keyof ServiceSpec)[]): FieldError[] =>
  facetErrors(serviceSchema.fields.spec, spec, 'spec', ...members);

const missingPorts = ({ spec }: Service): FieldError[] =>
  (spec.ports ?? []).length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName' ? [required('spec.ports')] : [];

function typeErrors({ spec }: Service, { names }: KindContext): FieldError[] {
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
  append(errors, name === '' ? [required('spec.externalName')] : problemsAt(isDns1123Subdomain(name), 'spec.externalName', name));
  return errors;
}

function portsErrors({ spec: { ports = [] } }: Service): FieldError[] {
  const isRepeated = repeats<string>();
  return ofEach(ports, 'spec.ports', (port, field) => [
    ...(ports.length > 1 && port.name === undefined ? [required(`${field}.name`)] : []),
    ...facetErrors(PORTS.items, port, field, 'name'),
    ...(port.name !== undefined && isRepeated(port.name) ? [duplicate(`${field}.name`, port.name)] : []),
    ...facetErrors(PORTS.items, port, field, 'port', 'protocol', 'targetPort', 'appProtocol'),
  ]);
}

function nodePortErrors({ spec: { ports = [], type } }: Service): FieldError[] {
  const isRepeated = repeats<string>();
  const given = ports.map(({ protocol, nodePort }, at) => ({ protocol, nodePort, field: `spec.ports[${at}].nodePort` }));
  const used = given.filter(({ nodePort }) => nodePort !== undefined);
  return [
    ...(type === 'ClusterIP' ? used.map(({ field }) => forbidden(field, "may not be used when `type` is 'ClusterIP'")) : []),
    ...used.flatMap(({ protocol, nodePort, field }) => (isRepeated(`${protocol}/${nodePort}`) ? [duplicate(field, nodePort)] : [])),
  ];
}

function samePortErrors({ spec: { ports } }: Service): FieldError[] {
  const isRepeated = repeats<string>();
  return ofEach(ports, 'spec.ports', (port, field) =>
    isRepeated(`${port.protocol}/${port.port}`) ? [duplicate(field, shownServicePort(port))] : [],
  );
}

const affinityErrors = ({ spec }: Service): FieldError[] =>
  spec.sessionAffinity === 'ClientIP' ? judged(spec, 'sessionAffinityConfig') : [];

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

const nodePortAllocationErrors = ({ spec }: Service): FieldError[] =>
  spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== 'LoadBalancer'
    ? [forbidden('spec.allocateLoadBalancerNodePorts', BALANCERS_ONLY)]
    : [];

const classErrors = ({ spec }: Service): FieldError[] =>
  spec.loadBalancerClass === undefined || spec.type === 'LoadBalancer'
    ? judged(spec, 'loadBalancerClass')
    : [forbidden('spec.loadBalancerClass', BALANCERS_ONLY)];

function externalTrafficErrors({ spec }: Service): FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort: port } = spec;
  const errors =
    policy === undefined || needsNodePorts(spec)
      ? judged(spec, 'externalTrafficPolicy')
      : [invalid('spec.externalTrafficPolicy', policy, "may only be set when `type` is 'NodePort' or 'LoadBalancer'")];
  const field = 'spec.healthCheckNodePort';
  if (needsHealthCheck(spec)) append(errors, port === undefined ? [required(field)] : judged(spec, 'healthCheckNodePort'));
  else if (port !== undefined)
    errors.push(invalid(field, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  return errors;
}

const mixesProtocols = ({ ports = [] }: ServiceSpec): boolean => new Set(ports.map(({ protocol }) => protocol)).size > 1;

/**
 * Without the gate a load balancer has ports of one protocol, unless it had several before. Models: v1.24 validateMixedProtocolLBService.
 */
const mixedProtocolErrors = (spec: ServiceSpec, before: ServiceSpec | undefined, { gates }: KindContext): readonly FieldError[] =>
  gates['MixedProtocolLBService'] === false &&
  spec.type === 'LoadBalancer' &&
  mixesProtocols(spec) &&
  (before === undefined || !mixesProtocols(before))
    ? [invalid('spec.ports', shown(spec.ports ?? [], PORTS), "may not contain more than 1 protocol when type is 'LoadBalancer'")]
    : [];

function changeErrors({ spec }: Service, _: KindContext, { spec: before }: Service): FieldError[] {
  const balanced = before.type === 'LoadBalancer' && spec.type === 'LoadBalancer';
  return balanced && spec.loadBalancerClass !== before.loadBalancerClass
    ? [invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set')]
    : [];
}

const checkPortChange = ({ spec }: Service, _: KindContext, { spec: before }: Service): FieldError[] =>
  needsHealthCheck(before) && needsHealthCheck(spec) && spec.healthCheckNodePort !== before.healthCheckNodePort
    ? [forbidden('spec.healthCheckNodePort', immutableText)]
    : [];

const CHECKS = [
  'metadata',
  missingPorts,
  typeErrors,
  portsErrors,
  'spec.selector',
  'spec.sessionAffinity',
  affinityErrors,
  clusterAddressErrors,
  'spec.externalIPs',
  'spec.type',
  nodePortErrors,
  samePortErrors,
  sourceRangeErrors,
  nodePortAllocationErrors,
  classErrors,
  externalTrafficErrors,
  'spec.internalTrafficPolicy',
] as const;
export const CREATED = [
  ...CHECKS,
  (object: Service, context: KindContext) => mixedProtocolErrors(object.spec, undefined, context),
] as const;
export const UPDATED = [
  'changed metadata',
  clusterAddressChanges,
  changeErrors,
  // Upstream validates the class here, and again with the rules of every service.
  classErrors,
  checkPortChange,
  ...CHECKS,
  (object: Service, context: KindContext, old: Service) => mixedProtocolErrors(object.spec, old.spec, context),
] as const;
export const STATUS_UPDATED = ['changed metadata', ({ status }: Service) => validateLoadBalancerStatus(status.loadBalancer)] as const;
