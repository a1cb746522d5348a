/**
 * Eviction signals and thresholds: the available amounts on a machine, the configured thresholds, those that are met and since when, the
 * conditions of the node, the pods that are refused under pressure, and the order of eviction: pods beyond their requests first, then lower
 * priority, then the largest excess over the request. Models: v1.24 pkg/kubelet/eviction helpers.go, eviction_manager.go Admit, helpers.go,
 * helpers.go makeSignalObservations. Simplified: one disk, no inodes.
 */
import type { NodeSpec } from '../../specs.ts';
import { isOff } from '../../../config/index.ts';
import { type AgentSettings, milliseconds } from '../configuration.ts';
import { amountOf, DEFAULT_CAPACITY } from '../allocatable.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';
import { isCritical, type Refusal } from '../admission/resources.ts';
import { unitsOf } from '../../../../schema/values/index.ts';
import { type Amounts, NOTHING_USED, type Usage } from '../../../usage/index.ts';
import type { Run } from '../containers.ts';
import { diskOf } from '../images/store.ts';
import type { MachineView } from '../machine.ts';

export type Pressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

export interface Threshold {
  readonly signal: string;
  /** A quantity, or a percentage of the capacity. */
  readonly value: string;
  readonly minReclaim: string | undefined;
  /** How long it must be met; 0: a hard threshold. */
  readonly graceMs: number;
  readonly hard: boolean;
}

type Reclaimed = 'memory' | 'ephemeral-storage' | 'pids';

/** The condition of a signal, and the resource that pods are ranked by, by its name in messages. */
export const SIGNALS: Readonly<Record<string, { readonly pressure: Pressure; readonly reclaims: Reclaimed }>> = {
  'memory.available': { pressure: 'MemoryPressure', reclaims: 'memory' },
  'allocatableMemory.available': { pressure: 'MemoryPressure', reclaims: 'memory' },
  'nodefs.available': { pressure: 'DiskPressure', reclaims: 'ephemeral-storage' },
  'imagefs.available': { pressure: 'DiskPressure', reclaims: 'ephemeral-storage' },
  'pid.available': { pressure: 'PIDPressure', reclaims: 'pids' },
};

export type EvictionSettings = Pick<
  AgentSettings,
  | 'evictionHard'
  | 'evictionSoft'
  | 'evictionSoftGracePeriod'
  | 'evictionMinimumReclaim'
  | 'evictionPressureTransitionPeriod'
  | 'evictionMaxPodGracePeriod'
  | 'enforceNodeAllocatable'
  | 'isolatesStorage'
>;

/** The thresholds of a configuration, hard ones first; with pods enforced, allocatable memory is a threshold too. */
export function thresholdsOf(settings: EvictionSettings): readonly Threshold[] {
  const { evictionHard, evictionSoft = {}, evictionSoftGracePeriod: graces, evictionMinimumReclaim: minReclaim } = settings;
  const of = (values: Readonly<Record<string, string>>, isHard: boolean): readonly Threshold[] =>
    Object.entries(values)
      .filter(([, value]) => !isOff(value))
      .map(([signal, value]) => ({
        signal,
        value,
        minReclaim: minReclaim?.[signal],
        graceMs: isHard ? 0 : milliseconds(graces?.[signal] ?? '0'),
        hard: isHard,
      }));
  const hardOnes = of(evictionHard, true);
  const memory = settings.enforceNodeAllocatable.includes('pods')
    ? hardOnes.find(({ signal }) => signal === 'memory.available')
    : undefined;
  return [...(memory === undefined ? [] : [{ ...memory, signal: 'allocatableMemory.available' }]), ...hardOnes, ...of(evictionSoft, false)];
}

/** The amount below which a threshold is met; `reclaimed`: with the minimum reclaim added. */
export function limitOf({ signal, value, minReclaim }: Threshold, observations: Observations, reclaimed: boolean): number {
  const capacity = BigInt(observations.get(signal)?.capacity ?? 0);
  const more = reclaimed && minReclaim !== undefined ? amountOf(minReclaim, capacity) : 0n;
  return Number(amountOf(value, capacity) + more);
}

/** The thresholds that are met; an unobserved signal meets none. */
export const met = (thresholds: readonly Threshold[], observations: Observations, reclaimed: boolean): readonly Threshold[] =>
  thresholds.filter((threshold) => {
    const observed = observations.get(threshold.signal);
    return observed !== undefined && observed.available < limitOf(threshold, observations, reclaimed);
  });

/** Identifies a threshold in the memory of the eviction manager. */
export const idOf = ({ signal, hard, value }: Threshold): string => `${hard ? 'hard' : 'soft'} ${signal} ${value}`;

export const pressuresOf = (thresholds: readonly Threshold[]): readonly Pressure[] => [
  ...new Set(thresholds.flatMap(({ signal }) => SIGNALS[signal]?.pressure ?? [])),
];

/** Memory first, because its exhaustion kills the node; signals without a resource of pods are never urgent. */
export function mostUrgent(thresholds: readonly Threshold[]): { readonly threshold: Threshold; readonly reclaims: Reclaimed } | undefined {
  const known = thresholds.flatMap((threshold) => {
    const reclaims = SIGNALS[threshold.signal]?.reclaims;
    return reclaims === undefined ? [] : [{ threshold, reclaims }];
  });
  return known.find(({ reclaims }) => reclaims === 'memory') ?? known[0];
}

/** The memory from one decision to the next, lost in a crash. */
export interface EvictionState {
  /** Since when thresholds are met, by threshold. */
  readonly since: Readonly<Record<string, number>>;
  /** When each condition was last observed. */
  readonly observed: Readonly<Partial<Record<Pressure, number>>>;
  /** Thresholds that were met with their grace period: they stay met until the minimum is reclaimed. */
  readonly unresolved: readonly Threshold[];
  readonly pressures: readonly Pressure[];
  /** The pod that was evicted last, while its containers still run. */
  readonly leaving?: { readonly uid: string; readonly since: number };
}
export const freshEviction: EvictionState = { since: {}, observed: {}, unresolved: [], pressures: [] };

const tolerates = ({ spec }: Pod, key: string): boolean =>
  (spec.tolerations ?? []).some(
    (toleration) =>
      ((toleration.key ?? '') === '' || toleration.key === key) &&
      ((toleration.effect ?? '') === '' || toleration.effect === 'NoSchedule') &&
      (toleration.operator === 'Exists' || (toleration.value ?? '') === ''),
  );

/** Why a pod is refused; undefined: it is admitted. */
export function admitUnderPressure(pod: Pod, pressures: readonly Pressure[], names: Names): Refusal | undefined {
  if (pressures.length === 0 || isCritical(pod, names)) return undefined;
  const onlyMemory = pressures.length === 1 && pressures[0] === 'MemoryPressure';
  if (onlyMemory && (pod.status.qosClass !== 'BestEffort' || tolerates(pod, names.key('node', 'memory-pressure')))) return undefined;
  return { reason: 'Evicted', message: `The node had condition: [${pressures.join(' ')}]. ` };
}

const requestOf = ({ spec }: Pod, resource: Reclaimed): number =>
  spec.containers.reduce((sum, { resources }) => sum + unitsOf(resources?.requests?.[resource] ?? '0'), 0);

const usedOf = ({ used }: RunningPod, resource: Reclaimed): number =>
  resource === 'memory' ? used.memory : resource === 'pids' ? used.pids : used.disk;

const priorityOf = ({ pod }: RunningPod): number => pod.spec.priority ?? 0;

export function ranked(runningPods: readonly RunningPod[], resource: Reclaimed): readonly RunningPod[] {
  const excess = (runningPod: RunningPod): number =>
    usedOf(runningPod, resource) - (resource === 'pids' ? 0 : requestOf(runningPod.pod, resource));
  const exceeds = (runningPod: RunningPod): number => (resource !== 'pids' && excess(runningPod) > 0 ? 0 : 1);
  return [...runningPods].sort((a, b) => exceeds(a) - exceeds(b) || priorityOf(a) - priorityOf(b) || excess(b) - excess(a));
}

interface Observation {
  readonly capacity: number;
  readonly available: number;
}
export type Observations = ReadonlyMap<string, Observation>;

export interface RunningPod {
  readonly pod: Pod;
  readonly run: Run;
  readonly used: Amounts;
}

const DEFAULT_PIDS = '32768';

/** The usage of a pod at an instant: disk usage stays when its containers have stopped, until they are removed. */
export function usedBy(usage: Usage, pod: Pod, run: Run, at: number, runs: boolean): Amounts {
  if (run.startedAt === 0) return NOTHING_USED;
  const used = usage.usageAt(pod, runs ? at : (run.last?.finishedAt ?? at), run.startedAt);
  return runs ? used : { ...NOTHING_USED, disk: used.disk };
}

/** `reserved`: bytes of memory that are not allocatable. */
export function observe(
  usage: Usage,
  spec: NodeSpec,
  machineName: string,
  machine: MachineView,
  runningPods: readonly RunningPod[],
  reserved: number,
  now: number,
): Observations {
  const system = usage.systemAt(machineName, now);
  const pods = runningPods.reduce(
    (all, { used }) => ({ memory: all.memory + used.memory, disk: all.disk + used.disk, pids: all.pids + used.pids }),
    { memory: 0, disk: 0, pids: 0 },
  );
  const disk = diskOf(spec, machine.images, now);
  const memory = unitsOf(spec.capacity['memory'] ?? DEFAULT_CAPACITY.memory);
  const of = (capacity: number, used: number): Observation => ({ capacity, available: Math.max(0, capacity - used) });
  const onDisk = of(disk.capacity, disk.used + system.disk + pods.disk);
  return new Map([
    ['memory.available', of(memory, system.memory + pods.memory)],
    ['allocatableMemory.available', of(Math.max(0, memory - reserved), pods.memory)],
    ['nodefs.available', onDisk],
    ['imagefs.available', onDisk],
    ['pid.available', of(unitsOf(spec.capacity['pids'] ?? DEFAULT_PIDS), system.pids + pods.pids)],
  ]);
}
