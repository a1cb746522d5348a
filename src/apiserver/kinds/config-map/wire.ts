/** Protobuf field numbers of ConfigMaps, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const configMapWire: Wire = {
  ConfigMap: 'metadata=1 data=2 binaryData=3 immutable=4',
};
