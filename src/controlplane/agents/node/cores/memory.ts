/**
 * Memory of certain NUMA nodes for containers of Guaranteed pods, under the Static policy. Models: v1.24 pkg/kubelet/cm/memorymanager
 * policy_static.go. Simplified: what the system and the agent keep back is kept on the lower nodes; huge pages are not asked for.
 */
import { has, type Mask, sizeOf } from './layout.ts';
import type { Hint } from './hints.ts';

/** A NUMA node's memory, bytes. */
export interface Bank {
  readonly allocatable: number;
  readonly free: number;
  /** The nodes that it gives memory together with; 0: it gives none yet. */
  readonly group: Mask;
}

const total = (banks: readonly Bank[], mask: Mask, of: 'allocatable' | 'free'): number =>
  banks.reduce((sum, bank, at) => (has(mask, at) ? sum + bank[of] : sum), 0);

/** A node serves alone or in one group, never both. */
const mayServe = (banks: readonly Bank[], mask: Mask): boolean =>
  banks.every(({ group }, at) => {
    if (!has(mask, at) || group === 0) return true;
    return sizeOf(mask) === 1 ? sizeOf(group) === 1 : group === mask;
  });

export function memoryHints(masks: readonly Mask[], banks: readonly Bank[], bytes: number): readonly Hint[] {
  let least = banks.length;
  const would = masks.filter((mask) => {
    if (total(banks, mask, 'allocatable') < bytes) return false;
    least = Math.min(least, sizeOf(mask));
    return mayServe(banks, mask) && total(banks, mask, 'free') >= bytes;
  });
  return would.map((mask) => ({ mask, preferred: sizeOf(mask) === least }));
}

/** Where the memory comes from: the nodes of the mask that the managers agreed on, or the best there are. undefined: nowhere. */
export function memoryPlace(masks: readonly Mask[], banks: readonly Bank[], bytes: number, agreed: Mask | undefined): Mask | undefined {
  const hints = memoryHints(masks, banks, bytes);
  const within = hints.find(({ mask }) => mask === agreed);
  const wider = hints.find(({ mask }) => agreed !== undefined && mask !== undefined && (mask & agreed) === agreed);
  return (within ?? wider ?? (agreed === undefined ? hints.find(({ preferred }) => preferred) : undefined))?.mask;
}

/** The banks when so much has been taken: of the lower nodes first. */
export function withTaken(banks: readonly Bank[], mask: Mask, bytes: number): readonly Bank[] {
  let left = bytes;
  return banks.map((bank, at) => {
    if (!has(mask, at)) return bank;
    const from = Math.min(left, bank.free);
    left -= from;
    return { ...bank, free: bank.free - from, group: mask };
  });
}
