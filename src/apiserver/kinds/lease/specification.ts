/** Differences between the specification and v1.24 about Lease. Source: resource-api.md, "Lease". */
import type { Rule } from '../../machinery/index.ts';
import type { Lease } from './shape.ts';

export const leaseSpecification: readonly Rule<Lease>[] = [
  {
    name: 'lease/candidates-wait-its-duration',
    kind: 'Lease',
    field: 'spec.leaseDurationSeconds',
    statement: 'A candidate waits as long as the lease says since its last renewal was seen.',
    place: 'resource-api.md: Lease, spec.leaseDurationSeconds; States and transitions',
    recorded: "waits as long as the candidate's own settings say",
    does: 'candidates wait as long as the lease says; --leader-elect-lease-duration is what a holder writes there',
  },
  {
    name: 'lease/micro-time-has-six-digits',
    kind: 'Lease',
    field: 'spec.acquireTime, .renewTime',
    statement: 'A MicroTime is a Time with the precision of a microsecond.',
    place: 'resource-api.md: Conventions 5; Lease',
    recorded: 'refuses to read one that has not exactly six digits',
    does: 'read as v1.24 does, in either mode: the precision is in the text',
  },
];
