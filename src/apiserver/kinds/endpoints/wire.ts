/** Protobuf field numbers of Endpoints, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const endpointsWire: Wire = {
  EndpointAddress: 'ip=1 targetRef=2 hostname=3 nodeName=4',
  EndpointPort: 'name=1 port=2 protocol=3 appProtocol=4',
  EndpointSubset: 'addresses=1 notReadyAddresses=2 ports=3',
  Endpoints: 'metadata=1 subsets=2',
};
