/** The Node object and its conditions, as an agent reports them. Models: v1.24 pkg/kubelet/nodestatus setters. */
import type { Names, ObjectInput } from '../../../apiserver/machinery/index.ts';
import { copyWith, formatTime, milliUnitsOf } from '../../../schema/values/index.ts';
import type { NodeSpec } from '../specs.ts';
import type { AgentSettings } from './configuration.ts';
import { allocatableOf, DEFAULT_CAPACITY } from './allocatable.ts';
import { attachDetachKey } from '../../shared/index.ts';
import type { MachineView } from './machine.ts';

type Mutable = Record<string, unknown>;

export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly lastHeartbeatTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

type Said = readonly [reason: string, message: string];
const PRESSURES: readonly { readonly type: string; readonly lacks: Said; readonly has: Said }[] = [
  {
    type: 'MemoryPressure',
    lacks: ['HasInsufficientMemory', 'has insufficient memory available'],
    has: ['HasSufficientMemory', 'has sufficient memory available'],
  },
  { type: 'DiskPressure', lacks: ['HasDiskPressure', 'has disk pressure'], has: ['HasNoDiskPressure', 'has no disk pressure'] },
  {
    type: 'PIDPressure',
    lacks: ['HasInsufficientPID', 'has insufficient PID available'],
    has: ['HasSufficientPID', 'has sufficient PID available'],
  },
];

/** The reason of the event about a pressure condition's status; undefined: it is another condition. */
export function pressureReasons(type: string, status: string): string | undefined {
  const said = PRESSURES.find((pressure) => pressure.type === type);
  return said === undefined ? undefined : `Node${(status === 'True' ? said.lacks : said.has)[0]}`;
}

/** The four conditions; `ready`: or why it is not; `short`: the pressures; a transition time changes only with the status. */
export function nodeConditions(
  names: Names,
  ready: boolean | string,
  before: readonly ReportedCondition[] | undefined,
  now: number,
  short: readonly string[] = [],
): readonly ReportedCondition[] {
  const agent = names.agentName;
  const brand = agent.charAt(0).toUpperCase() + agent.slice(1);
  const condition = (type: string, status: string, reason: string, message: string): ReportedCondition => {
    const old = before?.find((other) => other.type === type);
    const at = formatTime(now);
    return {
      type,
      status,
      lastHeartbeatTime: at,
      lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? at) : at,
      reason,
      message,
    };
  };
  return [
    ...PRESSURES.map(({ type, lacks, has }) => {
      const [status, [reason, message]] = short.includes(type) ? (['True', lacks] as const) : (['False', has] as const);
      return condition(type, status, `${brand}${reason}`, `${agent} ${message}`);
    }),
    ready === true
      ? condition('Ready', 'True', `${brand}Ready`, `${agent} is posting ready status`)
      : condition('Ready', 'False', `${brand}NotReady`, typeof ready === 'string' ? ready : `${agent} is not ready`),
  ];
}

export function capacities({ capacity: stated }: NodeSpec, settings: AgentSettings) {
  const { 'ephemeral-storage': disk = '1Ti', ...others } = stated;
  const usual = settings.isolatesStorage ? { ...DEFAULT_CAPACITY, 'ephemeral-storage': disk } : DEFAULT_CAPACITY;
  const all = copyWith(usual, others);
  const capacity = { ...all, pods: roomForPods(all, settings) };
  return { capacity, allocatable: allocatableOf(capacity, settings.reserved) };
}

/** Status fields that never change while a node exists. */
export function nodeFacts(names: Names, spec: NodeSpec, settings: AgentSettings, machine: MachineView): Mutable {
  const { capacity, allocatable } = capacities(spec, settings);
  return {
    capacity,
    allocatable,
    addresses: [
      { type: 'InternalIP', address: machine.hostAddress },
      { type: 'Hostname', address: spec.name },
    ],
    daemonEndpoints: { [names.fields.agentEndpoint]: { Port: settings.port } },
    nodeInfo: {
      machineID: spec.name,
      systemUUID: spec.name,
      bootID: spec.name,
      kernelVersion: 'sim',
      osImage: 'sim',
      containerRuntimeVersion: 'sim://1',
      [names.fields.agentVersion]: 'v1.24.0',
      [names.fields.proxyVersion]: 'v1.24.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

/** The pod capacity of a node: limited by maxPods, and by podsPerCore for each core. */
function roomForPods({ cpu, pods }: typeof DEFAULT_CAPACITY, { statedMaxPods, podsPerCore }: AgentSettings): string {
  const most = statedMaxPods === undefined ? pods : String(statedMaxPods);
  if (podsPerCore <= 0) return most;
  const share = Math.floor((milliUnitsOf(cpu) * podsPerCore) / 1000);
  return Number(most) < share ? most : String(share);
}

export function nodeObject(names: Names, spec: NodeSpec, settings: AgentSettings): ObjectInput {
  const labels = {
    [names.key('beta', 'arch')]: 'amd64',
    [names.key('beta', 'os')]: 'linux',
    [names.key('', 'arch')]: 'amd64',
    [names.key('', 'hostname')]: spec.name,
    [names.key('', 'os')]: 'linux',
    ...settings.labels,
    ...spec.labels,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: spec.name,
      labels,
      ...(settings.attaches === undefined ? {} : { annotations: { [attachDetachKey(names)]: String(settings.attaches === 'controller') } }),
    },
    spec: {
      ...(settings.providerID === '' ? {} : { providerID: settings.providerID }),
      ...(spec.taints === undefined && settings.registerWithTaints === undefined
        ? {}
        : { taints: allTaints(spec.taints, settings.registerWithTaints) }),
      ...(spec.podCIDR === undefined ? {} : { podCIDR: spec.podCIDR, podCIDRs: [spec.podCIDR] }),
    },
  };
}

/** The node's taints, then those of the agent's configuration; of two with the same key and effect the first counts. */
function allTaints(ofNode: NonNullable<NodeSpec['taints']> = [], ofAgent: NonNullable<NodeSpec['taints']> = []): NodeSpec['taints'] {
  const own = ofAgent.filter(({ key, effect }) => !ofNode.some((taint) => taint.key === key && taint.effect === effect));
  return [...ofNode, ...own];
}
