/** Protobuf field numbers of Leases, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const leaseWire: Wire = {
  Lease: 'metadata=1 spec=2',
  LeaseSpec: 'holderIdentity=1 leaseDurationSeconds=2 acquireTime=3 renewTime=4 leaseTransitions=5',
};
