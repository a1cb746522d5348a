/** Protobuf field numbers of Namespaces, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const namespaceWire: Wire = {
  Namespace: 'metadata=1 spec=2 status=3',
  NamespaceCondition: 'type=1 status=2 lastTransitionTime=4 reason=5 message=6',
  NamespaceSpec: 'finalizers=1',
  NamespaceStatus: 'phase=1 conditions=2',
};
