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
} from '../../../schema/shape/index.ts';
import { type Names, type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const taint = obj('Taint', { key: req(str()), value: str(), effect: req(str('TaintEffect')), timeAdded: ptr(time) });
export type Taint = Infer<typeof taint>;

const nodeCondition = obj('NodeCondition', {
  type: req(str('NodeConditionType')),
  status: req(str('ConditionStatus')),
  lastHeartbeatTime: always(time),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});
export type NodeCondition = Infer<typeof nodeCondition>;

/** The older single field sets the first item of the newer list, and takes precedence. */
const completeRanges: Complete = ({ podCIDR, podCIDRs }) => {
  const first = (podCIDRs as readonly string[] | undefined)?.[0];
  if (podCIDR === undefined) return first === undefined ? undefined : { podCIDR: first };
  return first === podCIDR ? undefined : { podCIDRs: [podCIDR] };
};

export const schemaFor = ({ fields }: Names) => {
  const configSource = obj('NodeConfigSource', {
    configMap: obj('ConfigMapNodeConfigSource', {
      namespace: req(str()),
      name: req(str()),
      uid: str('types.UID'),
      resourceVersion: str(),
      [fields.agentConfigKey]: req(str()),
    }),
  });
  const info: Record<string, ReturnType<typeof req<ReturnType<typeof str>>>> = {};
  for (const name of [
    'machineID',
    'systemUUID',
    'bootID',
    'kernelVersion',
    'osImage',
    'containerRuntimeVersion',
    fields.agentVersion,
    fields.proxyVersion,
    'operatingSystem',
    'architecture',
  ])
    info[name] = req(str());
  const endpoints: Fieldset = { [fields.agentEndpoint]: always(obj('DaemonEndpoint', { Port: req(int32) })) };
  const volumeName = str('UniqueVolumeName');
  return obj('Node', {
    ...typeMeta,
    spec: always(
      obj(
        'NodeSpec',
        {
          podCIDR: str(),
          podCIDRs: mergeList(str(), '', 'merge'),
          providerID: str(),
          unschedulable: bool,
          taints: list(taint),
          configSource,
          externalID: str(),
        },
        { complete: completeRanges },
      ),
    ),
    status: always(
      obj('NodeStatus', {
        capacity: resourceList,
        allocatable: resourceList,
        phase: str('NodePhase'),
        conditions: mergeList(nodeCondition, 'type'),
        addresses: mergeList(obj('NodeAddress', { type: req(str('NodeAddressType')), address: req(str()) }), 'type'),
        daemonEndpoints: always(obj('NodeDaemonEndpoints', endpoints)),
        nodeInfo: always(obj('NodeSystemInfo', info)),
        images: list(obj('ContainerImage', { names: always(list(str())), sizeBytes: int64 })),
        volumesInUse: list(volumeName),
        volumesAttached: list(obj('AttachedVolume', { name: req(volumeName), devicePath: req(str()) })),
        config: obj('NodeConfigStatus', { assigned: configSource, active: configSource, lastKnownGood: configSource, error: str() }),
      }),
    ),
  });
};

/** A stored Node: defaulted, validated and frozen. */
export type Node = ObjectOf<'Node', Infer<ReturnType<typeof schemaFor>>>;
