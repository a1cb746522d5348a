/** The schema of Leases: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, int32, microTime, obj, ptr, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const leaseSchema = obj('Lease', {
  ...typeMeta,
  spec: always(
    obj('LeaseSpec', {
      holderIdentity: ptr(str()),
      leaseDurationSeconds: ptr(int32),
      acquireTime: ptr(microTime),
      renewTime: ptr(microTime),
      leaseTransitions: ptr(int32),
    }),
  ),
});
/** A stored Lease: defaulted, validated and frozen. */
export type Lease = ObjectOf<'Lease', Infer<typeof leaseSchema>>;
