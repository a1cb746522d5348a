/** Protobuf field numbers of NetworkPolicies, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const networkPolicyWire: Wire = {
  IPBlock: 'cidr=1 except=2',
  NetworkPolicy: 'metadata=1 spec=2 status=3',
  NetworkPolicyEgressRule: 'ports=1 to=2',
  NetworkPolicyIngressRule: 'ports=1 from=2',
  NetworkPolicyPeer: 'podSelector=1 namespaceSelector=2 ipBlock=3',
  NetworkPolicyPort: 'protocol=1 port=2 endPort=3',
  NetworkPolicySpec: 'podSelector=1 ingress=2 egress=3 policyTypes=4',
  NetworkPolicyStatus: 'conditions=1',
};
