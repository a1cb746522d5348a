/** Protobuf field numbers of ClusterRoles, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const clusterRoleWire: Wire = {
  AggregationRule: 'clusterRoleSelectors=1',
  ClusterRole: 'metadata=1 rules=2 aggregationRule=3',
};
