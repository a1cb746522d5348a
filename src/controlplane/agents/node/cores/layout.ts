/** The topology of a machine's CPUs and memory: NUMA nodes, with cores of one or more CPUs each. CPUs are numbered core by core. */
import { unitsOf } from '../../../../schema/values/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { DEFAULT_CAPACITY } from '../allocatable.ts';

/** A CPU that can be allocated. */
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
  /** Masks of all sets of NUMA nodes: small sets first. */
  readonly masks: readonly number[];
}

/** A set of NUMA nodes as a bit mask. */
export type Mask = number;

/** Whether a mask contains a NUMA node. */
export const has = (mask: Mask, numa: number): boolean => (mask & (1 << numa)) !== 0;

/** The number of NUMA nodes in a mask. */
export function sizeOf(mask: Mask): number {
  let size = 0;
  for (let left = mask; left > 0; left &= left - 1) size++;
  return size;
}

/** Whether a mask has fewer nodes, or as many and lower ones. Models: v1.24 topologymanager bitmask IsNarrowerThan. */
export const isNarrower = (a: Mask, b: Mask): boolean => sizeOf(a) < sizeOf(b) || (sizeOf(a) === sizeOf(b) && a < b);

/** The topology of a node's machine; by default there is one NUMA node. */
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
