/**
 * Going round in circles: the world, without what never comes back, has been in one state eight times, with writes between. Whoever does
 * something from outside, and whatever comes of a schedule, begins anew: it is meant to come again.
 */
import { fingerprintText, minus, NOTHING, plus, type Fingerprint, accessors } from '../../engine/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Entry } from '../trace/index.ts';
import { abstractPrint } from './abstract.ts';

const withLivelockCurrentMost = accessors('livelock', 'current', 'most');

/** So often in one state is a circle. Shipped scenarios come to four at most. */
const VISITS = 8;
/** Of a circle, so many writes are told. */
const MOST_MOVES = 200;

/** A write that changed the state. */
export interface Move {
  readonly at: number;
  readonly actor: string;
  readonly controller: string | undefined;
  /** `create Pod default/*`. */
  readonly request: string;
  readonly kind: string;
  /** Why its author decided so, where a decision led to it. */
  readonly why: string | undefined;
}

/** What comes again and again. */
export interface Livelock {
  readonly visits: number;
  /** What was written between the last two visits, in order. */
  readonly moves: readonly Move[];
}

export interface LivelockWatch {
  hear(entry: Entry): void;
  /** The first circle; undefined: there is none so far. */
  readonly livelock: Livelock | undefined;
  /** One that nobody from outside has ended since; undefined: it goes round in none. */
  readonly current: Livelock | undefined;
  /** The most often that any one state has been seen so far. */
  readonly most: number;
}

type World = Pick<Cluster, 'store' | 'startAt'> & { readonly runtime: Pick<Cluster['runtime'], 'recurrences' | 'process'> };
type Write = Extract<Entry, { type: 'write' }>;

/** Events tell what happened, leases that somebody is there: neither is what somebody wants. */
const UNSEEN: ReadonlySet<string> = new Set(['Event', 'Lease']);

interface State {
  /** All objects, summed. */
  sum: Fingerprint;
  /** By state: how often, and how many moves there had been when it was last. */
  visits: Map<string, { count: number; at: number }>;
  moves: Move[];
  /** Moves that are kept no more. */
  forgotten: number;
  /** Why, by the identity of the decision. */
  readonly whys: Map<number, string>;
  /** Controllers that go by a schedule. */
  readonly recurring: Set<string>;
  livelock: Livelock | undefined;
  current: Livelock | undefined;
  most: number;
}

/** Watches from here on; `world`: where it happens, once it is there. */
export function watchLivelocks(world: () => World | undefined): LivelockWatch {
  const state: State = {
    sum: NOTHING,
    visits: new Map(),
    moves: [],
    forgotten: 0,
    whys: new Map(),
    recurring: new Set(),
    livelock: undefined,
    current: undefined,
    most: 0,
  };
  return withLivelockCurrentMost(
    {
      livelock: () => state.livelock,
      current: () => state.current,
      most: () => state.most,
    },
    {
      hear: (entry) => hear(state, world(), entry),
    },
  );
}

function hear(state: State, world: World | undefined, entry: Entry): void {
  if (entry.type === 'reconcile') {
    if (entry.writes > 0) state.whys.set(entry.id, entry.why);
    if (state.whys.size > 10_000) state.whys.clear();
  } else if (entry.type === 'fault' || entry.type === 'operation') begin(state);
  else if (entry.type === 'write') moved(state, world, entry);
}

function moved(state: State, world: World | undefined, { at, change, actor, controller, request, causes }: Write): void {
  const { kind, type, object, previous } = change;
  if (UNSEEN.has(kind)) return;
  const before = previous === undefined ? NOTHING : abstractPrint(previous);
  const after = type === 'DELETED' ? NOTHING : abstractPrint(object);
  if (before.a === after.a && before.b === after.b) return;
  state.sum = plus(minus(state.sum, before), after);
  if (controller === undefined && world?.runtime.process(actor) === undefined) {
    begin(state);
    return;
  }
  // While one of them decides, its next turn is not planned yet: whoever writes in between sees it.
  if (world !== undefined && world.runtime.recurrences.atMost > 0)
    for (const recurrence of world.runtime.recurrences.pending()) state.recurring.add(recurrence.controller);
  const why = causes.map((id) => state.whys.get(id)).find((text) => text !== undefined);
  state.moves.push({ at, actor, controller, request, kind, why });
  const count = state.moves.length + state.forgotten;
  const print = fingerprintText(state.sum);
  const known = state.visits.get(print);
  const visit = { count: (known?.count ?? 0) + 1, at: count };
  state.visits.set(print, visit);
  if (visit.count > state.most) state.most = visit.count;
  if (visit.count >= VISITS && state.current === undefined) close(state, visit.count, (known?.at ?? 0) - state.forgotten);
  if (state.moves.length > 2 * MOST_MOVES) {
    state.forgotten += MOST_MOVES;
    state.moves = state.moves.slice(MOST_MOVES);
  }
}

/** From outside: what comes again after it is no circle yet. */
function begin(state: State): void {
  state.visits = new Map();
  state.moves = [];
  state.forgotten = 0;
  state.most = 0;
  state.current = undefined;
}

function close(state: State, visits: number, from: number): void {
  const moves = state.moves.slice(Math.max(0, from));
  if (moves.some(({ controller }) => controller !== undefined && state.recurring.has(controller))) begin(state);
  else {
    state.current = { visits, moves: moves.slice(0, MOST_MOVES) };
    state.livelock ??= state.current;
  }
}
