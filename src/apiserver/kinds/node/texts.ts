/** Descriptions of Nodes and their fields, in our words. Source: spec, "Node". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';
const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

export const nodeTexts: Texts = {
  Node: { '': 'A machine that runs pods.' },
  NodeSpec: {
    '': 'Settings of the cluster for the machine.',
    podCIDR: 'The address range of its pods.',
    podCIDRs: 'At most one range for each IP family; the first equals podCIDR.',
    providerID: 'Its id at the cloud provider: PROVIDER://ID.',
    unschedulable: 'True: no further pods are scheduled to it.',
    taints: 'Repel pods that do not tolerate them.',
    configSource: "Deprecated: the source of its agent's configuration.",
    externalID: 'Deprecated.',
  },
  Taint: {
    '': 'Repels pods that do not tolerate it.',
    key: 'Its name.',
    value: 'Its value.',
    effect: 'NoSchedule: no pods are scheduled. PreferNoSchedule: they are avoided. NoExecute: running pods are evicted, too.',
    timeAdded: 'When it was added, for NoExecute.',
  },
  NodeConfigSource: { '': "Deprecated: the source of the agent's configuration.", configMap: 'A ConfigMap.' },
  ConfigMapNodeConfigSource: {
    '': "Deprecated: a ConfigMap with the agent's configuration.",
    namespace: 'Its namespace.',
    name: 'Its name.',
    uid: 'Only in a status.',
    resourceVersion: 'Only in a status.',
    kubeletConfigKey: 'The key of the entry.',
    agentConfigKey: 'The key of the entry.',
  },
  NodeStatus: {
    '': 'The report of its agent.',
    capacity: `Its total resources. ${AMOUNTS}`,
    allocatable: `Its resources for pods. ${AMOUNTS}`,
    phase: 'Not used.',
    conditions: 'Readiness and problems.',
    addresses: 'Its addresses.',
    daemonEndpoints: 'Ports of its agent.',
    nodeInfo: 'General information about it.',
    images: 'Its container images.',
    volumesInUse: 'Attachable volumes in use by pods; they must not be detached.',
    volumesAttached: 'Volumes that are attached to it.',
    config: "Deprecated: the state of the agent's configuration.",
  },
  NodeCondition: {
    ...conditionTexts(
      'A condition of the machine. Unknown: its agent does not report.',
      'Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable',
    ),
    lastHeartbeatTime: 'When the agent last reported the condition.',
  },
  NodeAddress: { '': 'Its addresses.', type: 'Hostname, InternalIP or ExternalIP.', address: 'The address.' },
  NodeDaemonEndpoints: {
    '': 'Ports of its agent.',
    kubeletEndpoint: 'The port of the agent.',
    agentEndpoint: 'The port of the agent.',
  },
  DaemonEndpoint: { '': 'A port.', Port: 'Its number.' },
  NodeSystemInfo: {
    '': 'General information about it.',
    machineID: 'The id of the machine.',
    systemUUID: 'The id of the hardware.',
    bootID: 'The id of this boot.',
    kernelVersion: 'The kernel version.',
    osImage: 'The operating system image.',
    containerRuntimeVersion: 'The container runtime.',
    kubeletVersion: 'The version of its agent.',
    agentVersion: 'The version of its agent.',
    kubeProxyVersion: 'The version of its proxy.',
    orchProxyVersion: 'The version of its proxy.',
    operatingSystem: 'Such as linux.',
    architecture: 'Such as amd64.',
  },
  ContainerImage: { '': 'An image.', names: 'Its names.', sizeBytes: 'Its size.' },
  AttachedVolume: { '': 'A volume.', name: 'Its name, including the plug-in.', devicePath: 'The path of its device.' },
  NodeConfigStatus: {
    '': 'Deprecated: the state of the configuration.',
    assigned: 'The assigned configuration.',
    active: 'The configuration in use.',
    lastKnownGood: 'The fallback: the last assigned configuration that was active for ten minutes.',
    error: 'The error of the assigned configuration.',
  },
};

/** Fields with a closed set of values, sorted. */
export const nodeValues: Values = {
  NodeStatus: { phase: ['Pending', 'Running', 'Terminated'] },
  Taint: { effect: EFFECTS },
};
