/** The schema of Leases: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, microTime, obj, ptr, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const leaseSchema = obj('Lease', 'A lock that somebody holds for a time: who leads, or which node is alive.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('LeaseSpec', 'Who holds it, since when, for how long.', {
        holderIdentity: field(1, 'Who holds it; empty: nobody does.', ptr(str())),
        leaseDurationSeconds: field(2, 'How long candidates wait, from the last renewal they have seen, before they take it.', ptr(int32)),
        acquireTime: field(3, 'When the holder took it.', ptr(microTime)),
        renewTime: field(4, 'When the holder last said that it is there.', ptr(microTime)),
        leaseTransitions: field(5, 'How often it has changed hands.', ptr(int32)),
      }),
    ),
  ),
});
/** A stored Lease: defaulted, validated and frozen. */
export type Lease = ObjectOf<'Lease', Infer<typeof leaseSchema>>;
