/**
 * A persistent ordered set of elided renewals that counts the members below a place. Adding and removing return a new set and leave the old
 * one unchanged, so an old set still answers for its time. Each operation takes logarithmic time. (A treap: a search tree that is also a
 * heap by pseudo-random numbers derived from the order of registration, so equal members make equal trees.)
 */
export interface Renewal {
  /** First renewal, then one per period. Milliseconds. */
  readonly firstAt: number;
  readonly everyMs: number;
  /** Order of registration, which is the order of renewals at one instant. */
  readonly order: number;
}

export interface RankTree {
  /** The renewal's offset within its period. */
  readonly phase: number;
  readonly renewal: Renewal;
  readonly weight: number;
  readonly left: RankTree | undefined;
  readonly right: RankTree | undefined;
  readonly size: number;
}

type Maybe = RankTree | undefined;

/** The number of members. */
export const sizeOf = (tree: Maybe): number => tree?.size ?? 0;

/** The number of members below (phase, order). */
export function rankOf(tree: Maybe, phase: number, order: number): number {
  let below = 0;
  for (let at = tree; at !== undefined;) {
    if (liesBelow(at, phase, order)) {
      below += sizeOf(at.left) + 1;
      at = at.right;
    } else at = at.left;
  }
  return below;
}

/** The set with a renewal that it does not contain yet. */
export function withRenewal(tree: Maybe, renewal: Renewal): RankTree {
  const phase = phaseOf(renewal);
  const [below, above] = split(tree, phase, renewal.order);
  const single: RankTree = {
    phase,
    renewal,
    weight: Math.imul(renewal.order, 0x9e3779b1) >>> 0,
    left: undefined,
    right: undefined,
    size: 1,
  };
  return join(join(below, single), above) ?? single;
}

/** The set without a renewal. */
export function withoutRenewal(tree: Maybe, renewal: Renewal): Maybe {
  const phase = phaseOf(renewal);
  const [below, rest] = split(tree, phase, renewal.order);
  const [, above] = split(rest, phase, renewal.order + 1);
  return join(below, above);
}

const phaseOf = ({ firstAt, everyMs }: Renewal): number => firstAt % everyMs;
const liesBelow = (at: RankTree, phase: number, order: number): boolean =>
  at.phase < phase || (at.phase === phase && at.renewal.order < order);
const over = ({ phase, renewal, weight }: RankTree, left: Maybe, right: Maybe): RankTree => ({
  phase,
  renewal,
  weight,
  left,
  right,
  size: sizeOf(left) + 1 + sizeOf(right),
});

/** The members below (phase, order), and the others. */
function split(tree: Maybe, phase: number, order: number): readonly [Maybe, Maybe] {
  if (tree === undefined) return [undefined, undefined];
  if (liesBelow(tree, phase, order)) {
    const [below, above] = split(tree.right, phase, order);
    return [over(tree, tree.left, below), above];
  }
  const [below, above] = split(tree.left, phase, order);
  return [below, over(tree, above, tree.right)];
}

/** Joins two sets; all of the first are below all of the second. */
function join(below: Maybe, above: Maybe): Maybe {
  if (below === undefined) return above;
  if (above === undefined) return below;
  return below.weight > above.weight
    ? over(below, below.left, join(below.right, above))
    : over(above, join(below, above.left), above.right);
}
