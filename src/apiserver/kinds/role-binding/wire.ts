/** Protobuf field numbers of RoleBindings, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const roleBindingWire: Wire = {
  RoleBinding: 'metadata=1 subjects=2 roleRef=3',
};
