/**
 * An ordered set of beats that says how many lie below a place, as a value: adding and removing make a new set and leave the old one as it
 * was, so whoever keeps an old one can ask it about its time. Each of these looks at a logarithm of its members. (A treap: a search tree
 * that is a heap by numbers that look random and are drawn from the order of registration, so equal members make equal trees.)
 */
export interface Renewal {
  /** First beat, then one every so often. Milliseconds. */
  readonly firstAt: number;
  readonly everyMs: number;
  /** Order of registration: the order of beats at one instant. */
  readonly order: number;
}

export interface RankTree {
  /** The beat's place within its period. */
  readonly phase: number;
  readonly renewal: Renewal;
  readonly weight: number;
  readonly left: RankTree | undefined;
  readonly right: RankTree | undefined;
  readonly size: number;
}

type Maybe = RankTree | undefined;

/** How many members there are. */
export const sizeOf = (tree: Maybe): number => tree?.size ?? 0;

/** How many members lie below (phase, order). */
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

/** The set with a beat that it does not have. */
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

/** The set without a beat. */
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

/** Those below (phase, order), and the others. */
function split(tree: Maybe, phase: number, order: number): readonly [Maybe, Maybe] {
  if (tree === undefined) return [undefined, undefined];
  if (liesBelow(tree, phase, order)) {
    const [below, above] = split(tree.right, phase, order);
    return [over(tree, tree.left, below), above];
  }
  const [below, above] = split(tree.left, phase, order);
  return [below, over(tree, above, tree.right)];
}

/** Two sets of which all of the first lies below all of the second. */
function join(below: Maybe, above: Maybe): Maybe {
  if (below === undefined) return above;
  if (above === undefined) return below;
  return below.weight > above.weight
    ? over(below, below.left, join(below.right, above))
    : over(above, join(below, above.left), above.right);
}
