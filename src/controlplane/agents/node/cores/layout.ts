/**
 * The topology of a machine's CPUs and memory: NUMA nodes, with cores of one or more CPUs each, numbered core by core; the nodes of a
 * container's resources where several managers have hints; and the memory of Guaranteed pods under the Static policy. Models: v1.24
 * pkg/kubelet/cm/topologymanager policy.go (mergePermutation, mergeFilteredHints) and the four policies; pkg/kubelet/cm/memorymanager
 * policy_static.go. Simplified: reservations of the system and the agent are on the lower nodes; huge pages are not requested.
 */
import { unitsOf } from '../../../../schema/values/index.ts';
import type { NodeSpec } from '../../specs.ts';
import { DEFAULT_CAPACITY } from '../allocatable.ts';

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

export const has = (mask: Mask, numa: number): boolean => (mask & (1 << numa)) !== 0;

export function sizeOf(mask: Mask): number {
  let size = 0;
  for (let left = mask; left > 0; left &= left - 1) size++;
  return size;
}

/** Whether a mask has fewer nodes, or as many and lower ones. Models: v1.24 topologymanager bitmask IsNarrowerThan. */
const isNarrower = (a: Mask, b: Mask): boolean => sizeOf(a) < sizeOf(b) || (sizeOf(a) === sizeOf(b) && a < b);

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

/** A set of NUMA nodes that is possible; without a set: any. */
export interface Hint {
  readonly mask: Mask | undefined;
  /** The set has the smallest possible number of nodes. */
  readonly preferred: boolean;
}

const ANY: readonly Hint[] = [{ mask: undefined, preferred: true }];
const NONE: readonly Hint[] = [{ mask: undefined, preferred: false }];

/** Every combination with one hint of each manager. */
function* ways(lists: readonly (readonly Hint[])[], at = 0): Generator<readonly Hint[]> {
  const list = lists[at];
  if (list === undefined) {
    yield [];
    return;
  }
  for (const hint of list) for (const rest of ways(lists, at + 1)) yield [hint, ...rest];
}

function together(way: readonly Hint[], all: Mask): Hint & { readonly mask: Mask } {
  const masks = way.flatMap(({ mask }) => (mask === undefined ? [] : [mask]));
  return {
    mask: masks.reduce((common, mask) => common & mask, all),
    preferred: way.every(({ preferred }) => preferred) && masks.every((mask) => mask === masks[0]),
  };
}

function best(lists: readonly (readonly Hint[])[], all: Mask): Hint {
  let found: Hint & { readonly mask: Mask } = { mask: all, preferred: false };
  for (const way of ways(lists)) {
    const hint = together(way, all);
    if (hint.mask === 0 || (!hint.preferred && found.preferred)) continue;
    if ((hint.preferred && !found.preferred) || isNarrower(hint.mask, found.mask)) found = hint;
  }
  return found;
}

/**
 * The topology decision for a container. `lists`: the possible hints of each manager: undefined where it has no preference, empty where
 * none is possible. `all`: the mask of all NUMA nodes.
 */
export function placed(
  policy: string,
  lists: readonly (readonly Hint[] | undefined)[],
  all: Mask,
): { readonly mask: Mask | undefined; readonly admitted: boolean } {
  if (policy === 'none') return { mask: undefined, admitted: true };
  const given = lists.map((list) => (list === undefined ? ANY : list.length === 0 ? NONE : list));
  if (policy !== 'single-numa-node') {
    const { mask, preferred } = best(given, all);
    return { mask, admitted: policy === 'best-effort' || preferred };
  }
  const single = given.map((list) => list.filter(({ mask, preferred }) => preferred && (mask === undefined || sizeOf(mask) === 1)));
  const { mask, preferred } = best(single, all);
  return { mask: mask === all ? undefined : mask, admitted: preferred };
}

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

/** The sets of NUMA nodes with enough memory, the smallest ones first and preferred. */
export function memoryHints(masks: readonly Mask[], banks: readonly Bank[], bytes: number) {
  let least = banks.length;
  const would = masks.filter((mask) => {
    if (total(banks, mask, 'allocatable') < bytes) return false;
    least = Math.min(least, sizeOf(mask));
    return mayServe(banks, mask) && total(banks, mask, 'free') >= bytes;
  });
  return would.map((mask) => ({ mask, preferred: sizeOf(mask) === least }));
}

/** The nodes to allocate from: the fewest with all those that the managers agreed on. undefined: none. */
export const memoryPlace = (masks: readonly Mask[], banks: readonly Bank[], bytes: number, agreed: Mask = 0): Mask | undefined =>
  memoryHints(masks, banks, bytes).find(({ mask }) => (mask & agreed) === agreed)?.mask;

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
