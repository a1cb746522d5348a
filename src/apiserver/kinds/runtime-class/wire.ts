/** Protobuf field numbers of RuntimeClasses, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const runtimeClassWire: Wire = {
  Overhead: 'podFixed=1',
  RuntimeClass: 'metadata=1 handler=2 overhead=3 scheduling=4',
  Scheduling: 'nodeSelector=1 tolerations=2',
};
