/**
 * The available amounts on a machine, by eviction signal. Models: v1.24 pkg/kubelet/eviction helpers.go makeSignalObservations. Simplified:
 * one disk, no inodes.
 */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { quantity, quantityValue } from '../../../../schema/values/index.ts';
import { type Amounts, NOTHING_USED, type Usage } from '../../../usage/index.ts';
import type { NodeSpec } from '../../specs.ts';
import type { Run } from '../containers.ts';
import { diskOf } from '../disk.ts';
import type { MachineView } from '../machine.ts';
import { DEFAULT_CAPACITY } from '../allocatable.ts';

/** The capacity and the available amount of a signal. */
export interface Observation {
  readonly capacity: number;
  readonly available: number;
}
export type Observations = ReadonlyMap<string, Observation>;

/** A pod on a machine, with the state of its containers. */
export interface RunningPod {
  readonly pod: Pod;
  readonly run: Run;
  readonly used: Amounts;
}

/** The default capacity of processes of a machine. */
const DEFAULT_PIDS = '32768';

/** The present usage of a pod: disk usage stays when its containers have stopped, until they are removed. */
export function usedBy(usage: Usage, pod: Pod, run: Run, now: number): Amounts {
  if (run.startedAt === 0) return NOTHING_USED;
  const running = run.stage === 'running';
  const until = running ? now : (run.last?.finishedAt ?? now);
  const used = usage.usageAt(pod, until, run.startedAt);
  return running ? used : { ...NOTHING_USED, disk: used.disk };
}

/** The usage at an earlier instant, when containers that have ended since were running. */
export function usedThen(usage: Usage, pod: Pod, run: Run, at: number): Amounts {
  if (run.startedAt === 0 || run.startedAt > at) return NOTHING_USED;
  const endedAt = run.stage === 'running' ? undefined : run.last?.finishedAt;
  const used = usage.usageAt(pod, Math.min(at, endedAt ?? at), run.startedAt);
  return endedAt === undefined || endedAt >= at ? used : { ...NOTHING_USED, disk: used.disk };
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
  const capacityOf = (resource: string, otherwise: string): number => Number(quantityValue(quantity(spec.capacity[resource] ?? otherwise)));
  const system = usage.systemAt(machineName, now);
  const pods = runningPods.reduce(
    (all, { used }) => ({ memory: all.memory + used.memory, disk: all.disk + used.disk, pids: all.pids + used.pids }),
    { memory: 0, disk: 0, pids: 0 },
  );
  const disk = diskOf(spec, machine, now);
  const memory = capacityOf('memory', DEFAULT_CAPACITY.memory);
  const of = (capacity: number, used: number): Observation => ({ capacity, available: Math.max(0, capacity - used) });
  const onDisk = of(disk.capacity, disk.used + system.disk + pods.disk);
  return new Map([
    ['memory.available', of(memory, system.memory + pods.memory)],
    ['allocatableMemory.available', of(Math.max(0, memory - reserved), pods.memory)],
    ['nodefs.available', onDisk],
    ['imagefs.available', onDisk],
    ['pid.available', of(capacityOf('pids', DEFAULT_PIDS), system.pids + pods.pids)],
  ]);
}
