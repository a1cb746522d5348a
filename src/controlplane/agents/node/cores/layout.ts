/**
 * Where the processors and the memory of a machine are: its NUMA nodes, with cores of one or more processors each. Processors are numbered
 * core by core.
 */
import { unitsOf } from '../../../../schema/values/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { DEFAULT_CAPACITY } from '../allocatable.ts';

/** One processor that a container can have. */
export interface Cpu {
  readonly id: number;
  readonly core: number;
  readonly numa: number;
}

export interface Layout {
  readonly cpus: readonly Cpu[];
  /** Bytes by NUMA node. */
  readonly memory: readonly number[];
  readonly threadsPerCore: number;
  /** Every set of NUMA nodes, as bits: small sets first. */
  readonly masks: readonly number[];
}

/** A set of NUMA nodes, as bits. */
export type Mask = number;

export const has = (mask: Mask, numa: number): boolean => (mask & (1 << numa)) !== 0;

export function sizeOf(mask: Mask): number {
  let size = 0;
  for (let left = mask; left > 0; left &= left - 1) size++;
  return size;
}

/** Smaller, or of the lower nodes where both are as large. Models: v1.24 topologymanager bitmask IsNarrowerThan. */
export const isNarrower = (a: Mask, b: Mask): boolean => sizeOf(a) < sizeOf(b) || (sizeOf(a) === sizeOf(b) && a < b);

/** The machine of a node; one that says nothing of this has all in one place. */
export function layoutOf({ capacity, numa, threadsPerCore = 1 }: NodeSpec): Layout {
  const whole = [
    { cpus: Math.floor(unitsOf(capacity['cpu'] ?? DEFAULT_CAPACITY.cpu)), memory: capacity['memory'] ?? DEFAULT_CAPACITY.memory },
  ];
  const places = numa ?? whole;
  const cpus: Cpu[] = [];
  let core = 0;
  for (const [at, { cpus: count }] of places.entries())
    for (let i = 0; i < count; i++) {
      if (i > 0 && i % threadsPerCore === 0) core++;
      cpus.push({ id: cpus.length, core, numa: at });
      if (i === count - 1) core++;
    }
  const masks = Array.from({ length: (1 << places.length) - 1 }, (_, i) => i + 1).sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
  return { cpus, memory: places.map(({ memory }) => unitsOf(memory)), threadsPerCore, masks };
}
