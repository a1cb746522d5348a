/** Differences between the specification and v1.24 about Lease. Source: resource-api.md, "Lease". */
import type { Rule } from '../../machinery/index.ts';
import type { Lease } from './shape.ts';

export const leaseSpecification: readonly Rule<Lease>[] = [
  {
    name: 'lease/candidates-wait-its-duration',
    kind: 'Lease',
    field: 'spec.leaseDurationSeconds',
    statement: 'A candidate waits for the leaseDurationSeconds of the lease after it observed the last renewal.',
    place: 'resource-api.md: Lease, spec.leaseDurationSeconds; States and transitions',
    recorded: "waits for the duration of the candidate's own settings",
    does: 'candidates wait for the duration in the lease; --leader-elect-lease-duration is the value that a holder writes there',
  },
  {
    name: 'lease/micro-time-has-six-digits',
    kind: 'Lease',
    field: 'spec.acquireTime, .renewTime',
    statement: 'A MicroTime is a Time with microsecond precision.',
    place: 'resource-api.md: Conventions 5; Lease',
    recorded: 'refuses one that does not have exactly six fractional digits',
    does: 'interpreted as v1.24 does, in either mode: the text states the precision',
  },
];
