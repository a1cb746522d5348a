/**
 * Livelock detection: the cluster, without what never repeats, has been in one state eight times, with writes in between. An action from
 * outside, and the effect of a schedule, start the count again: they are meant to repeat.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { accessors, type Fingerprint, fingerprintText, minus, NOTHING, plus } from '../../engine/index.ts';
import { abstractPrint } from './abstract.ts';
import type { Starvation } from './starvation.ts';
import { type Entry, withoutChance } from '../trace/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';

const withLivelockCurrentMost = accessors('livelock', 'current', 'most');

/** The number of visits of one state that counts as a livelock. Shipped scenarios reach four at most. */
const VISITS = 8;
/** The limit of writes that are reported of a livelock. */
const MOST_MOVES = 200;

/** A write that changed the state. */
export interface Move {
  readonly at: number;
  readonly actor: string;
  readonly controller: string | undefined;
  /** `create Pod default/*`. */
  readonly request: string;
  readonly kind: string;
  /** The reason of the decision that led to it, where there is one. */
  readonly why: string | undefined;
}

export interface Livelock {
  readonly visits: number;
  /** The writes between the last two visits, in order. */
  readonly moves: readonly Move[];
}

export interface LivelockWatch {
  observe(entry: Entry): void;
  /** The first livelock; undefined: none so far. */
  readonly livelock: Livelock | undefined;
  /** A livelock that no action from outside has ended; undefined: none. */
  readonly current: Livelock | undefined;
  /** The highest number of visits of one state so far. */
  readonly most: number;
}

type World = Pick<Cluster, 'store' | 'startAt'> & { readonly runtime: Pick<Cluster['runtime'], 'recurrences' | 'process'> };
type Write = Extract<Entry, { type: 'write' }>;

/** Events and leases are reports, of an occurrence and of liveness, and not desired state. */
const UNSEEN: ReadonlySet<string> = new Set(['Event', 'Lease']);

interface State {
  /** The sum of the fingerprints of all objects. */
  sum: Fingerprint;
  /** For each state, its visits and the number of writes before the last one. */
  visits: Map<string, { count: number; at: number }>;
  moves: Move[];
  /** The number of writes that are no longer kept. */
  forgotten: number;
  /** Reasons, by the identity of the decision. */
  readonly whys: Map<number, string>;
  /** Controllers that follow a schedule. */
  readonly recurring: Set<string>;
  livelock: Livelock | undefined;
  current: Livelock | undefined;
  most: number;
}

/** Creates a detector that observes from here on; `world`: returns the cluster, once it exists. */
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
      observe: (entry) => observe(state, world(), entry),
    },
  );
}

function observe(state: State, world: World | undefined, entry: Entry): void {
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
  // While a controller decides, its next timer is not set yet.
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

const MOST_LINES = 12;

export function livelockText({ visits, moves }: Livelock): { readonly message: string; readonly detail: readonly string[] } {
  const [first, last] = [moves[0], moves.at(-1)];
  const takes = first === undefined || last === undefined || last.at === first.at ? '' : `, ${formatDurationMs(last.at - first.at)} long`;
  const lines = moves.slice(0, MOST_LINES).map(moveText);
  const more = moves.length - lines.length;
  return {
    message: `livelock: the cluster was in one state ${visits} times, with ${moves.length === 1 ? 'a write' : `${moves.length} writes`} between${takes}`,
    detail: [...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])],
  };
}

const moveText = ({ actor, controller, request, why }: Move): string =>
  `${controller ?? actor}: ${withoutChance(request)}${why === undefined ? '' : `, because "${why}"`}`;

/** Returns a headline, and what fails. */
export const starvationText = ({
  process,
  controller,
  key,
  failures,
  said,
  why,
}: Starvation): { readonly message: string; readonly detail: readonly string[] } => ({
  message: `starvation: ${controller} in ${process} makes no progress with ${key}: ${failures} failures in a row, and no fault is active`,
  detail: [...(said === undefined ? [] : [`  the server answered: ${said}`]), `  its reason was "${why}"`],
});
