/**
 * Thresholds: the configured ones, those that are met and since when, and the conditions of the node. Models: v1.24 pkg/kubelet/eviction
 * helpers.go.
 */
import type { EvictionSettings } from '../../specs.ts';
import { amountOf, isOff } from '../allocatable.ts';
import type { Observations } from './observe.ts';

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

const PRESSURES: Readonly<Record<string, Pressure>> = {
  'memory.available': 'MemoryPressure',
  'allocatableMemory.available': 'MemoryPressure',
  'nodefs.available': 'DiskPressure',
  'imagefs.available': 'DiskPressure',
  'pid.available': 'PIDPressure',
};
/** The resource that pods are ranked by for a signal, by its name in messages. */
export const RECLAIMED: Readonly<Record<string, 'memory' | 'ephemeral-storage' | 'pids'>> = {
  'memory.available': 'memory',
  'allocatableMemory.available': 'memory',
  'nodefs.available': 'ephemeral-storage',
  'imagefs.available': 'ephemeral-storage',
  'pid.available': 'pids',
};

/** The thresholds of a configuration, hard ones first; with pods enforced, allocatable memory is a threshold too. */
export function thresholdsOf({ hard, soft, softGraceMs, minReclaim, enforcesPods }: EvictionSettings): readonly Threshold[] {
  const of = (values: Readonly<Record<string, string>>, isHard: boolean): readonly Threshold[] =>
    Object.entries(values)
      .filter(([, value]) => !isOff(value))
      .map(([signal, value]) => ({
        signal,
        value,
        minReclaim: minReclaim[signal],
        graceMs: isHard ? 0 : (softGraceMs[signal] ?? 0),
        hard: isHard,
      }));
  const hardOnes = of(hard, true);
  const memory = enforcesPods ? hardOnes.find(({ signal }) => signal === 'memory.available') : undefined;
  return [...(memory === undefined ? [] : [{ ...memory, signal: 'allocatableMemory.available' }]), ...hardOnes, ...of(soft, false)];
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

/** The node conditions of met thresholds. */
export const pressuresOf = (thresholds: readonly Threshold[]): readonly Pressure[] => [
  ...new Set(thresholds.flatMap(({ signal }) => PRESSURES[signal] ?? [])),
];

/** Memory first, because its exhaustion kills the node; signals without a resource of pods last. */
export function mostUrgent(thresholds: readonly Threshold[]): Threshold | undefined {
  const urgency = ({ signal }: Threshold): number => (PRESSURES[signal] === 'MemoryPressure' ? 0 : RECLAIMED[signal] === undefined ? 2 : 1);
  return [...thresholds].sort((a, b) => urgency(a) - urgency(b)).find(({ signal }) => RECLAIMED[signal] !== undefined);
}
