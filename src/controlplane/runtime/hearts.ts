/**
 * Leases nobody watches cost nothing. A controller that would do nothing but renew one lease for a while says so; as long as nobody
 * watches leases, no fault is about and latencies are fixed, the runtime lets the lease beat in closed form (`beats.ts`) instead of
 * waking the controller. Whoever looks finds the same objects with the same values and revisions as if each renewal had been made.
 */
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import type { Change, Derived, WritableStore } from '../../apiserver/store/index.ts';
import { formatMicroTime } from '../../grammar/values/index.ts';
import { createBeats, type Beats } from './beats.ts';
import type { Pulse } from './observation.ts';
import type { Beat } from './rank-tree.ts';
import { withSize } from '../../engine/index.ts';

export const LEASE = 'Lease';

export interface Heart {
  readonly process: string;
  readonly controller: string;
  /** The key that renews it. */
  readonly key: string;
  /** `namespace/name` of the lease. */
  readonly lease: string;
  readonly beat: Beat;
  /** From a renewal's decision to its commit, milliseconds. */
  readonly delayMs: number;
  /** The decision after which the controller wants to be asked again; Infinity: never. */
  readonly until: number;
}

export interface Hearts {
  /** Starts one; false when it is not possible now. */
  start(heart: Omit<Heart, 'beat'> & { readonly nextDecisionAt: number; readonly everyMs: number }): boolean;
  /** Ends the heart of a key, if it has one: the lease is real again. Answers when its next renewal is to be decided. */
  stop(process: string, controller: string, key: string): number | undefined;
  /** Ends all of a process (undefined: of everybody) and hands each to `resume`. */
  stopAll(process: string | undefined, resume: (heart: Heart, nextDecisionAt: number) => void): void;
  has(process: string, controller: string, key: string): boolean;
  /** When the renewal arrives that a key's heart has decided on and not made yet; undefined: none is on its way. */
  onItsWay(process: string, controller: string, key: string): number | undefined;
  /** Whether a lease beats, and when its last beat was made; undefined: it never beat, or was renewed for all to see since. */
  pulse(lease: string): { readonly beating: boolean; readonly at: number } | undefined;
  /** The clock goes on to an instant. */
  advance(to: number): void;
  /** The end of something that forbids hearts. */
  forbid(): () => void;
  /** All of them, as plain data. */
  describe(): unknown;
  readonly size: number;
}

interface Options {
  readonly store: WritableStore;
  now(): number;
  /** Told of every lease that became real again: what the process's own caches should hold. */
  onReal(lease: string, object: ApiObject): void;
  /** Told of every heart whose lease somebody else wrote or deleted: its key has to see what is there now when its next renewal is due. */
  onDisturbed(heart: Heart, nextDecisionAt: number): void;
  readonly enabled: boolean;
  /** Hears of each heart when it begins, and again when it has ended. */
  readonly onPulse?: ((pulse: Pulse) => void) | undefined;
}

/** Commits per instant of the last while, to know how many came after a beat. */
type RecentCommits = ReturnType<typeof createRecentCommits>;

const createRecentCommits = () => {
  let instants: { readonly at: number; before: number }[] = [];
  let total = 0;
  let many = 8192;
  return {
    note(at: number): void {
      if (instants.at(-1)?.at !== at) {
        instants.push({ at, before: total });
        if (instants.length > many) {
          instants = instants.filter((one) => one.at > at - 120_000);
          many = Math.max(8192, instants.length * 2);
        }
      }
      total++;
    },
    /** Commits at or after an instant. */
    since(at: number): number {
      let low = 0;
      let high = instants.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((instants[middle]?.at ?? Infinity) >= at) high = middle;
        else low = middle + 1;
      }
      return total - (instants[low]?.before ?? total);
    },
  };
};

interface State extends Omit<Options, 'store'> {
  readonly store: WritableStore;
  readonly leases: Derived;
  readonly beats: Beats;
  readonly commits: RecentCommits;
  /** By process, controller and key. */
  readonly byOwner: Map<string, Map<string, Map<string, Heart>>>;
  readonly byLease: Map<string, Heart>;
  /** Leases that beat until lately: when their last beat was. */
  readonly lastBeats: Map<string, number>;
  /** Who wrote a lease last: only to that a renewal of the same process has nothing to add but its time. */
  readonly writers: Map<string, string>;
  /** How many forbid hearts. */
  forbidden: number;
  order: number;
  clock: number;
}

export function createHearts(options: Options): Hearts {
  const { store, now } = options;
  const byLease = new Map<string, Heart>();
  const leases = store.derive(LEASE, {
    refresh(key) {
      if (key === undefined) for (const heart of byLease.values()) flush(state, heart);
      else {
        const heart = byLease.get(key);
        if (heart !== undefined) flush(state, heart);
      }
    },
  });
  const state: State = {
    leases,
    beats: createBeats(),
    commits: createRecentCommits(),
    byOwner: new Map(),
    byLease,
    lastBeats: new Map(),
    writers: new Map(),
    forbidden: 0,
    order: 0,
    clock: now(),
    ...options,
  };
  store.onChange((change, { by }) => committed(state, change, by.process));
  return withSize(
    { size: () => byLease.size },
    {
      start: (wanted) => start(state, wanted),
      stop(process, controller, key) {
        const heart = heartOf(state, process, controller, key);
        return heart === undefined ? undefined : end(state, heart);
      },
      stopAll(process, resume) {
        for (const heart of process === undefined ? [...byLease.values()] : ofProcess(state, process)) resume(heart, end(state, heart));
      },
      onItsWay(process, controller, key) {
        const heart = heartOf(state, process, controller, key);
        if (heart === undefined) return undefined;
        const arrivesAt = (lastBeatAt(state, heart) ?? heart.beat.firstAt - heart.beat.everyMs) + heart.beat.everyMs;
        return arrivesAt - heart.delayMs < now() ? arrivesAt : undefined;
      },
      has: (process, controller, key) => heartOf(state, process, controller, key) !== undefined,
      pulse(lease) {
        const heart = byLease.get(lease);
        if (heart !== undefined) return { beating: true, at: lastBeatAt(state, heart) ?? now() };
        const at = state.lastBeats.get(lease);
        return at === undefined ? undefined : { beating: false, at };
      },
      advance(to) {
        if (state.beats.size > 0) leases.pass(state.beats.between(state.clock, to));
        state.clock = to;
      },
      forbid: () => forbid(state),
      describe: () => [byLease, state.lastBeats, state.writers, state.forbidden],
    },
  );
}

const heartOf = ({ byOwner }: State, process: string, controller: string, key: string): Heart | undefined =>
  byOwner.get(process)?.get(controller)?.get(key);

function own({ byOwner }: State, heart: Heart): void {
  let controllers = byOwner.get(heart.process);
  if (controllers === undefined) byOwner.set(heart.process, (controllers = new Map()));
  let keys = controllers.get(heart.controller);
  if (keys === undefined) controllers.set(heart.controller, (keys = new Map()));
  keys.set(heart.key, heart);
}

function disown({ byOwner }: State, { process, controller, key }: Heart): void {
  const controllers = byOwner.get(process);
  const keys = controllers?.get(controller);
  keys?.delete(key);
  if (keys?.size === 0) controllers?.delete(controller);
  if (controllers?.size === 0) byOwner.delete(process);
}

/** In the order in which they began, as they stand in `byLease`. */
const ofProcess = ({ byOwner }: State, process: string): readonly Heart[] =>
  [...(byOwner.get(process)?.values() ?? [])].flatMap((keys) => [...keys.values()]).sort((a, b) => a.beat.order - b.beat.order);

function lastBeatAt({ now }: State, { beat }: Heart): number | undefined {
  return now() < beat.firstAt ? undefined : beat.firstAt + Math.floor((now() - beat.firstAt) / beat.everyMs) * beat.everyMs;
}

/** Puts the present value of a lease into the store's table, as its last renewal left it. */
function flush(state: State, heart: Heart): ApiObject | undefined {
  const { store, leases, commits, beats, now } = state;
  const at = lastBeatAt(state, heart);
  const base = leases.stored(heart.lease);
  if (at === undefined || base === undefined) return base;
  const resourceVersion = String(store.revision - commits.since(at) - beats.after(heart.beat, at, now()));
  if (base.metadata.resourceVersion === resourceVersion) return base;
  const object: ApiObject = {
    ...base,
    metadata: { ...base.metadata, resourceVersion },
    spec: { ...(base['spec'] as object), renewTime: formatMicroTime(at - heart.delayMs) },
  };
  leases.put(heart.lease, object);
  return object;
}

/** Somebody wrote or deleted an object: a lease that beat is its holder's to look at again. Who leaves its time gives no sign of life. */
function committed(state: State, { type, kind, key, at, object, previous }: Change, process: string): void {
  state.commits.note(at);
  if (kind !== LEASE) return;
  if (type === 'DELETED') state.writers.delete(key);
  else state.writers.set(key, process);
  const signs = type === 'DELETED' || renewTimeOf(object) !== renewTimeOf(previous);
  if (signs) state.lastBeats.delete(key);
  const heart = state.byLease.get(key);
  if (heart === undefined) return;
  const beatAt = lastBeatAt(state, heart);
  const next = cut(state, heart);
  if (!signs && beatAt !== undefined) state.lastBeats.set(key, beatAt);
  state.onDisturbed(heart, next);
}

/** Forgets a heart; answers when its next renewal would have been decided. */
function cut(state: State, heart: Heart): number {
  state.beats.remove(heart.beat, state.now());
  disown(state, heart);
  state.byLease.delete(heart.lease);
  state.onPulse?.(pulseOf(heart, state.now()));
  return (lastBeatAt(state, heart) ?? heart.beat.firstAt - heart.beat.everyMs) - heart.delayMs + heart.beat.everyMs;
}

function end(state: State, heart: Heart): number {
  const object = flush(state, heart);
  const at = lastBeatAt(state, heart);
  const next = cut(state, heart);
  if (at !== undefined) state.lastBeats.set(heart.lease, at);
  // Also when it never beat: whoever relied on the heart has to look again.
  if (object !== undefined) state.onReal(heart.lease, object);
  return next;
}

function start(state: State, { nextDecisionAt, everyMs, ...spec }: Parameters<Hearts['start']>[0]): boolean {
  const { enabled, forbidden, byLease, leases, writers, now } = state;
  if (
    !enabled ||
    forbidden > 0 ||
    byLease.has(spec.lease) ||
    // The one before these is there, as its author made it: it did not fail, and nobody wrote over it.
    renewTimeOf(leases.stored(spec.lease)) !== formatMicroTime(nextDecisionAt - everyMs) ||
    writers.get(spec.lease) !== spec.process ||
    // The key was busy when it should have decided: it decides late, and goes on from there.
    nextDecisionAt <= now() ||
    nextDecisionAt + spec.delayMs - everyMs > now() ||
    nextDecisionAt >= spec.until
  )
    return false;
  const heart: Heart = { beat: { firstAt: nextDecisionAt + spec.delayMs, everyMs, order: ++state.order }, ...spec };
  own(state, heart);
  byLease.set(heart.lease, heart);
  state.beats.add(heart.beat, now());
  state.onPulse?.(pulseOf(heart));
  return true;
}

const renewTimeOf = (lease: ApiObject | undefined): unknown => (lease?.['spec'] as { readonly renewTime?: unknown } | undefined)?.renewTime;

const pulseOf = ({ process, controller, lease, delayMs, beat: { order, firstAt, everyMs } }: Heart, until?: number): Pulse => ({
  order,
  process,
  controller,
  lease,
  firstAt,
  everyMs,
  delayMs,
  ...(until === undefined ? {} : { until }),
});

function forbid(state: State): () => void {
  state.forbidden++;
  let lifted = false;
  return () => {
    if (!lifted) state.forbidden--;
    lifted = true;
  };
}
