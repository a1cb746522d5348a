/** Protobuf field numbers of IngressClasses, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const ingressClassWire: Wire = {
  IngressClass: 'metadata=1 spec=2',
  IngressClassParametersReference: 'apiGroup=1 kind=2 name=3 scope=4 namespace=5',
  IngressClassSpec: 'controller=1 parameters=2',
};
