/** Protobuf field numbers of Services, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const serviceWire: Wire = {
  ClientIPConfig: 'timeoutSeconds=1',
  Service: 'metadata=1 spec=2 status=3',
  ServicePort: 'name=1 protocol=2 port=3 targetPort=4 nodePort=5 appProtocol=6',
  ServiceSpec:
    'ports=1 selector=2 clusterIP=3 type=4 externalIPs=5 sessionAffinity=7 loadBalancerIP=8 loadBalancerSourceRanges=9 externalName=10 externalTrafficPolicy=11 healthCheckNodePort=12 publishNotReadyAddresses=13 sessionAffinityConfig=14 ipFamilyPolicy=17 clusterIPs=18 ipFamilies=19 allocateLoadBalancerNodePorts=20 loadBalancerClass=21 internalTrafficPolicy=22',
  ServiceStatus: 'loadBalancer=1 conditions=2',
  SessionAffinityConfig: 'clientIP=1',
};
