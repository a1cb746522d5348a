/** Protobuf field numbers of Secrets, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const secretWire: Wire = {
  Secret: 'metadata=1 data=2 type=3 stringData=4 immutable=5',
};
