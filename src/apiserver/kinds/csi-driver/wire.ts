/** Protobuf field numbers of CSIDrivers, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const csiDriverWire: Wire = {
  CSIDriver: 'metadata=1 spec=2',
  CSIDriverSpec:
    'attachRequired=1 podInfoOnMount=2 volumeLifecycleModes=3 storageCapacity=4 fsGroupPolicy=5 tokenRequests=6 requiresRepublish=7',
  TokenRequest: 'audience=1 expirationSeconds=2',
  'authentication/TokenRequest': 'metadata=1 spec=2 status=3',
};
