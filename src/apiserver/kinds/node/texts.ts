/** Descriptions of Nodes and their fields, in our words. Source: spec, "Node". */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';

const AMOUNTS = 'By resource: cpu, memory, pods and so on.';
const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

export const nodeTexts: Texts = {
  Node: { '': 'A machine that runs pods.' },
  NodeSpec: {
    '': 'What the cluster decided about the machine.',
    podCIDR: 'Addresses for its pods.',
    podCIDRs: 'The same, at most one range a family; the first is podCIDR.',
    providerID: 'How the cloud calls it: PROVIDER://ID.',
    unschedulable: 'True: no further pods are put here.',
    taints: 'Keeps pods away that do not tolerate them.',
    configSource: 'Deprecated: where its agent reads its configuration.',
    externalID: 'Deprecated.',
  },
  Taint: {
    '': 'Keeps pods away.',
    key: 'Its name.',
    value: 'Its value.',
    effect: 'NoSchedule: none is put here. PreferNoSchedule: rather not. NoExecute: those that are here have to go too.',
    timeAdded: 'Since when, for NoExecute.',
  },
  NodeConfigSource: { '': 'Deprecated: where the agent reads its configuration.', configMap: 'In a ConfigMap.' },
  ConfigMapNodeConfigSource: {
    '': "Deprecated: a ConfigMap with the agent's configuration.",
    namespace: 'Its namespace.',
    name: 'Its name.',
    uid: 'Only in a status.',
    resourceVersion: 'Only in a status.',
    kubeletConfigKey: 'Which of its entries.',
    agentConfigKey: 'Which of its entries.',
  },
  NodeStatus: {
    '': 'What its agent reports.',
    capacity: `What it has. ${AMOUNTS}`,
    allocatable: `What pods may have of it. ${AMOUNTS}`,
    phase: 'Never filled.',
    conditions: 'Ready and what could be wrong.',
    addresses: 'How it is reached.',
    daemonEndpoints: 'Ports of its agent.',
    nodeInfo: 'What it is.',
    images: 'Images it has.',
    volumesInUse: 'Attachable volumes that pods use; they must not be detached.',
    volumesAttached: 'Volumes that are attached to it.',
    config: 'Deprecated: how far a new configuration of the agent is.',
  },
  NodeCondition: {
    ...conditionTexts(
      'How it stands with the machine. Unknown: its agent has been silent.',
      'Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable',
    ),
    lastHeartbeatTime: 'When the agent last reported it.',
  },
  NodeAddress: { '': 'How it is reached.', type: 'Hostname, InternalIP or ExternalIP.', address: 'The address.' },
  NodeDaemonEndpoints: {
    '': 'Ports of its agent.',
    kubeletEndpoint: 'Where the agent listens.',
    agentEndpoint: 'Where the agent listens.',
  },
  DaemonEndpoint: { '': 'A port.', Port: 'Its number.' },
  NodeSystemInfo: {
    '': 'What it is.',
    machineID: 'Distinguishes it from others.',
    systemUUID: 'Of the hardware.',
    bootID: 'Changes when it starts.',
    kernelVersion: 'Its kernel.',
    osImage: 'Its system.',
    containerRuntimeVersion: 'What runs its containers.',
    kubeletVersion: 'Its agent.',
    agentVersion: 'Its agent.',
    kubeProxyVersion: 'Its proxy.',
    orchProxyVersion: 'Its proxy.',
    operatingSystem: 'Such as linux.',
    architecture: 'Such as amd64.',
  },
  ContainerImage: { '': 'An image.', names: 'Its names.', sizeBytes: 'Its size.' },
  AttachedVolume: { '': 'A volume.', name: 'Its name, with its plug-in.', devicePath: 'Where it can be found.' },
  NodeConfigStatus: {
    '': 'Deprecated: how far a new configuration is.',
    assigned: 'The one it is to use.',
    active: 'The one it uses.',
    lastKnownGood: 'The one it goes back to: what was assigned and has been active for ten minutes.',
    error: 'What is wrong with the assigned one.',
  },
};

/** Fields with a closed set of values, sorted. */
export const nodeValues: Values = {
  NodeStatus: { phase: ['Pending', 'Running', 'Terminated'] },
  Taint: { effect: EFFECTS },
};
