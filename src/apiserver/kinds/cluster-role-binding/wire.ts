/** Protobuf field numbers of ClusterRoleBindings, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const clusterRoleBindingWire: Wire = {
  ClusterRoleBinding: 'metadata=1 subjects=2 roleRef=3',
};
