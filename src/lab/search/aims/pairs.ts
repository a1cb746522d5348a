/** Pairs of faults around the creations, deletions and finalizer updates of my controllers. */
import type { InjectedFault, PointChoice } from '../../scenario/index.ts';
import type { Deciding } from './history.ts';
import { criticalOf, type Moments } from './singles.ts';

/** The number of pairs of a search: a bound on memory, not on worth. */
const MOST_PAIRS = 20_000;
/** A fault this long before a critical request still meets it. */
const NEAR_MS = 5_000;

interface Placed {
  readonly choice: PointChoice;
  readonly atMs: number;
}

const AT_WRITES: readonly InjectedFault[] = [
  { do: 'crash', when: 'after', restartAfterMs: 1 },
  { do: 'lose' },
  { do: 'late', ms: 3_000 },
  { do: 'refuse', code: 409 },
  { do: 'crash', when: 'during', restartAfterMs: 1, arrivesAfterMs: 2_000 },
];
const AT_EVENTS: readonly InjectedFault[] = [
  { do: 'hold', ms: 3_000 },
  { do: 'gap', ms: 3_000 },
  { do: 'hold', ms: 30_000 },
];

function placed(moments: Moments, used: ReadonlySet<string>): readonly Placed[] {
  const { happenings } = moments;
  const critical = criticalOf(moments);
  // A controller that writes nothing without faults is misled by what it sees.
  const isNear = (atMs: number): boolean => critical.length === 0 || critical.some((each) => Math.abs(each.atMs - atMs) <= NEAR_MS);
  const usedOf = (faults: readonly InjectedFault[]): readonly InjectedFault[] => faults.filter((fault) => used.has(fault.do));
  const at = ({ at: address, atMs }: Pick<Deciding, 'at' | 'atMs'>, fault: InjectedFault): Placed => ({
    choice: { at: address, injectedFault: fault },
    atMs,
  });
  const near = happenings.filter(({ atMs }) => isNear(atMs));
  const lists = [
    ...usedOf(AT_WRITES).map((fault) => critical.map((each) => at(each, fault))),
    ...usedOf(AT_EVENTS).map((fault) => near.map(({ see, atMs }) => at({ at: see, atMs }, fault))),
  ];
  const most = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, nth) => lists.flatMap((list) => (list[nth] === undefined ? [] : [list[nth]]))).flat();
}

/** Returns pairs of choices, the promising ones first; the first choice of a pair is the earlier one. */
export function pairsOf(moments: Moments, faults: readonly string[]): readonly (readonly [PointChoice, PointChoice])[] {
  const all = placed(moments, new Set(faults));
  const pairs: (readonly [PointChoice, PointChoice])[] = [];
  for (let later = 1; later < all.length && pairs.length < MOST_PAIRS; later++)
    for (let sooner = 0; sooner < later && pairs.length < MOST_PAIRS; sooner++) {
      const [a, b] = [all[sooner], all[later]];
      if (a === undefined || b === undefined || a.choice.at === b.choice.at) continue;
      pairs.push(a.atMs <= b.atMs ? [a.choice, b.choice] : [b.choice, a.choice]);
    }
  return pairs;
}
