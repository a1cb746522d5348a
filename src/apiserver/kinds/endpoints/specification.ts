/** Where the specification asks more of Endpoints than v1.24 does. Source: resource-api.md, "Endpoints". */
import { duplicate, type Rule } from '../../vocabulary/index.ts';
import type { Endpoints } from './shape.ts';

export const endpointsSpecification: readonly Rule<Endpoints>[] = [
  {
    name: 'endpoints/ready-or-not',
    kind: 'Endpoints',
    field: 'subsets[].notReadyAddresses',
    statement: 'No address is in both lists of a subset.',
    place: 'resource-api.md: Endpoints, subsets.notReadyAddresses',
    recorded: 'takes it in both',
    member: 'subsets',
    check: ({ subsets }) =>
      (subsets ?? []).flatMap(({ addresses, notReadyAddresses }, at) => {
        const ready = new Set((addresses ?? []).map(({ ip }) => ip));
        return (notReadyAddresses ?? []).flatMap(({ ip }, i) =>
          ready.has(ip) ? [duplicate(`subsets[${at}].notReadyAddresses[${i}].ip`, ip)] : [],
        );
      }),
  },
];
