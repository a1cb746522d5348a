/**
 * Whether a node has the resources of a pod, by the pods that its agent has admitted, not by the scheduler's cache. Also critical pods, and
 * the sysctls that a pod may set. Models: v1.24 pkg/kubelet/lifecycle predicate.go (generalFilter, removeMissingExtendedResources),
 * pkg/scheduler eventhandlers.go (AdmissionCheck); pkg/kubelet/types IsCriticalPod; pkg/kubelet/sysctl (allowlist.go, safe_sysctls.go).
 */
import { lastOf } from '../../../../engine/index.ts';
import { requiredNodeTest, untoleratedTaint } from '../../../../apiserver/decisions/index.ts';
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';
import { type Amounts, amountsOf, type HostPort, type SpecInfo } from '../../../shared/index.ts';
import { unitsOf, quote } from '../../../../schema/values/index.ts';

export interface Booked {
  readonly amounts: Amounts;
  pods: number;
}

export interface Capacity {
  readonly amounts: Readonly<Amounts>;
  readonly pods: number;
}

/** A resource that is not sufficient. CPU in thousandths of a core. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

export const missing = ({ requested, used, capacity }: Shortage): number => requested - (capacity - used);

const capacityOf = (allocatable: Readonly<Record<string, string>>, isolatesStorage: boolean): Capacity => ({
  amounts: isolatesStorage ? amountsOf(allocatable) : { ...amountsOf(allocatable), ephemeralStorage: Infinity },
  pods: unitsOf(allocatable['pods'] ?? '0'),
});

/** Parses a node's allocatable; the last list is cached. Without isolation of ephemeral storage its amount is unlimited. */
export const capacityReader = (isolatesStorage: boolean): ((allocatable: Readonly<Record<string, string>>) => Capacity) =>
  lastOf((allocatable) => capacityOf(allocatable, isolatesStorage));

/** Extended resources. Those that the node does not list are counted elsewhere. */
const isExtended = (name: string, names: Names): boolean => name.includes('/') && !name.includes(names.key('', ''));

export function shortagesOf({ requests }: SpecInfo, total: Capacity, booked: Readonly<Booked>, names: Names): readonly Shortage[] {
  const shortages: Shortage[] = [];
  if (booked.pods + 1 > total.pods) shortages.push({ resource: 'pods', requested: 1, used: booked.pods, capacity: total.pods });
  const { milliCpu, memory, ephemeralStorage, others } = requests;
  if (milliCpu === 0 && memory === 0 && ephemeralStorage === 0 && others.size === 0) return shortages;
  const { amounts: has } = total;
  const { amounts: uses } = booked;
  const check = (resource: string, requested: number, used: number, capacity: number): void => {
    if (requested > capacity - used) shortages.push({ resource, requested, used, capacity });
  };
  check('cpu', milliCpu, uses.milliCpu, has.milliCpu);
  check('memory', memory, uses.memory, has.memory);
  check('ephemeral-storage', ephemeralStorage, uses.ephemeralStorage, has.ephemeralStorage);
  for (const [name, amount] of others) {
    const capacity = has.others.get(name);
    if (capacity === undefined && isExtended(name, names)) continue;
    check(name, amount, uses.others.get(name) ?? 0, capacity ?? 0);
  }
  return shortages;
}

export const outOf = ({ resource, requested, used, capacity }: Shortage): Refusal => ({
  reason: `OutOf${resource}`,
  message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
});

const failed = (predicate: string): Refusal => ({ reason: predicate, message: `Predicate ${predicate} failed` });

const EVERYWHERE = '0.0.0.0';
const meets = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === EVERYWHERE || b.ip === EVERYWHERE || a.ip === b.ip);

/** Why a pod may not be on a node for reasons other than resources. `taken`: called only for a pod with host ports. */
export function placementProblem(
  { spec }: Pod,
  { hostPorts }: SpecInfo,
  node: Node | undefined,
  taken: () => readonly HostPort[],
  isStatic: boolean,
): Refusal | undefined {
  const test = requiredNodeTest(spec);
  if (test !== undefined && node !== undefined && !test(node)) return failed('NodeAffinity');
  if (hostPorts.length > 0) {
    const used = taken();
    if (hostPorts.some((port) => used.some((other) => meets(port, other)))) return failed('NodePorts');
  }
  const taints = node?.spec.taints;
  if (isStatic || taints === undefined) return undefined;
  return untoleratedTaint(taints, spec.tolerations, ({ effect }) => effect === 'NoExecute') === undefined
    ? undefined
    : failed('TaintToleration');
}

/** Pods with at least this priority are system-critical. */
const SYSTEM_CRITICAL = 2_000_000_000;

/** Whether an agent has a pod from another source than the API server. */
export const isStatic = ({ metadata: { annotations } }: Pod, names: Names): boolean =>
  (annotations?.[names.key('', 'config.source')] ?? 'api') !== 'api';

/** The uid of the static pod that a pod of the server mirrors; undefined: it is not a mirror. */
export const mirroredBy = ({ metadata: { annotations } }: Pod, names: Names): string | undefined =>
  annotations?.[names.key('', 'config.mirror')];

/** The uid of a pod's containers. */
export const uidOnNode = (pod: Pod, names: Names): string => mirroredBy(pod, names) ?? pod.metadata.uid;

/** Whether a pod is never evicted or preempted: it is static, or system-critical. */
export const isCritical = (pod: Pod, names: Names): boolean =>
  isStatic(pod, names) || mirroredBy(pod, names) !== undefined || (pod.spec.priority ?? 0) >= SYSTEM_CRITICAL;

/** Why an agent refuses a pod. The pod fails with this reason. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

const SAFE: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];

const dotted = (name: string): string => name.replaceAll('/', '.');

/** Whether a name is in the list, exactly or by a prefix that ends in `*`. */
const isAllowed = (name: string, allowed: readonly string[]): boolean =>
  allowed.map(dotted).some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name));

/** Why a pod is refused; undefined: its sysctls are allowed. `allowed`: unsafe ones, or prefixes (`net.core.*`). */
export function refusedSysctl({ spec }: Pod, allowed: readonly string[]): Refusal | undefined {
  for (const sysctl of spec.securityContext?.sysctls ?? []) {
    const name = dotted(sysctl.name);
    const refused = (why: string): Refusal => ({ reason: 'SysctlForbidden', message: `forbidden sysctl: ${quote(sysctl.name)} ${why}` });
    if (!isAllowed(name, [...SAFE, ...allowed])) return refused('not allowlisted');
    if (name.startsWith('net.') && spec.hostNetwork === true) return refused('not allowed with host net enabled');
    if (!name.startsWith('net.') && spec.hostIPC === true) return refused('not allowed with host ipc enabled');
  }
  return undefined;
}
