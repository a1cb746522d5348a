/** Protobuf field numbers of EndpointSlices, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const endpointSliceWire: Wire = {
  Endpoint: 'addresses=1 conditions=2 hostname=3 targetRef=4 deprecatedTopology=5 nodeName=6 zone=7 hints=8',
  EndpointConditions: 'ready=1 serving=2 terminating=3',
  EndpointHints: 'forZones=1',
  EndpointSlice: 'metadata=1 endpoints=2 ports=3 addressType=4',
  ForZone: 'name=1',
  'discovery/EndpointPort': 'name=1 protocol=2 port=3 appProtocol=4',
};
