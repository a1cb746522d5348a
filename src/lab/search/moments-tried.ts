/**
 * The moments of the controllers that a search is about (their decisions and writes, and what they see), and how many single faults and
 * pairs of moments the runs of a search have tried.
 */
import { faultKinds, type Point, type Sort } from '../choices/index.ts';
import { compareText } from '../../schema/values/index.ts';
import type { PointChoice } from '../scenario/index.ts';
import type { History } from './history.ts';

/** A moment of the run without faults. */
export interface Moment {
  readonly address: string;
  readonly sort: Sort;
  /** The controller; of what is seen: the process and the kind. */
  readonly whom: string;
}

/** The faults tried at moments: `crash decide controller-manager job default/a w0+1`; and pairs of moments with a fault in one run. */
export interface MomentsTried {
  readonly single: ReadonlySet<string>;
  /** Two numbers of moments, the smaller first: `3 17`. */
  readonly pairs: ReadonlySet<string>;
}

/** A row of the coverage: a fault at the moments of a controller. */
export interface MomentRow {
  readonly whom: string;
  readonly injectedFault: string;
  readonly tried: number;
  readonly of: number;
}

/** How much of what was possible a search has tried. */
export interface MomentCoverage {
  /** The controllers; empty: all. */
  readonly controllers: readonly string[];
  readonly moments: number;
  /** The number of kinds of faults that can happen at these moments. */
  readonly kinds: number;
  /** Single faults: one kind at one moment, in any strength. */
  readonly single: { readonly tried: number; readonly of: number };
  readonly pairs: { readonly tried: number; readonly of: number };
  readonly rows: readonly MomentRow[];
}

/** At most so many pairs are remembered: beyond, the number is a lower bound. */
const MOST_PAIRS = 500_000;

/** Returns the moments among the points of a run: those of the user's controllers, and of all where there are none. */
export function momentsOf(points: Iterable<Point>, { kinds }: Pick<History, 'kinds'>, mine: ReadonlySet<string>): readonly Moment[] {
  const read = new Set(kinds);
  return [...points].flatMap(({ sort, address, process, who }): readonly Moment[] => {
    if (mine.size > 0 && (sort === 'see' ? !read.has(who) : !mine.has(who))) return [];
    return [{ address, sort, whom: sort === 'see' ? `${process} sees ${who}` : sort === 'start' ? 'containers' : who }];
  });
}

/** Creates the record of what is tried at moments. */
export function recordMoments(moments: readonly Moment[]) {
  const numbers = new Map(moments.map(({ address }, at) => [address, at]));
  const single = new Set<string>();
  const pairs = new Set<string>();
  return {
    tried: { single, pairs } satisfies MomentsTried,
    note(taken: readonly PointChoice[]): void {
      const at: number[] = [];
      for (const { at: address, injectedFault } of taken) {
        const number = numbers.get(address);
        if (number === undefined) continue;
        single.add(`${injectedFault.do} ${address}`);
        at.push(number);
      }
      at.sort((a, b) => a - b);
      for (const [nth, first] of at.entries())
        for (const second of at.slice(nth + 1)) if (first !== second && pairs.size < MOST_PAIRS) pairs.add(`${first} ${second}`);
    },
  };
}

/** Merges what the parts of a search have tried. */
export const addMoments = (parts: readonly MomentsTried[]): MomentsTried => ({
  single: new Set(parts.flatMap(({ single }) => [...single])),
  pairs: new Set(parts.flatMap(({ pairs }) => [...pairs])),
});

/** Returns how much of what was possible has been tried with these kinds of faults. */
export function momentCoverage(
  moments: readonly Moment[],
  { single, pairs }: MomentsTried,
  faults: readonly string[],
  controllers: Iterable<string>,
): MomentCoverage {
  const kinds = faultKinds.filter(({ name, sorts }) => faults.includes(name) && sorts.some((sort) => sort !== 'actor'));
  const rows = new Map<string, { whom: string; injectedFault: string; tried: number; of: number }>();
  const used = new Set<string>();
  for (const { address, sort, whom } of moments)
    for (const { name, sorts } of kinds) {
      if (!sorts.includes(sort)) continue;
      used.add(name);
      const row = rows.get(`${name} ${whom}`) ?? { whom, injectedFault: name, tried: 0, of: 0 };
      row.of++;
      if (single.has(`${name} ${address}`)) row.tried++;
      rows.set(`${name} ${whom}`, row);
    }
  const all = [...rows.values()].sort((a, b) => compareText(a.whom, b.whom) || compareText(a.injectedFault, b.injectedFault));
  return {
    controllers: [...controllers].sort(compareText),
    moments: moments.length,
    kinds: used.size,
    single: { tried: all.reduce((sum, { tried }) => sum + tried, 0), of: all.reduce((sum, { of }) => sum + of, 0) },
    pairs: { tried: pairs.size, of: (moments.length * (moments.length - 1)) / 2 },
    rows: all,
  };
}
