/**
 * Elided renewals in closed form. An elided renewal only advances the revision counter. The number of renewals up to an instant, and the
 * revision of a lease's last one, are computed on request. The set of renewing leases is kept as one value per instant at which it changed,
 * so that a question about the past uses the set of that time. Adding, removing and counting take time logarithmic in the number of leases.
 * At one instant renewals come before everything else.
 */
import { bisect } from '../../schema/values/index.ts';

/** The renewals from an instant on, until the next version: by their period. */
interface Version {
  readonly since: number;
  /** Renewals made before the version. */
  readonly made: number;
  readonly groups: ReadonlyMap<number, RankTree>;
}

export class Renewals {
  private versions: Version[] = [NOTHING];
  /** The longest period so far. */
  private longest = 0;
  /** Versions that nothing asks about any more. */
  private stale = 0;

  /** Adds a renewal that begins within one period after `now`. */
  add(renewal: Renewal, now: number): void {
    this.longest = Math.max(this.longest, renewal.everyMs);
    this.change(renewal.everyMs, now, (group) => withRenewal(group, renewal));
  }

  remove(renewal: Renewal, now: number): void {
    this.change(renewal.everyMs, now, (group) => withoutRenewal(group, renewal));
  }

  /** Renewals after one instant up to and including another; neither is further back than the longest period so far. */
  between(from: number, to: number): number {
    return this.made(to) - this.made(from);
  }

  /** Renewals after the one of `renewal` at `at`, its last up to `now`, up to and including `now`. */
  after({ order }: Renewal, at: number, now: number): number {
    let count = this.between(at, now);
    // Renewals at the same instant with a greater order.
    for (const [everyMs, group] of this.before(at).groups)
      count += rankOf(group, (at % everyMs) + 1, -1) - rankOf(group, at % everyMs, order + 1);
    return count;
  }

  /** The last version that started before an instant. */
  private before(at: number): Version {
    return this.versions[Math.max(0, bisect(this.versions, ({ since }) => since < at) - 1)] ?? NOTHING;
  }

  /** Renewals made up to and including an instant. */
  private made(at: number): number {
    const version = this.before(at);
    let count = version.made;
    for (const [everyMs, group] of version.groups) count += upTo(group, everyMs, at) - upTo(group, everyMs, version.since);
    return count;
  }

  private change(everyMs: number, now: number, by: (group: Maybe) => Maybe): void {
    const { versions } = this;
    const groups = new Map(versions.at(-1)?.groups);
    const group = by(groups.get(everyMs));
    if (group === undefined) groups.delete(everyMs);
    else groups.set(everyMs, group);
    const version = { since: now, made: this.made(now), groups };
    if (versions.at(-1)?.since === now) versions[versions.length - 1] = version;
    else versions.push(version);
    this.forget(now - this.longest);
  }

  /** Drops versions that ended before an instant, once they are the greater part. */
  private forget(at: number): void {
    while ((this.versions[this.stale + 1]?.since ?? Infinity) < at) this.stale++;
    if (this.stale <= this.versions.length / 2) return;
    this.versions = this.versions.slice(this.stale);
    this.stale = 0;
  }
}

const NOTHING: Version = { since: -Infinity, made: 0, groups: new Map() };

/** Renewals of a group at or before an instant, counted from the epoch: the difference of two counts is the number between them. */
const upTo = (group: RankTree, everyMs: number, at: number): number =>
  Math.floor(at / everyMs) * sizeOf(group) + rankOf(group, (at % everyMs) + 1, -1);

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

interface RankTree {
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
const sizeOf = (tree: Maybe): number => tree?.size ?? 0;

/** The number of members below (phase, order). */
function rankOf(tree: Maybe, phase: number, order: number): number {
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
function withRenewal(tree: Maybe, renewal: Renewal): RankTree {
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
function withoutRenewal(tree: Maybe, renewal: Renewal): Maybe {
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
