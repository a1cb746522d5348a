/** NetworkPolicy: allowed traffic of pods. Models: v1.24 networking/v1 NetworkPolicy, pkg/registry/networking/networkpolicy. */
import { field, filled, int32, intOrString, list, mapList, obj, ptr, req, str } from '../../schema/shape/index.ts';
import type { Complete, Infer } from '../../schema/shape/index.ts';
import { append, formatLabelSelector, validateIpBlock } from '../../schema/values/index.ts';
import { defineKind, keepSpec, keepStatus } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { condition, kindFields, labelSelector, type ObjectOf } from '../structs/index.ts';
import {
  absentErrors,
  facetErrors,
  forbidden,
  invalid,
  isCamelCaseOfDomain,
  ofEach,
  reasonErrors,
  required,
  shown,
  validateConditions,
} from '../validation/index.ts';

const ipBlock = obj('IPBlock', 'A range of addresses.', {
  cidr: field(1, 'The range.', req(str())),
  except: field(2, 'Excluded ranges within it.', list(str())),
});
const SELECTOR = { format: 'label selector' } as const;
const peer = obj('NetworkPolicyPeer', 'The other end of a connection.', {
  podSelector: field(1, "Pods, in the policy's namespace or in those that namespaceSelector selects.", labelSelector, SELECTOR),
  namespaceSelector: field(2, 'Namespaces; without podSelector: all their pods.', labelSelector, SELECTOR),
  ipBlock: field(3, 'Addresses; without the other members.', ipBlock),
});
type Peer = Infer<typeof peer>;
const port = obj('NetworkPolicyPort', 'A port or a range of ports.', {
  protocol: field(1, 'TCP, UDP or SCTP.', filled(ptr(str('Protocol')), 'TCP'), { among: ['TCP', 'UDP', 'SCTP'] }),
  port: field(2, 'A number, or the name of a port of the pod; absent: all.', ptr(intOrString), { format: 'port or port name' }),
  endPort: field(3, 'The end of a range that begins with port.', ptr(int32), { format: 'port', since: 'NetworkPolicyEndPort' }),
});
type Port = Infer<typeof port>;

/** Every policy applies to ingress, and one with egress rules also to egress. */
const complete: Complete = ({ policyTypes, egress }) => {
  if (policyTypes !== undefined) return undefined;
  return { policyTypes: egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] };
};

const networkPolicySchema = obj(
  'NetworkPolicy',
  'The allowed traffic of pods. Policies are additive; a pod that no policy selects has no restrictions.',
  kindFields({
    spec: obj(
      'NetworkPolicySpec',
      'The pods and their allowed traffic.',
      {
        podSelector: field(1, 'The pods; empty: all of the namespace.', req(labelSelector), SELECTOR),
        ingress: field(
          2,
          'Allowed incoming traffic; an empty list: none.',
          list(
            obj('NetworkPolicyIngressRule', 'Allowed incoming traffic: from one of the peers and to one of the ports.', {
              ports: field(1, 'Ports; absent or empty: all.', list(port)),
              from: field(2, 'Peers; absent or empty: all.', list(peer)),
            }),
          ),
        ),
        egress: field(
          3,
          'Allowed outgoing traffic; an empty list: none.',
          list(
            obj('NetworkPolicyEgressRule', 'Allowed outgoing traffic: to one of the peers and to one of the ports.', {
              ports: field(1, 'Ports; absent or empty: all.', list(port)),
              to: field(2, 'Peers; absent or empty: all.', list(peer)),
            }),
          ),
        ),
        policyTypes: field(
          4,
          'Ingress, Egress or both. Absent: Ingress, and Egress if there are egress rules.',
          list({ ...str('PolicyType'), among: ['Ingress', 'Egress'] } as ReturnType<typeof str>),
        ),
      },
      { complete },
    ),
    status: obj('NetworkPolicyStatus', 'The observed state of the policy.', {
      conditions: field(1, 'One condition for each type.', mapList(condition, 'type')),
    }),
  }),
);
/** A stored NetworkPolicy: defaulted, validated and frozen. */
export type NetworkPolicy = ObjectOf<'NetworkPolicy', Infer<typeof networkPolicySchema>>;

const SPEC = networkPolicySchema.fields.spec.fields;

function portErrors(one: Port, field: string): FieldError[] {
  const { port: number, endPort } = one;
  const errors = facetErrors(port, one, field, 'protocol');
  const refuse = (value: number, why: string): unknown => errors.push(invalid(`${field}.endPort`, value, why));
  if (endPort !== undefined && typeof number !== 'number')
    refuse(endPort, `may not be specified when \`port\` is ${number === undefined ? 'not specified' : 'non-numeric'}`);
  append(errors, facetErrors(port, one, field, 'port'));
  if (endPort === undefined || typeof number !== 'number') return errors;
  if (endPort < number) refuse(number, 'must be greater than or equal to `port`');
  return [...errors, ...facetErrors(port, one, field, 'endPort')];
}

function peerErrors(one: Peer, field: string): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock: block } = one;
  const errors = facetErrors(peer, one, field);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (block !== undefined) {
    append(errors, validateIpBlock(block, `${field}.ipBlock`));
    if (selects) errors.push(forbidden(field, 'may not specify both ipBlock and another peer'));
  } else if (!selects) errors.push(required(field, 'must specify a peer'));
  return errors;
}

const typesErrors = ({ spec }: NetworkPolicy): FieldError[] =>
  (spec.policyTypes ?? []).length > 2
    ? [invalid('spec.policyTypes', shown(spec.policyTypes, SPEC.policyTypes, 'networking'), 'may not specify more than two policyTypes')]
    : facetErrors(SPEC.policyTypes, spec.policyTypes, 'spec.policyTypes');

const ruleErrors = ({ spec }: NetworkPolicy): FieldError[] => [
  ...ofEach(spec.ingress, 'spec.ingress', ({ ports, from }, field) => [
    ...ofEach(ports, `${field}.ports`, portErrors),
    ...ofEach(from, `${field}.from`, peerErrors),
  ]),
  ...ofEach(spec.egress, 'spec.egress', ({ ports, to }, field) => [
    ...ofEach(ports, `${field}.ports`, portErrors),
    ...ofEach(to, `${field}.to`, peerErrors),
  ]),
];

const RULES = ['spec.podSelector', ruleErrors, typesErrors] as const;

export const networkPolicy = defineKind<NetworkPolicy>({
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  groupPrefix: 'networking',
  schema: networkPolicySchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft) {
    draft.status = {};
  },
  // While the gate of the status sub-resource is off, an ordinary update writes the status.
  prepareForUpdate(draft, old, { gates }) {
    if (gates['NetworkPolicyStatus'] === true) keepStatus(draft, old);
  },
  prepareForStatusUpdate(draft, old, { gates }) {
    keepSpec(draft, old);
    // The only field of the status has a gate.
    if (gates['NetworkPolicyStatus'] !== true && old.status.conditions === undefined) draft.status = {};
  },
  create: ['metadata', ...RULES],
  // Errors are found by the validation of creations, and again by that of updates.
  update: ['metadata', ...RULES, 'changed metadata', ...RULES],
  updateStatus: [({ status }) => validateConditions(status.conditions)],
  columns: [
    'Name',
    ['Pod-Selector', 'string', 'Pods that the policy applies to.', ({ spec }) => formatLabelSelector(spec.podSelector)],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/networking/networkpolicy, pkg/apis/networking/validation.',
  specification: [
    {
      name: 'network-policy/pod-selector-is-there',
      field: 'spec.podSelector',
      statement: 'A policy sets its podSelector; {} selects all pods.',
      recorded: 'accepts a policy without one, which then selects all pods',
      ofDocument: true,
      check: (_, { sent }) => absentErrors(sent, ['spec', 'podSelector']),
    },
    {
      name: 'network-policy/condition-types',
      field: 'status.conditions[].type',
      statement: 'The type of a condition is one CamelCase word, with an optional domain as prefix.',
      recorded: 'accepts any qualified name',
      check: ({ status }) =>
        (status.conditions ?? []).flatMap(({ type }, at) =>
          type === '' || isCamelCaseOfDomain(type)
            ? []
            : [
                invalid(
                  `status.conditions[${at}].type`,
                  type,
                  "must be one word in CamelCase, or that behind a domain, as in 'example.com/Accepted'",
                ),
              ],
        ),
    },
    {
      name: 'network-policy/condition-messages',
      field: 'status.conditions[].message',
      statement: 'A condition has a message, which may be empty.',
      recorded: 'fills in an empty one',
      asSent: true,
      check: (_, { sent }) => absentErrors(sent, ['status?', 'conditions[]', 'message']),
    },
    {
      name: 'network-policy/condition-reasons',
      field: 'status.conditions[].reason',
      statement: 'The reason of a condition is in CamelCase.',
      recorded: 'accepts letters of any case, digits, _, : and commas',
      check: ({ status }) => reasonErrors(status.conditions),
    },
    {
      name: 'network-policy/except-leaves-something',
      field: 'spec.ingress[].from[].ipBlock.except',
      statement: 'An except block outside the cidr is rejected.',
      place: 'IPBlock; Errors',
      recorded: 'also rejects one that equals the cidr',
      does: 'interpreted as v1.24 does, in either mode: an except block may not cover the whole cidr, since the peer would then match no address',
    },
  ],
});
