/** Lease: a time-limited lock held by an identity. Models: v1.24 coordination/v1 Lease, pkg/registry/coordination/lease. */
import { field, type Infer, int32, microTime, obj, ptr, str, count32 } from '../../schema/shape/index.ts';
import { defineKind } from '../machinery/index.ts';
import { kindFields, type ObjectOf } from '../structs/index.ts';

const leaseSchema = obj(
  'Lease',
  'A time-limited lock, for leader election and node heartbeats.',
  kindFields({
    spec: obj('LeaseSpec', 'The holder and its times.', {
      holderIdentity: field(1, 'The holder; empty: none.', ptr(str()), { column: ['Holder', 'Holder of the lease.'] }),
      leaseDurationSeconds: field(2, 'Seconds that candidates wait after the last observed renewal before they acquire it.', ptr(int32), {
        min: [1, 'must be greater than 0'],
      }),
      acquireTime: field(3, 'When the holder acquired it.', ptr(microTime)),
      renewTime: field(4, 'When the holder last renewed it.', ptr(microTime)),
      leaseTransitions: field(5, 'The number of changes of the holder.', ptr(count32)),
    }),
  }),
);
/** A stored Lease: defaulted, validated and frozen. */
export type Lease = ObjectOf<'Lease', Infer<typeof leaseSchema>>;

export const lease = defineKind<Lease>({
  groupPrefix: 'coordination',
  schema: leaseSchema,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  create: ['metadata', 'spec'],
  update: ['changed metadata', 'spec'],
  models: 'Complete. Upstream: pkg/registry/coordination/lease, pkg/apis/coordination/validation.',
  specification: [
    {
      name: 'lease/candidates-wait-its-duration',
      field: 'spec.leaseDurationSeconds',
      statement: 'A candidate waits for the leaseDurationSeconds of the lease after it observed the last renewal.',
      place: 'spec.leaseDurationSeconds; States and transitions',
      recorded: "waits for the duration of the candidate's own settings",
      does: 'candidates wait for the duration in the lease; --leader-elect-lease-duration is the value that a holder writes there',
    },
    {
      name: 'lease/micro-time-has-six-digits',
      field: 'spec.acquireTime, .renewTime',
      statement: 'A MicroTime is a Time with microsecond precision.',
      place: 'resource-api.md: Conventions 5; Lease',
      recorded: 'refuses one that does not have exactly six fractional digits',
      does: 'interpreted as v1.24 does, in either mode: the text states the precision',
    },
  ],
});
