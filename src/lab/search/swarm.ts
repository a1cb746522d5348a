/**
 * The way of a swarm: each run draws which kinds of deed it makes and how many it expects of each, and in half of the runs one or two are
 * slow all the time; half of the runs grow from one that was kept. No single mixture finds everything, many together do.
 */
import { deedKinds, type Chooser, type DeedKind, type Point, type Sort } from '../choices/index.ts';
import type { Deed, PointChoice } from '../scenario/index.ts';
import { fractionOf, pickOf } from './chance.ts';

/** What a search knows of a scenario before it draws. */
export interface Field {
  readonly seed: number;
  /** How many points of each sort a run comes by. */
  readonly points: Readonly<Record<string, number>>;
  /** Addresses of those who could be slow, in order of appearance. */
  readonly actors: readonly string[];
  /** Nothing goes otherwise after this instant, milliseconds since the start. */
  readonly quietMs: number;
  /** Names of the deeds that may be drawn. */
  readonly deeds: readonly string[];
}

/** One run: its number, and the run that it grows from. */
export interface Draw {
  readonly number: number;
  readonly parent?: readonly PointChoice[];
  /** These choices and no others: a run that is made again. */
  readonly replay?: readonly PointChoice[];
}

/** Of kinds of deed, as much takes part in a run. */
const TAKES_PART = 0.4;
/** How many of a kind a run expects to make. */
const EXPECTED: readonly number[] = [0.5, 1, 3];
/** Of the choices of the run it grows from, a run keeps as much. */
const KEEPS = 0.9;
const SLOW = 0.5;

interface Rate {
  readonly kind: DeedKind;
  /** At each point of its sorts. */
  readonly chance: number;
}

/** What somebody at a point does in this run of a search. */
export function swarming(field: Field, { number, parent = [] }: Draw, startAt: number): Chooser {
  const { seed, quietMs } = field;
  const kept = new Map(parent.filter(({ at }) => fractionOf(seed, number, 'keep', at) < KEEPS).map(({ at, deed }) => [at, deed] as const));
  const rates = ratesOf(field, number);
  const made = new Set<string>();
  const endsAt = startAt + quietMs;
  return {
    slow: slowOnes(field, number, kept),
    choose({ sort, address }: Point, now) {
      // A crash leads a run by the same point again.
      if (now >= endsAt || made.has(address)) return undefined;
      const deed = kept.get(address) ?? drawn(rates.get(sort), seed, number, sort, address);
      if (deed !== undefined) made.add(address);
      return deed;
    },
  };
}

function drawn(rates: readonly Rate[] | undefined, seed: number, number: number, sort: Sort, address: string): Deed | undefined {
  for (const { kind, chance } of rates ?? [])
    if (fractionOf(seed, number, kind.name, address) < chance) return pickOf(kind.drawn(sort), seed, number, kind.name, 'how', address);
  return undefined;
}

function ratesOf({ seed, points, deeds }: Field, number: number): ReadonlyMap<Sort, readonly Rate[]> {
  const rates = new Map<Sort, Rate[]>();
  for (const kind of deedKinds) {
    if (!deeds.includes(kind.name) || kind.sorts.includes('actor')) continue;
    if (fractionOf(seed, number, 'takes part', kind.name) >= TAKES_PART) continue;
    const places = kind.sorts.reduce((sum, sort) => sum + (points[sort] ?? 0), 0);
    const expected = pickOf(EXPECTED, seed, number, 'expects', kind.name) ?? 1;
    if (places === 0) continue;
    for (const sort of kind.sorts) rates.set(sort, [...(rates.get(sort) ?? []), { kind, chance: expected / places }]);
  }
  return rates;
}

function slowOnes({ seed, actors, quietMs, deeds }: Field, number: number, kept: ReadonlyMap<string, Deed>): Chooser['slow'] {
  const slow = new Map<string, Extract<Deed, { do: 'slow' }>>();
  for (const [at, deed] of kept) if (deed.do === 'slow') slow.set(at, deed);
  const kind = deedKinds.find(({ name }) => name === 'slow');
  if (kind === undefined || !deeds.includes(kind.name) || fractionOf(seed, number, 'slow') >= SLOW) return slow;
  const many = fractionOf(seed, number, 'how many slow') < 0.5 ? 1 : 2;
  for (let nth = 0; nth < many; nth++) {
    const at = pickOf(actors, seed, number, 'who is slow', nth);
    const deed = pickOf(kind.drawn('actor'), seed, number, 'how slow', nth);
    if (at !== undefined && deed?.do === 'slow') slow.set(at, { ...deed, untilMs: quietMs });
  }
  return slow;
}
