/** NetworkPolicy: traffic that pods may have. Models: v1.24 networking/v1 NetworkPolicy, pkg/registry/networking/networkpolicy. */
import { always, filled, int32, intOrString, list, mapList, obj, ptr, req, str, type Complete, type Infer } from '../../schema/index.ts';
import { formatLabelSelector, isInRange, validateIpBlock, validateLabelSelector, type GoType } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { Draft, KindContext } from '../kind.ts';
import { condition, labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { validatePortOrName } from '../validation/probes.ts';
import { validateConditions } from '../validation/conditions.ts';
import { forbidden, invalid, notSupported, required } from '../validation/field-errors.ts';
import { shown } from '../validation/go-shapes.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

const ipBlock = obj('IPBlock', { cidr: req(str()), except: list(str()) });
const peer = obj('NetworkPolicyPeer', { podSelector: labelSelector, namespaceSelector: labelSelector, ipBlock });
type Peer = Infer<typeof peer>;
const port = obj('NetworkPolicyPort', { protocol: filled(ptr(str('Protocol')), 'TCP'), port: ptr(intOrString), endPort: ptr(int32) });
type Port = Infer<typeof port>;

/** Every policy isolates for traffic in, and one that speaks of traffic out for that too. */
const complete: Complete = ({ policyTypes, egress }) => {
  if (policyTypes !== undefined) return undefined;
  return { policyTypes: egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] };
};

export const networkPolicySchema = obj('NetworkPolicy', {
  ...typeMeta,
  spec: always(obj('NetworkPolicySpec', {
    podSelector: req(labelSelector),
    ingress: list(obj('NetworkPolicyIngressRule', { ports: list(port), from: list(peer) })),
    egress: list(obj('NetworkPolicyEgressRule', { ports: list(port), to: list(peer) })),
    policyTypes: list(str('PolicyType')),
  }, { complete })),
  status: always(obj('NetworkPolicyStatus', { conditions: mapList(condition, 'type') })),
});
export type NetworkPolicy = ObjectOf<'NetworkPolicy', Infer<typeof networkPolicySchema>>;

const policyTypesType: GoType = { type: 'list', of: { type: 'string' }, name: '[]networking.PolicyType' };

function portErrors({ protocol, port: number, endPort }: Port, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== 'TCP' && protocol !== 'UDP' && protocol !== 'SCTP') errors.push(notSupported(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']));
  if (number === undefined) {
    if (endPort !== undefined) errors.push(invalid(`${field}.endPort`, endPort, 'may not be specified when `port` is not specified'));
    return errors;
  }
  if (typeof number === 'string') {
    if (endPort !== undefined) errors.push(invalid(`${field}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    return [...errors, ...validatePortOrName(number, `${field}.port`)];
  }
  errors.push(...validatePortOrName(number, `${field}.port`));
  if (endPort !== undefined) {
    if (endPort < number) errors.push(invalid(`${field}.endPort`, number, 'must be greater than or equal to `port`'));
    errors.push(...isInRange(endPort, 1, 65_535).map((problem) => invalid(`${field}.endPort`, endPort, problem)));
  }
  return errors;
}

function peerErrors({ podSelector, namespaceSelector, ipBlock: block }: Peer, field: string): FieldError[] {
  const errors: FieldError[] = [...validateLabelSelector(podSelector, `${field}.podSelector`), ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`)];
  const selectors = [podSelector, namespaceSelector].filter((one) => one !== undefined).length;
  if (block !== undefined) {
    errors.push(...validateIpBlock(block, `${field}.ipBlock`));
    if (selectors > 0) errors.push(forbidden(field, 'may not specify both ipBlock and another peer'));
  } else if (selectors === 0) errors.push(required(field, 'must specify a peer'));
  return errors;
}

function specErrors({ spec }: NetworkPolicy): FieldError[] {
  const errors: FieldError[] = [...validateLabelSelector(spec.podSelector, 'spec.podSelector')];
  for (const [at, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    errors.push(...ports.flatMap((one, i) => portErrors(one, `spec.ingress[${at}].ports[${i}]`)), ...from.flatMap((one, i) => peerErrors(one, `spec.ingress[${at}].from[${i}]`)));
  }
  for (const [at, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    errors.push(...ports.flatMap((one, i) => portErrors(one, `spec.egress[${at}].ports[${i}]`)), ...to.flatMap((one, i) => peerErrors(one, `spec.egress[${at}].to[${i}]`)));
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) return [...errors, invalid('spec.policyTypes', shown(types, policyTypesType), 'may not specify more than two policyTypes')];
  for (const [at, type] of types.entries()) if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported(`spec.policyTypes[${at}]`, type, ['Ingress', 'Egress']));
  return errors;
}

const portsOf = ({ spec }: NetworkPolicy): readonly Port[] => [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ ports = [] }) => ports);

/** Ends of ranges go while their gate is off, unless the policy had some before. */
function dropRanges(draft: Draft, old: NetworkPolicy | undefined, { gates }: KindContext): void {
  const policy = readDraft<NetworkPolicy>(draft);
  const ranges = (of: NetworkPolicy | undefined): boolean => of !== undefined && portsOf(of).some(({ endPort }) => endPort !== undefined);
  if (gates['NetworkPolicyEndPort'] !== false || !ranges(policy) || ranges(old)) return;
  const without = <R extends { readonly ports?: readonly Port[] }>(rules: readonly R[]): readonly R[] =>
    rules.map((rule) => (rule.ports === undefined ? rule : { ...rule, ports: rule.ports.map(({ endPort: _, ...rest }) => rest) }));
  const { ingress, egress } = policy.spec;
  draft['spec'] = { ...policy.spec, ...(ingress === undefined ? {} : { ingress: without(ingress) }), ...(egress === undefined ? {} : { egress: without(egress) }) };
}

export const networkPolicy = defineKind<NetworkPolicy>({
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: true,
  schema: networkPolicySchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft, context) {
    draft['status'] = {};
    dropRanges(draft, undefined, context);
  },
  // While the status has no sub-resource of its own to protect (its gate is off), a replace writes it.
  prepareForUpdate(draft, old, context) {
    if (context.gates['NetworkPolicyStatus'] === true) draft['status'] = old['status'];
    dropRanges(draft, old, context);
  },
  prepareForStatusUpdate(draft, old, { gates }) {
    draft['spec'] = old['spec'];
    // Its one field has a gate.
    if (gates['NetworkPolicyStatus'] !== true && old.status.conditions === undefined) draft['status'] = {};
  },
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate(object, old, context) {
    const own = specErrors(object);
    // What is wrong is found by the rules of creation and again by those of a change.
    return [...validateMeta(object, true, subdomainName, context), ...own, ...validateMetaUpdate(object, old, context), ...own];
  },
  validateStatusUpdate: (object) => validateConditions(object.status.conditions),
  columns: [nameColumn, { name: 'Pod-Selector', type: 'string', description: 'Pods the policy is about.', priority: 0, cell: (object) => formatLabelSelector(object.spec.podSelector) }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/networking/networkpolicy, pkg/apis/networking/validation.',
});
