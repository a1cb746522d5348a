/** Rules of the specification for NetworkPolicies that v1.24 does not have. Source: resource-api.md, "NetworkPolicy". */
import { absentErrors, invalid, isCamelCaseOfDomain, reasonErrors, type Rule } from '../../machinery/index.ts';
import type { NetworkPolicy } from './shape.ts';

const PLACE = 'resource-api.md: NetworkPolicy';

export const networkPolicySpecification: readonly Rule<NetworkPolicy>[] = [
  {
    name: 'network-policy/pod-selector-is-there',
    kind: 'NetworkPolicy',
    field: 'spec.podSelector',
    statement: 'A policy says which pods it is for, if only that it is for all ({}).',
    place: `${PLACE}, spec.podSelector`,
    recorded: 'takes a policy without one as one for all pods',
    check: (_, { sent }) => absentErrors(sent, ['spec', 'podSelector']),
  },
  {
    name: 'network-policy/condition-types',
    kind: 'NetworkPolicy',
    field: 'status.conditions[].type',
    statement: 'The type of a condition is one word in CamelCase, or that behind a domain.',
    place: `${PLACE}, status.conditions`,
    recorded: 'takes any qualified name',
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
    statement: 'A condition has a message, if only an empty one.',
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
    statement: 'The reason of a condition is CamelCase.',
    place: `${PLACE}, status.conditions`,
    recorded: 'takes letters, digits, _, : and commas in any case',
    member: 'status',
    check: ({ status }) => reasonErrors(status.conditions),
  },
  {
    name: 'network-policy/except-leaves-something',
    kind: 'NetworkPolicy',
    field: 'spec.ingress[].from[].ipBlock.except',
    statement: 'An exception outside the cidr is rejected.',
    place: 'resource-api.md: NetworkPolicy, IPBlock; Errors',
    recorded: 'rejects one that is all of the cidr too',
    does: 'read as v1.24 does, in either mode: an exception leaves something of the block, else the peer would be nobody',
  },
];
