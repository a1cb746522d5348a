/**
 * Swarm testing: each run draws a subset of the faults, and how often to inject each. In half of the runs one or two actors are slow
 * throughout; half of the runs mutate a kept run. Different mixtures find different failures.
 */
import { hashValue } from '../../engine/index.ts';
import { pushTo } from '../../schema/values/index.ts';
import { type Chooser, type FaultKind, faultKinds, type Point, type Sort } from '../choices/index.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import type { History } from './history.ts';

/** Returns a fraction in [0, 1) for a seed and a name. */
export const fractionOf = (seed: number, ...name: readonly (string | number)[]): number =>
  (hashValue(`${seed} ${name.join(' ')}`) >>> 0) / 0x1_0000_0000;

/** Returns one of the items; undefined: there are none. */
const pickOf = <T>(items: readonly T[], seed: number, ...name: readonly (string | number)[]): T | undefined =>
  items[Math.floor(fractionOf(seed, ...name) * items.length)];

export class Corpus {
  private readonly reached = new Set<string>();
  private readonly entries: { readonly taken: readonly PointChoice[]; picks: number }[] = [];

  /** Keeps a run if it reached a new reason; returns whether it did. */
  offer(taken: readonly PointChoice[], reasons: Iterable<string>): boolean {
    const before = this.reached.size;
    for (const each of reasons) this.reached.add(each);
    const isNew = this.reached.size > before && taken.length > 0;
    if (isNew) this.entries.push({ taken, picks: 0 });
    return isNew;
  }

  /** Returns the run that has been mutated least often, the oldest of those. */
  pick(): readonly PointChoice[] | undefined {
    let least = this.entries[0];
    for (const entry of this.entries) if (least === undefined || entry.picks < least.picks) least = entry;
    if (least !== undefined) least.picks++;
    return least?.taken;
  }
}

/** The data about a scenario from which faults are drawn. */
export interface Field {
  readonly seed: number;
  /** The number of points of each sort in a run. */
  readonly points: Readonly<Record<string, number>>;
  /** Addresses of actors that could be slow, in order of appearance. */
  readonly actors: readonly string[];
  /** No fault is injected after this instant, milliseconds since the start. */
  readonly quietMs: number;
  readonly faults: readonly string[];
  /** What happened in the run without faults. */
  readonly history: History;
}

/** A run: its number, and the run that it mutates. */
export interface Draw {
  readonly number: number;
  readonly parent?: readonly PointChoice[];
  /** The place of its choices among the aims: a run by intention. */
  readonly aim?: number;
  /** Exactly these choices: a replay. */
  readonly replay?: readonly PointChoice[];
}

/** The share of the faults that take part in a run. */
const TAKES_PART = 0.4;
/** The expected number of faults of a kind in a run. */
const EXPECTED: readonly number[] = [0.5, 1, 3];
/** The share of choices that a mutated run keeps. */
const KEEPS = 0.9;
const SLOW = 0.5;

interface Rate {
  readonly kind: FaultKind;
  /** The probability at each point of its sorts. */
  readonly chance: number;
}

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
      // A run reaches the same point again after a crash.
      if (now >= endsAt || made.has(address)) return undefined;
      const injectedFault = kept.get(address) ?? drawn(field, rates.get(sort), number, sort, address);
      if (injectedFault !== undefined) made.add(address);
      return injectedFault;
    },
  };
}

function drawn(
  { seed, history: { happenings } }: Field,
  rates: readonly Rate[] | undefined,
  number: number,
  sort: Sort,
  address: string,
): InjectedFault | undefined {
  for (const { kind, chance } of rates ?? []) {
    if (fractionOf(seed, number, kind.name, address) >= chance) continue;
    const names = happenings.map(({ name }) => name);
    return pickOf(kind.drawn(sort, names), seed, number, kind.name, 'how', address);
  }
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
    for (const sort of kind.sorts) pushTo(rates, sort, { kind, chance: expected / places });
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
