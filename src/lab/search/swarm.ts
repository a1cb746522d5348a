/**
 * The way of a swarm: each run draws which kinds of fault it makes and how many it expects of each, and in half of the runs one or two are
 * slow all the time; half of the runs grow from one that was kept. No single mixture finds everything, many together do.
 */
import { faultKinds, type Chooser, type FaultKind, type Point, type Sort } from '../choices/index.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
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
  /** Names of the faults that may be drawn. */
  readonly faults: readonly string[];
}

/** One run: its number, and the run that it grows from. */
export interface Draw {
  readonly number: number;
  readonly parent?: readonly PointChoice[];
  /** These choices and no others: a run that is made again. */
  readonly replay?: readonly PointChoice[];
}

/** Of kinds of fault, as much takes part in a run. */
const TAKES_PART = 0.4;
/** How many of a kind a run expects to make. */
const EXPECTED: readonly number[] = [0.5, 1, 3];
/** Of the choices of the run it grows from, a run keeps as much. */
const KEEPS = 0.9;
const SLOW = 0.5;

interface Rate {
  readonly kind: FaultKind;
  /** At each point of its sorts. */
  readonly chance: number;
}

/** What somebody at a point does in this run of a search. */
export function swarming(field: Field, { number, parent = [] }: Draw, startAt: number): Chooser {
  const { seed, quietMs } = field;
  const kept = new Map(
    parent.filter(({ at }) => fractionOf(seed, number, 'keep', at) < KEEPS).map(({ at, injectedFault }) => [at, injectedFault] as const),
  );
  const rates = ratesOf(field, number);
  const made = new Set<string>();
  const endsAt = startAt + quietMs;
  return {
    slow: slowOnes(field, number, kept),
    choose({ sort, address }: Point, now) {
      // A crash leads a run by the same point again.
      if (now >= endsAt || made.has(address)) return undefined;
      const injectedFault = kept.get(address) ?? drawn(rates.get(sort), seed, number, sort, address);
      if (injectedFault !== undefined) made.add(address);
      return injectedFault;
    },
  };
}

function drawn(rates: readonly Rate[] | undefined, seed: number, number: number, sort: Sort, address: string): InjectedFault | undefined {
  for (const { kind, chance } of rates ?? [])
    if (fractionOf(seed, number, kind.name, address) < chance) return pickOf(kind.drawn(sort), seed, number, kind.name, 'how', address);
  return undefined;
}

function ratesOf({ seed, points, faults }: Field, number: number): ReadonlyMap<Sort, readonly Rate[]> {
  const rates = new Map<Sort, Rate[]>();
  for (const kind of faultKinds) {
    if (!faults.includes(kind.name) || kind.sorts.includes('actor')) continue;
    if (fractionOf(seed, number, 'takes part', kind.name) >= TAKES_PART) continue;
    const places = kind.sorts.reduce((sum, sort) => sum + (points[sort] ?? 0), 0);
    const expected = pickOf(EXPECTED, seed, number, 'expects', kind.name) ?? 1;
    if (places === 0) continue;
    for (const sort of kind.sorts) rates.set(sort, [...(rates.get(sort) ?? []), { kind, chance: expected / places }]);
  }
  return rates;
}

function slowOnes({ seed, actors, quietMs, faults }: Field, number: number, kept: ReadonlyMap<string, InjectedFault>): Chooser['slow'] {
  const slow = new Map<string, Extract<InjectedFault, { do: 'slow' }>>();
  for (const [at, injectedFault] of kept) if (injectedFault.do === 'slow') slow.set(at, injectedFault);
  const kind = faultKinds.find(({ name }) => name === 'slow');
  if (kind === undefined || !faults.includes(kind.name) || fractionOf(seed, number, 'slow') >= SLOW) return slow;
  const many = fractionOf(seed, number, 'how many slow') < 0.5 ? 1 : 2;
  for (let nth = 0; nth < many; nth++) {
    const at = pickOf(actors, seed, number, 'who is slow', nth);
    const injectedFault = pickOf(kind.drawn('actor'), seed, number, 'how slow', nth);
    if (at !== undefined && injectedFault?.do === 'slow') slow.set(at, { ...injectedFault, untilMs: quietMs });
  }
  return slow;
}
