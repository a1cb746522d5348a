/**
 * Memory of NUMA nodes for containers of Guaranteed pods, under the Static policy. Models: v1.24 pkg/kubelet/cm/memorymanager
 * policy_static.go. Simplified: reservations of the system and the agent are on the lower nodes; huge pages are not requested.
 */
import { has, type Mask, sizeOf } from './layout.ts';
import type { Hint } from './hints.ts';

/** The memory of a NUMA node, bytes. */
export interface Bank {
  readonly allocatable: number;
  readonly free: number;
  /** The group of nodes that it allocates with; 0: none yet. */
  readonly group: Mask;
}

const total = (banks: readonly Bank[], mask: Mask, of: 'allocatable' | 'free'): number =>
  banks.reduce((sum, bank, at) => (has(mask, at) ? sum + bank[of] : sum), 0);

/** A node allocates alone or in one group, never both. */
const mayServe = (banks: readonly Bank[], mask: Mask): boolean =>
  banks.every(({ group }, at) => {
    if (!has(mask, at) || group === 0) return true;
    return sizeOf(mask) === 1 ? sizeOf(group) === 1 : group === mask;
  });

/** The sets of NUMA nodes with enough memory, the smallest ones preferred. */
export function memoryHints(masks: readonly Mask[], banks: readonly Bank[], bytes: number): readonly Hint[] {
  let least = banks.length;
  const would = masks.filter((mask) => {
    if (total(banks, mask, 'allocatable') < bytes) return false;
    least = Math.min(least, sizeOf(mask));
    return mayServe(banks, mask) && total(banks, mask, 'free') >= bytes;
  });
  return would.map((mask) => ({ mask, preferred: sizeOf(mask) === least }));
}

/** The nodes to allocate from: the mask that the managers agreed on, or the best available. undefined: none. */
export function memoryPlace(masks: readonly Mask[], banks: readonly Bank[], bytes: number, agreed: Mask | undefined): Mask | undefined {
  const hints = memoryHints(masks, banks, bytes);
  const within = hints.find(({ mask }) => mask === agreed);
  const wider = hints.find(({ mask }) => agreed !== undefined && mask !== undefined && (mask & agreed) === agreed);
  return (within ?? wider ?? (agreed === undefined ? hints.find(({ preferred }) => preferred) : undefined))?.mask;
}

/** The memory after an allocation: from the lower nodes first. */
export function withTaken(banks: readonly Bank[], mask: Mask, bytes: number): readonly Bank[] {
  let left = bytes;
  return banks.map((bank, at) => {
    if (!has(mask, at)) return bank;
    const from = Math.min(left, bank.free);
    left -= from;
    return { ...bank, free: bank.free - from, group: mask };
  });
}
