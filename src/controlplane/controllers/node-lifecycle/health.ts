/**
 * Health of nodes. The controller monitors all nodes in passes of five seconds; a node whose lease and status were unchanged for forty
 * seconds becomes Unknown. The instants are computed per node instead of pass by pass. Models: v1.24 pkg/controller/nodelifecycle,
 * monitorNodeHealth and tryUpdateNodeHealth, doNoScheduleTaintingPass and processTaintBaseEviction.
 */
import type { Lease, Node, NodeCondition, Taint } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { SILENT_AFTER_MS } from '../../shared/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';

const PASS_MS = 5_000;
/** The grace period of a node that has never reported is longer. */
const STARTUP_GRACE_MS = 60_000;

export interface Health {
  readonly renewTime: string | undefined;
  readonly heartbeat: string | undefined;
  /** The pass that saw the last renewal or status update. */
  readonly probeAt: number;
  /** The renewals of its lease are elided. */
  readonly beating: boolean;
}

export const readyOf = (node: Node): NodeCondition | undefined => node.status.conditions?.find(({ type }) => type === 'Ready');

export const passAtOrAfter = (startedAt: number, at: number): number => startedAt + Math.ceil((at - startedAt) / PASS_MS) * PASS_MS;
export const passAfter = (startedAt: number, at: number): number => passAtOrAfter(startedAt, at + 1);

export function observe(
  health: Health | undefined,
  node: Node,
  lease: Lease | undefined,
  startedAt: number,
  now: number,
  renewalInterval?: { readonly beating: boolean; readonly at: number },
): Health {
  const renewTime = lease?.spec?.renewTime ?? undefined;
  const heartbeat = readyOf(node)?.lastHeartbeatTime ?? undefined;
  const beating = renewalInterval?.beating === true;
  if (health === undefined) return { renewTime, heartbeat, probeAt: passAtOrAfter(startedAt, now), beating };
  if (health.renewTime === renewTime && health.heartbeat === heartbeat) return health.beating === beating ? health : { ...health, beating };
  // An elided renewal counts from its own time, not from when it became visible.
  const signAt = renewalInterval === undefined || beating || health.heartbeat !== heartbeat ? now : renewalInterval.at;
  return { ...health, renewTime, heartbeat, probeAt: passAtOrAfter(startedAt, signAt), beating };
}

/** When a node becomes silent without a further renewal. After all nodes were silent, each gets a new grace period. */
export const silentAt = (health: Health, node: Node, recoveredAt: number): number =>
  health.beating ? Infinity : Math.max(health.probeAt, recoveredAt) + (readyOf(node) === undefined ? STARTUP_GRACE_MS : SILENT_AFTER_MS);

const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

export function unknownConditions(node: Node, agent: string, now: number): readonly NodeCondition[] {
  const at = formatTime(now);
  const brand = agent.charAt(0).toUpperCase() + agent.slice(1);
  const known = node.status.conditions ?? [];
  const silenced = known.map((condition): NodeCondition =>
    !REPORTED.includes(condition.type) || condition.status === 'Unknown'
      ? condition
      : {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: `${brand} stopped posting node status.`,
          lastTransitionTime: at,
        },
  );
  const never = REPORTED.filter((type) => !known.some((condition) => condition.type === type)).map((type): NodeCondition => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: `${brand} never posted node status.`,
    lastHeartbeatTime: node.metadata.creationTimestamp,
    lastTransitionTime: at,
  }));
  return [...silenced, ...never];
}

/** Taint names by condition type and status. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'not-ready', Unknown: 'unreachable' },
  MemoryPressure: { True: 'memory-pressure' },
  DiskPressure: { True: 'disk-pressure' },
  NetworkUnavailable: { True: 'network-unavailable' },
  PIDPressure: { True: 'pid-pressure' },
};
const NO_SCHEDULE = [...Object.values(BY_CONDITION).flatMap((byStatus) => Object.values(byStatus)), 'unschedulable'];
const NO_EXECUTE = Object.values(BY_CONDITION['Ready'] ?? {});

/** Keys of the NoSchedule taints that the node should have, among those that this controller manages. */
export function wantedNoSchedule(node: Node, names: Names): readonly string[] {
  const wanted: string[] = [];
  for (const { type, status } of node.status.conditions ?? []) {
    const name = BY_CONDITION[type]?.[status];
    if (name !== undefined) wanted.push(names.key('node', name));
  }
  if (node.spec.unschedulable === true) wanted.push(names.key('node', 'unschedulable'));
  return wanted;
}

export const wantedNoExecute = (ready: string | undefined, names: Names): readonly string[] =>
  ready === 'False' ? [names.key('node', 'not-ready')] : ready === 'Unknown' ? [names.key('node', 'unreachable')] : [];

/** The node's taints with the managed ones of an effect as wanted; new ones get the time, if there is one; undefined: no change. */
export function withTaints(
  node: Node,
  effect: 'NoSchedule' | 'NoExecute',
  wanted: readonly string[],
  names: Names,
  at: string | undefined,
): readonly Taint[] | undefined {
  const managed = new Set((effect === 'NoSchedule' ? NO_SCHEDULE : NO_EXECUTE).map((name) => names.key('node', name)));
  const taints = node.spec.taints ?? [];
  const isManaged = (taint: Taint): boolean => taint.effect === effect && managed.has(taint.key);
  const has = new Set(taints.filter(isManaged).map(({ key }) => key));
  if (has.size === wanted.length && wanted.every((key) => has.has(key))) return undefined;
  const kept = taints.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
  return [
    ...kept,
    ...wanted.filter((key) => !has.has(key)).map((key): Taint => ({ key, effect, ...(at === undefined ? {} : { timeAdded: at }) })),
  ];
}
