/**
 * Registers a node, updates its status and renews its lease. Models: v1.24 pkg/kubelet/kubelet_node_status.go (10 s sync, written every 5
 * minutes or when something changed) and component-helpers/apimachinery/lease (renewed at a quarter of its duration).
 */
import { type Names, SIM } from '../../../apiserver/machinery/index.ts';
import type { Lease, Node } from '../../../apiserver/kinds/index.ts';
import { copyWith, formatMicroTime, parseTime } from '../../../schema/values/index.ts';
import { create, defineController, idle, mergePatch, record, watchOnly, onElapsed, watch, write } from '../../runtime/index.ts';
import type { Outcome, Write } from '../../runtime/index.ts';
import { attachDetachKey, SILENT_AFTER_MS } from '../../shared/index.ts';
import type { NodeSpec, StorageDriver } from '../specs.ts';
import { type AgentSettings, milliseconds } from './configuration.ts';
import type { Machine } from './machine.ts';
import { nodeConditions, nodeFacts, nodeObject, pressureReasons, type ReportedCondition } from './node-object.ts';
import type { Pressure } from './eviction/thresholds.ts';
import { type ReportedImage, reportedImages } from './images/store.ts';

interface Options {
  readonly machine: Machine;
  readonly spec: NodeSpec;
  readonly settings: AgentSettings;
  readonly storageDrivers: readonly StorageDriver[];
  /** Its configuration differs from that of the agent that wrote the node's facts. */
  readonly restates?: boolean;
  /** Each renewal of its lease is a real request, because it may be refused. */
  readonly renewsEach?: boolean;
  /** The pressures of the node; absent: never any. */
  readonly pressures?: () => readonly Pressure[];
}

/** The agent's clocks: `now` is elapsed time, as are remembered instants; `wall` is for times in objects. */
interface Clocks {
  readonly now: number;
  readonly wall: number;
  /** When it last wrote the status, where its clock is skewed and times in objects are unreliable. */
  readonly reportedAt: number | undefined;
}
interface Memory {
  readonly renewedAt: number;
  readonly reportedAt?: number;
}

/** The time of a stamp, if it is reliable: not from the future, and not of a skewed clock. */
const stampedAt = (stamp: string, { now, wall }: Pick<Clocks, 'now' | 'wall'>): number | undefined => {
  const at = parseTime(stamp);
  return wall === now && at <= now ? at : undefined;
};

/** When a condition must be reported again without a change; at once if it never was. */
const reportDueAt = (condition: ReportedCondition | undefined, clocks: Clocks, everyMs: number): number => {
  const said = condition?.lastHeartbeatTime ?? undefined;
  return said === undefined ? clocks.now : (stampedAt(said, clocks) ?? clocks.reportedAt ?? clocks.now) + everyMs;
};

/** Writes a status if it has changed or the last report is five minutes old. */
const statusWrite = (names: Names, options: Options, node: Node, clocks: Clocks, isFirst: boolean): Write | undefined => {
  const { spec, settings, machine } = options;
  const { ready } = machine;
  const { now, wall } = clocks;
  const before = node.status.conditions as readonly ReportedCondition[] | undefined;
  const reported = nodeConditions(names, machine.shutsDown ? 'node is shutting down' : ready, before, wall, options.pressures?.());
  const readyBefore = before?.find((condition) => condition.type === 'Ready');
  const fresh = now < reportDueAt(readyBefore, clocks, milliseconds(settings.nodeStatusReportFrequency));
  // Of a restored node, conditions that its agent never reported are no change.
  const changed = reported.some(({ type, status }) => {
    const other = before?.find((each) => each.type === type);
    return other === undefined ? spec.restored === undefined : other.status !== status;
  });
  // Conditions of others stay.
  const conditions = [...reported, ...(before ?? []).filter(({ type }) => !reported.some((each) => each.type === type))];
  // Facts are written once, because a test or a user may have changed the capacity since. An agent with another configuration writes them
  // again.
  const restates = isFirst && options.restates === true;
  const images = changedImages(options, node, now);
  if (fresh && !changed && !restates && images === undefined) return undefined;
  const { machineID = '' } = node.status.nodeInfo;
  const facts = machineID === '' || restates ? nodeFacts(names, spec, settings, machine) : {};
  const status = copyWith<Record<string, unknown>>(facts, images === undefined ? { conditions } : { images, conditions });
  return mergePatch(node, { status }, { subresource: 'status', tolerate: ['NotFound', 'Conflict'] });
};

/** Updates the annotation about attaching volumes, where this agent's setting differs. */
function attachWrite(names: Names, { settings }: Options, node: Node): readonly Write[] {
  const key = attachDetachKey(names);
  const value = settings.attaches === undefined ? null : String(settings.attaches === 'controller');
  return (node.metadata.annotations?.[key] ?? null) === value ? [] : [mergePatch(node, { metadata: { annotations: { [key]: value } } })];
}

/** The images that the node's status should have; undefined: no change. */
function changedImages({ machine, settings }: Options, node: Node, now: number): readonly ReportedImage[] | undefined {
  if (machine.images === undefined) return undefined;
  const there = reportedImages(machine.images, now, settings.nodeStatusMaxImages);
  return JSON.stringify(there) === JSON.stringify(node.status.images ?? []) ? undefined : there;
}

function pressureEvents({ spec, pressures }: Options, node: Node): readonly Write[] {
  if (pressures === undefined) return [];
  const short = pressures();
  return (node.status.conditions ?? []).flatMap(({ type, status }): readonly Write[] => {
    const is = short.some((pressure) => pressure === type) ? 'True' : 'False';
    const reason = pressureReasons(type, is);
    if (status === is || reason === undefined) return [];
    const about = { kind: 'Node', metadata: { name: spec.name, uid: spec.name } };
    return [record(about, 'Normal', reason, `Node ${spec.name} status is now: ${reason}`)];
  });
}

const isMarkedUnknown = (node: Node): boolean => node.status.conditions?.some(({ status }) => status === 'Unknown') === true;

const ownedBy = ({ metadata: { name, uid } }: Node) => ({ ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] });

function leaseWrite(names: Names, lease: Lease | undefined, node: Node, { name }: NodeSpec, seconds: number, wall: number): Write {
  const spec = { holderIdentity: name, leaseDurationSeconds: seconds, renewTime: formatMicroTime(wall) };
  if (lease !== undefined) return mergePatch(lease, { spec }, { tolerate: ['NotFound', 'Conflict'] });
  const metadata = { name, namespace: names.nodeLeaseNamespace, ...ownedBy(node) };
  return create({ apiVersion: `${names.group('coordination')}/v1`, kind: 'Lease', metadata, spec }, { tolerate: ['AlreadyExists'] });
}

/** The CSINode object: the drivers on this node, with the limit in an annotation of the node. */
const driverWrite = (names: Names, node: Node, drivers: readonly StorageDriver[]): Write => {
  const stated = Number(node.metadata.annotations?.[`${SIM}/csi-limit`]);
  const entries = drivers.map(({ name, volumesPerNode, topologyKeys = [] }) => {
    const count = Number.isInteger(stated) && stated > 0 ? stated : volumesPerNode;
    return { name, nodeID: node.metadata.name, topologyKeys, ...(count === undefined ? {} : { allocatable: { count } }) };
  });
  const metadata = { name: node.metadata.name, ...ownedBy(node) };
  const csiNode = { apiVersion: `${names.group('storage')}/v1`, kind: 'CSINode', metadata, spec: { drivers: entries } };
  return create(csiNode, { tolerate: ['AlreadyExists'] });
};

const heartbeat = (names: Names, name: string, everyMs: number, until: number): NonNullable<Outcome['heartbeat']> => ({
  lease: { namespace: names.nodeLeaseNamespace, name },
  everyMs,
  until,
  // Renewals that are further apart than the grace period must be observed one by one.
  seenWithinMs: SILENT_AFTER_MS,
});

/** When the lease was last renewed, in elapsed milliseconds: elided renewals since the last decision show only in the lease. */
function lastRenewal(lease: Lease | undefined, memory: Memory | undefined, { now, wall }: Clocks): number {
  const stamp = lease?.spec?.renewTime ?? undefined;
  return Math.max(memory?.renewedAt ?? 0, stamp === undefined ? 0 : (stampedAt(stamp, { now, wall }) ?? 0));
}

export function nodeRegistration(options: Options) {
  const { spec, settings, storageDrivers, machine, restates = false } = options;
  const { nodeLeaseDurationSeconds } = settings;
  const statusUpdateMs = milliseconds(settings.nodeStatusUpdateFrequency);
  const statusReportMs = milliseconds(settings.nodeStatusReportFrequency);
  const renewMs = nodeLeaseDurationSeconds * 250;
  const nodeName = (): string => spec.name;
  // Images and pressures change without an event for the agent, so every sync must read them.
  const syncsEveryTime = machine.images !== undefined || options.pressures !== undefined || options.renewsEach === true;
  return defineController<'Node', Memory, { readonly startedAt: number }>({
    name: 'node-registration',
    component: 'kubelet',
    reconciles: 'Node',
    writes: ['Node', 'Lease', 'CSINode'],
    models: 'v1.24 pkg/kubelet node status and lease; simplified: no resource pressure.',
    self: { only: { index: 'name', value: nodeName } },
    watches: [
      watch('Lease', watchOnly, { only: { index: 'name', value: nodeName }, renewals: false }),
      watch('CSINode', watchOnly, { only: { index: 'name', value: nodeName } }),
    ],
    start: ({ now }) => ({ startedAt: now }),
    startKeys: () => [spec.name],
    reconcile: onElapsed(
      ({ self: node, now, wall, names, cache, memory, expectationsSatisfied, state: { startedAt } }): Outcome<Memory> => {
        const clocks: Clocks = { now, wall, reportedAt: memory?.reportedAt };
        const lease = cache.get('Lease', names.nodeLeaseNamespace, spec.name);
        // Other clients' changes of the status are corrected at the next status sync; the node's own changes are written at once.
        const syncAt = startedAt + Math.ceil((now - startedAt) / statusUpdateMs) * statusUpdateMs;
        const waits = memory !== undefined && syncAt > now && isMarkedUnknown(node);
        const status = waits ? undefined : statusWrite(names, options, node, clocks, memory === undefined);
        const renewedBefore = lastRenewal(lease, memory, clocks);
        const due = (memory === undefined && spec.restored === undefined) || now - renewedBefore >= renewMs || lease === undefined;
        const writes: Write[] = due ? [leaseWrite(names, lease, node, spec, nodeLeaseDurationSeconds, wall)] : [];
        if (memory === undefined && restates) writes.push(...attachWrite(names, options, node));
        if (status !== undefined) writes.push(...pressureEvents(options, node), status);
        if (storageDrivers.length > 0 && expectationsSatisfied && cache.get('CSINode', undefined, spec.name) === undefined)
          writes.push(driverWrite(names, node, storageDrivers));
        const reportedAt = status === undefined ? memory?.reportedAt : now;
        const renewedAt = due ? now : renewedBefore;
        const remembered: Memory = { renewedAt, ...(reportedAt === undefined ? {} : { reportedAt }) };
        const wakeAt = renewedAt + renewMs;
        if (waits)
          return {
            why: 'its Ready condition was changed by another client; its next status report corrects it',
            writes,
            memory: remembered,
            wakeAt: Math.min(syncAt, wakeAt),
          };
        const why =
          status !== undefined
            ? 'the node status is due'
            : due
              ? 'the lease is renewed at a quarter of its duration'
              : 'lease and status are up to date';
        const rest = { why, writes, memory: remembered, background: true } as const;
        if (syncsEveryTime) return { wakeAt: Math.min(wakeAt, syncAt > now ? syncAt : syncAt + statusUpdateMs), ...rest };
        const ready = node.status.conditions?.find(({ type }) => type === 'Ready');
        return { wakeAt, heartbeat: heartbeat(names, spec.name, renewMs, reportDueAt(ready, clocks, statusReportMs)), ...rest };
      },
    ),
    reconcileAbsent: ({ names, memory }) => {
      if (!settings.registerNode) return idle('registerNode is false');
      // The node is registered once; a deleted Node is not created again while the agent runs.
      return memory === undefined
        ? write('the node is not registered yet', create(nodeObject(names, spec, settings), { tolerate: ['AlreadyExists'] }))
        : idle('the node was deleted');
    },
  });
}
