/**
 * The NUMA nodes of a container's resources, where several managers have hints. Models: v1.24 pkg/kubelet/cm/topologymanager policy.go
 * (mergePermutation, mergeFilteredHints) and the four policies.
 */
import { isNarrower, type Mask, sizeOf } from './layout.ts';

/** A set of NUMA nodes that is possible; without a set: any. */
export interface Hint {
  readonly mask: Mask | undefined;
  /** The set has the smallest possible number of nodes. */
  readonly preferred: boolean;
}

export type TopologyPolicy = 'none' | 'best-effort' | 'restricted' | 'single-numa-node';

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
  policy: TopologyPolicy,
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
