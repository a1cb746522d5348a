/** The schema of Nodes: fields, types, and the defaults that depend only on the object. */
import {
  always,
  bool,
  type Complete,
  type Fieldset,
  type Infer,
  int32,
  int64,
  list,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { type Names, type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const taint = obj('Taint', 'Keeps pods away.', {
  key: field(1, 'Its name.', req(str())),
  value: field(2, 'Its value.', str()),
  effect: field(
    3,
    'NoSchedule: none is put here. PreferNoSchedule: rather not. NoExecute: those that are here have to go too.',
    oneOf(req(str('TaintEffect')), ['NoExecute', 'NoSchedule', 'PreferNoSchedule']),
  ),
  timeAdded: field(4, 'Since when, for NoExecute.', ptr(time)),
});
export type Taint = Infer<typeof taint>;

const nodeCondition = obj('NodeCondition', 'How it stands with the machine. Unknown: its agent has been silent.', {
  type: field(
    1,
    'What is judged: Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable. One condition a type.',
    req(str('NodeConditionType')),
  ),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastHeartbeatTime: field(3, 'When the agent last reported it.', always(time)),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', always(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(6, 'Why, as a sentence, for people.', str()),
});
export type NodeCondition = Infer<typeof nodeCondition>;

/** The older single field sets the first item of the newer list, and takes precedence. */
const completeRanges: Complete = ({ podCIDR, podCIDRs }) => {
  const first = (podCIDRs as readonly string[] | undefined)?.[0];
  if (podCIDR === undefined) return first === undefined ? undefined : { podCIDR: first };
  return first === podCIDR ? undefined : { podCIDRs: [podCIDR] };
};

const volumeName = str('UniqueVolumeName');
const address = obj('NodeAddress', 'How it is reached.', {
  type: field(1, 'Hostname, InternalIP or ExternalIP.', req(str('NodeAddressType'))),
  address: field(2, 'The address.', req(str())),
});
const image = obj('ContainerImage', 'An image.', {
  names: field(1, 'Its names.', always(list(str()))),
  sizeBytes: field(2, 'Its size.', int64),
});
const attachedVolume = obj('AttachedVolume', 'A volume.', {
  name: field(1, 'Its name, with its plug-in.', req(volumeName)),
  devicePath: field(2, 'Where it can be found.', req(str())),
});

const configSourceFor = ({ fields }: Names) =>
  obj('NodeConfigSource', 'Deprecated: where the agent reads its configuration.', {
    configMap: field(
      2,
      'In a ConfigMap.',
      obj('ConfigMapNodeConfigSource', "Deprecated: a ConfigMap with the agent's configuration.", {
        namespace: field(1, 'Its namespace.', req(str())),
        name: field(2, 'Its name.', req(str())),
        uid: field(3, 'Only in a status.', str('types.UID')),
        resourceVersion: field(4, 'Only in a status.', str()),
        [fields.agentConfigKey]: field(5, 'Which of its entries.', req(str())),
      }),
    ),
  });

function systemInfoFor({ fields }: Names) {
  const facts: readonly (readonly [name: string, text: string])[] = [
    ['machineID', 'Distinguishes the machine from others.'],
    ['systemUUID', 'The identifier of the hardware.'],
    ['bootID', 'Changes when the machine starts.'],
    ['kernelVersion', 'The version of the kernel.'],
    ['osImage', 'The operating system with its version.'],
    ['containerRuntimeVersion', 'The container runtime with its version.'],
    [fields.agentVersion, 'The version of the agent.'],
    [fields.proxyVersion, 'The version of the proxy.'],
    ['operatingSystem', 'Such as linux.'],
    ['architecture', 'Such as amd64.'],
  ];
  const info: Record<string, ReturnType<typeof req<ReturnType<typeof str>>>> = {};
  for (const [at, [name, text]] of facts.entries()) info[name] = field(at + 1, text, req(str()));
  return obj('NodeSystemInfo', 'What it is.', info);
}

function daemonEndpointsFor({ fields }: Names) {
  const endpoints: Fieldset = {
    [fields.agentEndpoint]: field(
      1,
      'Where the agent listens.',
      always(obj('DaemonEndpoint', 'A port.', { Port: field(1, 'Its number.', req(int32)) })),
    ),
  };
  return obj('NodeDaemonEndpoints', 'Ports of its agent.', endpoints);
}

const configStatusOf = (configSource: ReturnType<typeof configSourceFor>) =>
  obj('NodeConfigStatus', 'Deprecated: how far a new configuration is.', {
    assigned: field(1, 'The one it is to use.', configSource),
    active: field(2, 'The one it uses.', configSource),
    lastKnownGood: field(3, 'The one it goes back to: what was assigned and has been active for ten minutes.', configSource),
    error: field(4, 'What is wrong with the assigned one.', str()),
  });

export const schemaFor = (names: Names) => {
  const configSource = configSourceFor(names);
  return obj('Node', 'A machine that runs pods.', {
    ...typeMeta,
    spec: field(
      2,
      always(
        obj(
          'NodeSpec',
          'What the cluster decided about the machine.',
          {
            podCIDR: field(1, 'Addresses for its pods.', str()),
            podCIDRs: field(7, 'The same, at most one range a family; the first is podCIDR.', mergeList(str(), '', 'merge')),
            providerID: field(3, 'How the cloud calls it: PROVIDER://ID.', str()),
            unschedulable: field(4, 'True: no further pods are put here.', bool),
            taints: field(5, 'Keeps pods away that do not tolerate them.', list(taint)),
            configSource: field(6, 'Deprecated: where its agent reads its configuration.', configSource),
            externalID: field(2, 'Deprecated.', str()),
          },
          { complete: completeRanges },
        ),
      ),
    ),
    status: field(
      3,
      always(
        obj('NodeStatus', 'What its agent reports.', {
          capacity: field(1, 'What it has. By resource: cpu, memory, pods and so on.', resourceList),
          allocatable: field(2, 'What pods may have of it. By resource: cpu, memory, pods and so on.', resourceList),
          phase: field(3, 'Never filled.', oneOf(str('NodePhase'), ['Pending', 'Running', 'Terminated'])),
          conditions: field(4, 'Ready and what could be wrong.', mergeList(nodeCondition, 'type')),
          addresses: field(5, 'How it is reached.', mergeList(address, 'type')),
          daemonEndpoints: field(6, 'Ports of its agent.', always(daemonEndpointsFor(names))),
          nodeInfo: field(7, 'What it is.', always(systemInfoFor(names))),
          images: field(8, 'Images it has.', list(image)),
          volumesInUse: field(9, 'Attachable volumes that pods use; they must not be detached.', list(volumeName)),
          volumesAttached: field(10, 'Volumes that are attached to it.', list(attachedVolume)),
          config: field(11, 'Deprecated: how far a new configuration of the agent is.', configStatusOf(configSource)),
        }),
      ),
    ),
  });
};

/** A stored Node: defaulted, validated and frozen. */
export type Node = ObjectOf<'Node', Infer<ReturnType<typeof schemaFor>>>;
