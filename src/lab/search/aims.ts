/**
 * What a search tries by intention: single faults at the moments that matter to the user's controllers, the most promising first, then pairs
 * of them around their creations, deletions and finalizers. Swarm testing tries what nobody thought of. After Sieve (OSDI 2022): what a
 * controller sees is perturbed around the events that it cares for, and its writes around each other.
 */
import { compareText, keptIn } from '../../schema/values/index.ts';
import { faultKinds } from '../choices/index.ts';
import type { InjectedFault, PointChoice, Transition } from '../scenario/index.ts';
import type { Deciding, Happening, History } from './history.ts';

/** The rank of what happens to an object, or of the request that makes it happen. Lower ones are tried first. */
const RANKS: Readonly<Record<Transition, number>> = {
  created: 0,
  gone: 0,
  deleting: 0,
  finalizers: 1,
  spec: 1,
  owners: 1,
  status: 2,
  metadata: 3,
};

/** Returns the requests that create, delete, adopt, let go or change a spec, around which pairs are made; all where there are none. */
function criticalOf({ writes }: Moments): readonly Deciding[] {
  const critical = writes.filter(({ did }) => did !== undefined && RANKS[did] <= 1);
  return critical.length > 0 ? critical : writes;
}

const LONG_MS = 30_000;
const SHORT_MS = 3_000;
/** What is held until another event comes after it. */
const AFTERWARDS_MS = 60;

const choose = (at: string, injectedFault: InjectedFault): PointChoice => ({ at, injectedFault });

interface Moments {
  /** Requests of my controllers that change something, the critical ones first. */
  readonly writes: readonly Deciding[];
  /** Decisions of my controllers, in order. */
  readonly decisions: readonly Deciding[];
  /** What happens to objects that my controllers care for and that a process of mine sees, in order. */
  readonly happenings: readonly (Happening & { readonly see: string })[];
}

/** Returns the moments of a run that concern my controllers. */
function momentsIn({ mine, kinds, happenings, deciding }: History): Moments {
  const isMine = new Set(mine);
  const cared = new Set(kinds);
  const own = deciding.filter(({ who }) => isMine.has(who));
  const processes = [...new Set(own.map(({ process }) => process))].sort(compareText);
  return {
    writes: own
      .filter(({ sort, did }) => sort === 'write' && did !== undefined)
      .sort((a, b) => RANKS[a.did ?? 'metadata'] - RANKS[b.did ?? 'metadata'] || a.atMs - b.atMs),
    decisions: own.filter(({ sort }) => sort === 'decide'),
    happenings: happenings
      .filter(({ kind }) => cared.has(kind))
      .flatMap((each) =>
        processes.flatMap((process) => {
          const see = each.seen.get(process);
          return see === undefined ? [] : [{ ...each, see }];
        }),
      ),
  };
}

const ranked = (happenings: Moments['happenings']): Moments['happenings'] =>
  happenings.toSorted((a, b) => RANKS[a.what] - RANKS[b.what] || a.atMs - b.atMs);

/** Returns how long to keep an event back: until after some of those that follow it, and longer. */
function spansFrom({ atMs }: Happening, happenings: Moments['happenings']): readonly number[] {
  const next = [...new Set(happenings.map((other) => other.atMs - atMs).filter((ms) => ms > 0))].sort((a, b) => a - b);
  return [...new Set([LONG_MS, SHORT_MS, ...next.slice(0, 4).map((ms) => ms + AFTERWARDS_MS)])];
}

/** Each event with each span: the first span of all events, then the second of all. */
function delayed({ happenings }: Moments, fault: (ms: number) => InjectedFault): readonly PointChoice[] {
  const spans = ranked(happenings).map((each) => ({ see: each.see, spans: spansFrom(each, happenings) }));
  const most = Math.max(0, ...spans.map((each) => each.spans.length));
  return Array.from({ length: most }, (_, nth) =>
    spans.flatMap(({ see, spans: all }) => (all[nth] === undefined ? [] : [choose(see, fault(all[nth]))])),
  ).flat();
}

/** Restarts with lists as of just before something happened, at each decision after it: the last decisions first. */
function restarts({ decisions, happenings }: Moments): readonly PointChoice[] {
  const events = ranked(happenings);
  const late = decisions.toReversed();
  const found: PointChoice[] = [];
  for (let sum = 0; sum < late.length + events.length - 1; sum++)
    for (let nth = Math.max(0, sum - events.length + 1); nth <= Math.min(sum, late.length - 1); nth++) {
      const [decision, event] = [late[nth], events[sum - nth]];
      if (decision === undefined || event === undefined || event.atMs >= decision.atMs) continue;
      found.push(choose(decision.at, { do: 'crash', when: 'before', restartAfterMs: 1, asOf: `before ${event.name}` }));
    }
  return found;
}

const frozen = (choice: PointChoice): PointChoice =>
  choice.injectedFault.do === 'crash' ? { ...choice, injectedFault: { ...choice.injectedFault, frozenMs: LONG_MS } } : choice;

const MEDDLING: readonly string[] = ['meddle', 'recreate', 'scale', 'unlabel'];

/** Each edit of each object at each request: the first edit of all, then the second of all. */
function meddlings({ writes }: Moments): readonly PointChoice[] {
  const kinds = faultKinds.filter(({ name }) => MEDDLING.includes(name));
  return kinds.flatMap((kind) => kind.drawn('write')).flatMap((fault) => writes.map(({ at }) => choose(at, fault)));
}

/** Returns the lists of single faults, each in its order. */
function listsOf(moments: Moments): Readonly<Record<string, readonly PointChoice[]>> {
  const { writes } = moments;
  const at = (...faults: readonly InjectedFault[]): readonly PointChoice[] =>
    faults.flatMap((fault) => writes.map((each) => choose(each.at, fault)));
  const old = restarts(moments);
  return {
    crash: at({ do: 'crash', when: 'after', restartAfterMs: 1 }, { do: 'crash', when: 'before', restartAfterMs: SHORT_MS }),
    hold: delayed(moments, (ms) => ({ do: 'hold', ms })),
    old,
    gap: delayed(moments, (ms) => ({ do: 'gap', ms: Math.min(ms, SHORT_MS) })),
    lose: at({ do: 'lose' }),
    freeze: delayed(moments, (ms) => ({ do: 'freeze', ms })),
    refuse: at({ do: 'refuse', code: 409 }, { do: 'refuse', code: 500 }),
    oldForLong: old.map(frozen),
    late: at({ do: 'late', ms: SHORT_MS }, { do: 'late', ms: 10_000 }),
    ghost: at(
      { do: 'crash', when: 'during', restartAfterMs: 1, arrivesAfterMs: 2_000 },
      { do: 'crash', when: 'during', restartAfterMs: 1, arrivesAfterMs: 100 },
    ),
    meddle: meddlings(moments),
  };
}

/** Returns single faults at the moments that matter, with those of each list in turn. */
function singlesOf(moments: Moments, faults: readonly string[]): readonly PointChoice[] {
  const used = new Set(faults);
  const lists = Object.values(listsOf(moments)).map((list) => list.filter(({ injectedFault }) => used.has(injectedFault.do)));
  const most = Math.max(0, ...lists.map(({ length }) => length));
  const found = new Map<string, PointChoice>();
  for (let nth = 0; nth < most; nth++)
    for (const list of lists) {
      const choice = list[nth];
      if (choice !== undefined) found.set(JSON.stringify(choice), choice);
    }
  return [...found.values()];
}

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
function pairsOf(moments: Moments, faults: readonly string[]): readonly (readonly [PointChoice, PointChoice])[] {
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

/** All that a search tries by intention, in order. */
interface Aims {
  readonly singles: readonly PointChoice[];
  /** Pairs in which the first choice comes before the second. */
  readonly pairs: readonly (readonly [PointChoice, PointChoice])[];
}

const known = new WeakMap<History, Map<string, Aims>>();

/** Returns the aims of a search with these faults. */
export const aimsOf = (history: History, faults: readonly string[]): Aims =>
  keptIn(
    keptIn(known, history, () => new Map<string, Aims>()),
    faults.join(' '),
    () => {
      const moments = momentsIn(history);
      return { singles: singlesOf(moments, faults), pairs: pairsOf(moments, faults) };
    },
  );
