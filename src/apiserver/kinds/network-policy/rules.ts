/** Validation of NetworkPolicies. */
import { append, type GoType, isInRange, validateIpBlock, validateLabelSelector } from '../../../schema/values/index.ts';
import {
  type Draft,
  type FieldError,
  forbidden,
  invalid,
  type KindContext,
  notSupported,
  required,
  shown,
  validatePortOrName,
} from '../../machinery/index.ts';
import type { NetworkPolicy, Peer, Port } from './shape.ts';

const policyTypesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]networking.PolicyType' };

function portErrors({ protocol, port: number, endPort }: Port, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== 'TCP' && protocol !== 'UDP' && protocol !== 'SCTP')
    errors.push(notSupported(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']));
  if (number === undefined) {
    if (endPort !== undefined) errors.push(invalid(`${field}.endPort`, endPort, 'may not be specified when `port` is not specified'));
    return errors;
  }
  if (typeof number === 'string') {
    if (endPort !== undefined) errors.push(invalid(`${field}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...validatePortOrName(number, `${field}.port`)];
  }
  append(errors, validatePortOrName(number, `${field}.port`));
  if (endPort !== undefined) {
    if (endPort < number) errors.push(invalid(`${field}.endPort`, number, 'must be greater than or equal to `port`'));
    append(
      errors,
      isInRange(endPort, 1, 65_535).map((problem) => invalid(`${field}.endPort`, endPort, problem)),
    );
  }
  return errors;
}

function peerErrors({ podSelector, namespaceSelector, ipBlock: block }: Peer, field: string): FieldError[] {
  const errors: FieldError[] = [
    ...validateLabelSelector(podSelector, `${field}.podSelector`),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`),
  ];
  const selectors = [podSelector, namespaceSelector].filter((one) => one !== undefined).length;
  if (block !== undefined) {
    append(errors, validateIpBlock(block, `${field}.ipBlock`));
    if (selectors > 0) errors.push(forbidden(field, 'may not specify both ipBlock and another peer'));
  } else if (selectors === 0) errors.push(required(field, 'must specify a peer'));
  return errors;
}

export function specErrors({ spec }: NetworkPolicy): FieldError[] {
  const errors: FieldError[] = [...validateLabelSelector(spec.podSelector, 'spec.podSelector')];
  for (const [at, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    append(
      errors,
      ports.flatMap((one, i) => portErrors(one, `spec.ingress[${at}].ports[${i}]`)),
      from.flatMap((one, i) => peerErrors(one, `spec.ingress[${at}].from[${i}]`)),
    );
  }
  for (const [at, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    append(
      errors,
      ports.flatMap((one, i) => portErrors(one, `spec.egress[${at}].ports[${i}]`)),
      to.flatMap((one, i) => peerErrors(one, `spec.egress[${at}].to[${i}]`)),
    );
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2)
    return [...errors, invalid('spec.policyTypes', shown(types, policyTypesType), 'may not specify more than two policyTypes')];
  for (const [at, type] of types.entries())
    if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported(`spec.policyTypes[${at}]`, type, ['Ingress', 'Egress']));
  return errors;
}

/** Drops ends of port ranges while their gate is off, unless the stored policy has some. */
export function dropRanges({ spec }: Draft<NetworkPolicy>, old: NetworkPolicy | undefined, { gates }: KindContext): void {
  if (gates['NetworkPolicyEndPort'] !== false || portsOf(old?.spec).some(({ endPort }) => endPort !== undefined)) return;
  for (const port of portsOf(spec)) delete port.endPort;
}

type Direction<P> = readonly { readonly ports?: readonly P[] }[];
const portsOf = <P>(spec: { readonly ingress?: Direction<P>; readonly egress?: Direction<P> } | undefined): readonly P[] =>
  [...(spec?.ingress ?? []), ...(spec?.egress ?? [])].flatMap(({ ports = [] }) => ports);
