/** Protobuf field numbers of Nodes, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const nodeWire: Wire = {
  AttachedVolume: 'name=1 devicePath=2',
  ConfigMapNodeConfigSource: 'namespace=1 name=2 uid=3 resourceVersion=4 kubeletConfigKey=5',
  ContainerImage: 'names=1 sizeBytes=2',
  DaemonEndpoint: 'Port=1',
  Node: 'metadata=1 spec=2 status=3',
  NodeAddress: 'type=1 address=2',
  NodeCondition: 'type=1 status=2 lastHeartbeatTime=3 lastTransitionTime=4 reason=5 message=6',
  NodeConfigSource: 'configMap=2',
  NodeConfigStatus: 'assigned=1 active=2 lastKnownGood=3 error=4',
  NodeDaemonEndpoints: 'kubeletEndpoint=1',
  NodeSpec: 'podCIDR=1 externalID=2 providerID=3 unschedulable=4 taints=5 configSource=6 podCIDRs=7',
  NodeStatus:
    'capacity=1 allocatable=2 phase=3 conditions=4 addresses=5 daemonEndpoints=6 nodeInfo=7 images=8 volumesInUse=9 volumesAttached=10 config=11',
  NodeSystemInfo:
    'machineID=1 systemUUID=2 bootID=3 kernelVersion=4 osImage=5 containerRuntimeVersion=6 kubeletVersion=7 kubeProxyVersion=8 operatingSystem=9 architecture=10',
  Taint: 'key=1 value=2 effect=3 timeAdded=4',
};
