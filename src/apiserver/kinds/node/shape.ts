/** The schema of Nodes: fields, types, and the defaults that depend only on the object. */
import { always, bool, field, int32, int64, list, mergeList, obj, oneOf, ptr, req, str, time } from '../../../schema/shape/index.ts';
import type { Complete, Fieldset, Infer } from '../../../schema/shape/index.ts';
import type { Names } from '../../objects/index.ts';
import { conditionReason, conditionType, kindFields, type ObjectOf, resourceList } from '../../structs/index.ts';

export const taint = obj('Taint', 'Repels pods that do not tolerate it.', {
  key: field(1, 'Its name.', req(str()), { format: 'label name' }),
  value: field(2, 'Its value.', str()),
  effect: field(
    3,
    'NoSchedule: no pods are scheduled. PreferNoSchedule: they are avoided. NoExecute: running pods are evicted, too.',
    oneOf(req(str('TaintEffect')), ['NoExecute', 'NoSchedule', 'PreferNoSchedule']),
    { needed: true, among: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
  ),
  timeAdded: field(4, 'When it was added, for NoExecute.', ptr(time)),
});
export type Taint = Infer<typeof taint>;

const nodeCondition = obj('NodeCondition', 'A condition of the machine. Unknown: its agent does not report.', {
  ...conditionType('Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable', 'NodeConditionType'),
  lastHeartbeatTime: field(3, 'When the agent last reported the condition.', always(time)),
  ...conditionReason(4),
});
export type NodeCondition = Infer<typeof nodeCondition>;

/** The older single field sets the first item of the newer list, and takes precedence. */
const completeRanges: Complete = ({ podCIDR, podCIDRs }) => {
  const first = (podCIDRs as readonly string[] | undefined)?.[0];
  if (podCIDR === undefined) return first === undefined ? undefined : { podCIDR: first };
  return first === podCIDR ? undefined : { podCIDRs: [podCIDR] };
};

const volumeName = str('UniqueVolumeName');
export const address = obj('NodeAddress', 'Its addresses.', {
  type: field(1, 'Hostname, InternalIP or ExternalIP.', req(str('NodeAddressType'))),
  address: field(2, 'The address.', req(str())),
});
const image = obj('ContainerImage', 'An image.', {
  names: field(1, 'Its names.', always(list(str()))),
  sizeBytes: field(2, 'Its size.', int64),
});
const attachedVolume = obj('AttachedVolume', 'A volume.', {
  name: field(1, 'Its name, including the plug-in.', req(volumeName)),
  devicePath: field(2, 'The path of its device.', req(str())),
});

export const configSourceFor = ({ fields }: Names) =>
  obj('NodeConfigSource', "Deprecated: the source of the agent's configuration.", {
    configMap: field(
      2,
      'A ConfigMap.',
      obj('ConfigMapNodeConfigSource', "Deprecated: a ConfigMap with the agent's configuration.", {
        namespace: field(1, 'Its namespace.', req(str())),
        name: field(2, 'Its name.', req(str())),
        uid: field(3, 'Only in a status.', str('types.UID')),
        resourceVersion: field(4, 'Only in a status.', str()),
        [fields.agentConfigKey]: field(5, 'The key of the entry.', req(str())),
      }),
    ),
  });

function systemInfoFor({ fields }: Names) {
  const facts: readonly (readonly [name: string, text: string])[] = [
    ['machineID', 'The id of the machine.'],
    ['systemUUID', 'The id of the hardware.'],
    ['bootID', 'The id of this boot.'],
    ['kernelVersion', 'The kernel version.'],
    ['osImage', 'The operating system image.'],
    ['containerRuntimeVersion', 'The container runtime.'],
    [fields.agentVersion, 'The version of its agent.'],
    [fields.proxyVersion, 'The version of its proxy.'],
    ['operatingSystem', 'Such as linux.'],
    ['architecture', 'Such as amd64.'],
  ];
  const info: Record<string, ReturnType<typeof req<ReturnType<typeof str>>>> = {};
  for (const [at, [name, text]] of facts.entries()) info[name] = field(at + 1, text, req(str()));
  return obj('NodeSystemInfo', 'General information about it.', info);
}

function daemonEndpointsFor({ fields }: Names) {
  const endpoints: Fieldset = {
    [fields.agentEndpoint]: field(
      1,
      'The port of the agent.',
      always(obj('DaemonEndpoint', 'A port.', { Port: field(1, 'Its number.', req(int32)) })),
    ),
  };
  return obj('NodeDaemonEndpoints', 'Ports of its agent.', endpoints);
}

const configStatusOf = (configSource: ReturnType<typeof configSourceFor>) =>
  obj('NodeConfigStatus', 'Deprecated: the state of the configuration.', {
    assigned: field(1, 'The assigned configuration.', configSource),
    active: field(2, 'The configuration in use.', configSource),
    lastKnownGood: field(3, 'The fallback: the last assigned configuration that was active for ten minutes.', configSource),
    error: field(4, 'The error of the assigned configuration.', str()),
  });

export const schemaFor = (names: Names) => {
  const configSource = configSourceFor(names);
  return obj(
    'Node',
    'A machine that runs pods.',
    kindFields({
      spec: obj(
        'NodeSpec',
        'Settings of the cluster for the machine.',
        {
          podCIDR: field(1, 'The address range of its pods.', str()),
          podCIDRs: field(7, 'At most one range for each IP family; the first equals podCIDR.', mergeList(str(), '', 'merge')),
          providerID: field(3, 'Its id at the cloud provider: PROVIDER://ID.', str()),
          unschedulable: field(4, 'True: no further pods are scheduled to it.', bool),
          taints: field(5, 'Repel pods that do not tolerate them.', list(taint)),
          configSource: field(6, "Deprecated: the source of its agent's configuration.", configSource, { since: 'DynamicKubeletConfig' }),
          externalID: field(2, 'Deprecated.', str()),
        },
        { complete: completeRanges },
      ),
      status: obj('NodeStatus', 'The report of its agent.', {
        capacity: field(1, 'Its total resources. By resource: cpu, memory, pods and so on.', resourceList),
        allocatable: field(2, 'Its resources for pods. By resource: cpu, memory, pods and so on.', resourceList),
        phase: field(3, 'Not used.', oneOf(str('NodePhase'), ['Pending', 'Running', 'Terminated'])),
        conditions: field(4, 'Readiness and problems.', mergeList(nodeCondition, 'type')),
        addresses: field(5, 'Its addresses.', mergeList(address, 'type')),
        daemonEndpoints: field(6, 'Ports of its agent.', always(daemonEndpointsFor(names))),
        nodeInfo: field(7, 'General information about it.', always(systemInfoFor(names))),
        images: field(8, 'Its container images.', list(image)),
        volumesInUse: field(9, 'Attachable volumes in use by pods; they must not be detached.', list(volumeName)),
        volumesAttached: field(10, 'Volumes that are attached to it.', list(attachedVolume)),
        config: field(11, "Deprecated: the state of the agent's configuration.", configStatusOf(configSource), {
          since: 'DynamicKubeletConfig',
        }),
      }),
    }),
  );
};

/** A stored Node: defaulted, validated and frozen. */
export type Node = ObjectOf<'Node', Infer<ReturnType<typeof schemaFor>>>;
