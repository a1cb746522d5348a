/**
 * Renewals in closed form. A beat is a renewal that nobody sees: it only moves the revision counter on. How many there were up to an
 * instant, and which revision the last one of a lease had, is worked out when somebody asks: which beats there were is kept as one value
 * for each instant at which that changed, so that a question about the past is put to the set of that time. Starting, ending and counting
 * each cost a logarithm of the beats there are. At one instant beats come before everything else.
 */
import { rankOf, sizeOf, withRenewal, withoutRenewal, type Renewal, type RankTree } from './rank-tree.ts';
import { withSize } from '../../engine/index.ts';

export interface Renewals {
  /** A beat that begins within one period after `now`. */
  add(renewal: Renewal, now: number): void;
  remove(renewal: Renewal, now: number): void;
  /** Beats after one instant up to and including another; neither lies further back than the longest period there was. */
  between(from: number, to: number): number;
  /** Beats after the one of `beat` at `at`, its last up to `now`, up to and including `now`. */
  after(renewal: Renewal, at: number, now: number): number;
  readonly size: number;
}

/** The beats there are from an instant on, until the next version: by their period. */
interface Version {
  readonly since: number;
  /** Beats there had been by then. */
  readonly made: number;
  readonly groups: ReadonlyMap<number, RankTree>;
}

/** No beats yet. */
export function createRenewals(): Renewals {
  let versions: Version[] = [NOTHING];
  let longest = 0;
  let stale = 0;

  /** The last version that was there before an instant. */
  const before = (at: number): Version => {
    let low = 0;
    let high = versions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((versions[middle]?.since ?? Infinity) < at) low = middle + 1;
      else high = middle;
    }
    return versions[Math.max(0, low - 1)] ?? NOTHING;
  };
  /** Beats that had been made when an instant's beats were. */
  const made = (at: number): number => {
    const version = before(at);
    let count = version.made;
    for (const [everyMs, group] of version.groups) count += upTo(group, everyMs, at) - upTo(group, everyMs, version.since);
    return count;
  };
  const change = (everyMs: number, now: number, by: (group: RankTree | undefined) => RankTree | undefined): void => {
    const groups = new Map(versions.at(-1)?.groups);
    const group = by(groups.get(everyMs));
    if (group === undefined) groups.delete(everyMs);
    else groups.set(everyMs, group);
    const version = { since: now, made: made(now), groups };
    if (versions.at(-1)?.since === now) versions[versions.length - 1] = version;
    else versions.push(version);
    forget(now - longest);
  };
  /** Drops versions that were over before an instant, once they are the greater part. */
  const forget = (at: number): void => {
    while ((versions[stale + 1]?.since ?? Infinity) < at) stale++;
    if (stale <= versions.length / 2) return;
    versions = versions.slice(stale);
    stale = 0;
  };

  return withSize(
    {
      size: () => {
        let size = 0;
        for (const group of versions.at(-1)?.groups.values() ?? []) size += group.size;
        return size;
      },
    },
    {
      add(renewal, now) {
        longest = Math.max(longest, renewal.everyMs);
        change(renewal.everyMs, now, (group) => withRenewal(group, renewal));
      },
      remove: (renewal, now) => change(renewal.everyMs, now, (group) => withoutRenewal(group, renewal)),
      between: (from, to) => made(to) - made(from),
      after(renewal, at, now) {
        let count = made(now) - made(at);
        // Those at the same instant that come after it.
        for (const [everyMs, group] of before(at).groups)
          count += rankOf(group, (at % everyMs) + 1, -1) - rankOf(group, at % everyMs, renewal.order + 1);
        return count;
      },
    },
  );
}

const NOTHING: Version = { since: -Infinity, made: 0, groups: new Map() };

/** Beats of a group at or before an instant, counted from the epoch: a difference of two is a number of beats. */
const upTo = (group: RankTree, everyMs: number, at: number): number =>
  Math.floor(at / everyMs) * sizeOf(group) + rankOf(group, (at % everyMs) + 1, -1);
