/** Rules of the specification for NetworkPolicies that v1.24 does not have. Source: resource-api.md, "NetworkPolicy". */
import { absentErrors, invalid, isCamelCaseOfDomain, reasonErrors, type Rule } from '../../machinery/index.ts';
import type { NetworkPolicy } from './shape.ts';

const PLACE = 'resource-api.md: NetworkPolicy';

export const networkPolicySpecification: readonly Rule<NetworkPolicy>[] = [
  {
    name: 'network-policy/pod-selector-is-there',
    kind: 'NetworkPolicy',
    field: 'spec.podSelector',
    statement: 'A policy sets its podSelector; {} selects all pods.',
    place: `${PLACE}, spec.podSelector`,
    recorded: 'accepts a policy without one, which then selects all pods',
    check: (_, { sent }) => absentErrors(sent, ['spec', 'podSelector']),
  },
  {
    name: 'network-policy/condition-types',
    kind: 'NetworkPolicy',
    field: 'status.conditions[].type',
    statement: 'The type of a condition is one CamelCase word, with an optional domain as prefix.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts any qualified name',
    member: 'status',
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
    kind: 'NetworkPolicy',
    field: 'status.conditions[].message',
    statement: 'A condition has a message, which may be empty.',
    place: `${PLACE}, status.conditions`,
    recorded: 'fills in an empty one',
    member: 'status',
    asSent: true,
    check: (_, { sent }) => absentErrors(sent, ['status?', 'conditions[]', 'message']),
  },
  {
    name: 'network-policy/condition-reasons',
    kind: 'NetworkPolicy',
    field: 'status.conditions[].reason',
    statement: 'The reason of a condition is in CamelCase.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts letters of any case, digits, _, : and commas',
    member: 'status',
    check: ({ status }) => reasonErrors(status.conditions),
  },
  {
    name: 'network-policy/except-leaves-something',
    kind: 'NetworkPolicy',
    field: 'spec.ingress[].from[].ipBlock.except',
    statement: 'An except block outside the cidr is rejected.',
    place: 'resource-api.md: NetworkPolicy, IPBlock; Errors',
    recorded: 'also rejects one that equals the cidr',
    does: 'interpreted as v1.24 does, in either mode: an except block may not cover the whole cidr, since the peer would then match no address',
  },
];
