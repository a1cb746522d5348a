/**
 * Elides lease renewals that no process watches (`renewals.ts`), while no fault is active and latencies are fixed. The controller that would
 * only renew the lease is not woken. Readers find the same values and revisions as if each renewal had been made.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change, Derived, WritableStore } from '../../apiserver/store/index.ts';
import { formatMicroTime } from '../../schema/values/index.ts';
import { createRenewals, type Renewals, type Renewal } from './renewals.ts';
import type { RenewalInterval } from './observation.ts';
import { withSize } from '../../engine/index.ts';

export const LEASE = 'Lease';

export interface ElidedLease {
  readonly process: string;
  readonly controller: string;
  /** The key that renews it. */
  readonly key: string;
  /** `namespace/name` of the lease. */
  readonly lease: string;
  readonly renewal: Renewal;
  /** From a renewal's decision to its commit, milliseconds. */
  readonly delayMs: number;
  /** The first decision that the controller makes itself; Infinity: never. */
  readonly until: number;
}

export interface RenewalElision {
  /** Starts an elision; false when that is not possible now. */
  start(elided: Omit<ElidedLease, 'renewal'> & { readonly nextDecisionAt: number; readonly everyMs: number }): boolean;
  /** Ends the elision of a key, if there is one: its renewals are real writes again. Returns when the next one is to be decided. */
  stop(process: string, controller: string, key: string): number | undefined;
  /** Ends all elisions of a process (undefined: of all processes) and passes each to `resume`. */
  stopAll(process: string | undefined, resume: (elided: ElidedLease, nextDecisionAt: number) => void): void;
  has(process: string, controller: string, key: string): boolean;
  /** When the renewal of a key that is decided and not committed yet arrives; undefined: none is in flight. */
  onItsWay(process: string, controller: string, key: string): number | undefined;
  /** Whether renewals of a lease are elided, and when the last one was; undefined: never, or a real renewal has followed. */
  renewalInterval(lease: string): { readonly beating: boolean; readonly at: number } | undefined;
  /** Advances the clock to an instant. */
  advance(to: number): void;
  /** Forbids elision until the returned function is called. */
  forbid(): () => void;
  /** All elided leases, as plain data. */
  describe(): unknown;
  readonly size: number;
}

interface Options {
  readonly store: WritableStore;
  now(): number;
  /** Called for every lease that is renewed for real again, with the object that the process's own caches should hold. */
  onReal(lease: string, object: ApiObject): void;
  /** Called for each elision whose lease another process wrote or deleted: its key reads the lease when its next renewal is due. */
  onDisturbed(elided: ElidedLease, nextDecisionAt: number): void;
  readonly enabled: boolean;
  /** Called when an elision begins, and again when it ends. */
  readonly onRenewalInterval?: ((renewalInterval: RenewalInterval) => void) | undefined;
}

/** Commits per instant of the recent past, to count those after a renewal. */
type RecentCommits = ReturnType<typeof createRecentCommits>;

const createRecentCommits = () => {
  const past: { instants: { readonly at: number; before: number }[]; total: number; many: number } = { instants: [], total: 0, many: 8192 };
  return {
    note(at: number): void {
      if (past.instants.at(-1)?.at !== at) {
        past.instants.push({ at, before: past.total });
        if (past.instants.length > past.many) {
          past.instants = past.instants.filter((one) => one.at > at - 120_000);
          past.many = Math.max(8192, past.instants.length * 2);
        }
      }
      past.total++;
    },
    /** Commits at or after an instant. */
    since(at: number): number {
      let low = 0;
      let high = past.instants.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((past.instants[middle]?.at ?? Infinity) >= at) high = middle;
        else low = middle + 1;
      }
      return past.total - (past.instants[low]?.before ?? past.total);
    },
  };
};

interface State extends Omit<Options, 'store'> {
  readonly store: WritableStore;
  readonly leases: Derived;
  readonly renewals: Renewals;
  readonly commits: RecentCommits;
  /** By process, controller and key. */
  readonly byOwner: Map<string, Map<string, Map<string, ElidedLease>>>;
  readonly byLease: Map<string, ElidedLease>;
  /** Leases whose elision has ended: the time of the last elided renewal. */
  readonly lastRenewals: Map<string, number>;
  /** The last writer of each lease: an elided renewal must follow a write of the same process, so that only the time differs. */
  readonly writers: Map<string, string>;
  /** The reasons that forbid elision now. */
  readonly forbidden: Set<object>;
  order: number;
  clock: number;
}

export function createRenewalElision(options: Options): RenewalElision {
  const { store, now } = options;
  const byLease = new Map<string, ElidedLease>();
  const leases = store.derive(LEASE, {
    refresh(key) {
      if (key === undefined) for (const elided of byLease.values()) flush(state, elided);
      else {
        const elided = byLease.get(key);
        if (elided !== undefined) flush(state, elided);
      }
    },
  });
  const state: State = {
    leases,
    renewals: createRenewals(),
    commits: createRecentCommits(),
    byOwner: new Map(),
    byLease,
    lastRenewals: new Map(),
    writers: new Map(),
    forbidden: new Set(),
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
        const elided = elidedLeaseOf(state, process, controller, key);
        return elided === undefined ? undefined : end(state, elided);
      },
      stopAll(process, resume) {
        for (const elided of process === undefined ? [...byLease.values()] : ofProcess(state, process)) resume(elided, end(state, elided));
      },
      onItsWay(process, controller, key) {
        const elided = elidedLeaseOf(state, process, controller, key);
        if (elided === undefined) return undefined;
        const arrivesAt = (lastRenewalAt(state, elided) ?? elided.renewal.firstAt - elided.renewal.everyMs) + elided.renewal.everyMs;
        return arrivesAt - elided.delayMs < now() ? arrivesAt : undefined;
      },
      has: (process, controller, key) => elidedLeaseOf(state, process, controller, key) !== undefined,
      renewalInterval(lease) {
        const elided = byLease.get(lease);
        if (elided !== undefined) return { beating: true, at: lastRenewalAt(state, elided) ?? now() };
        const at = state.lastRenewals.get(lease);
        return at === undefined ? undefined : { beating: false, at };
      },
      advance(to) {
        if (state.renewals.size > 0) leases.pass(state.renewals.between(state.clock, to));
        state.clock = to;
      },
      forbid: () => forbid(state),
      describe: () => [byLease, state.lastRenewals, state.writers, state.forbidden.size],
    },
  );
}

const elidedLeaseOf = ({ byOwner }: State, process: string, controller: string, key: string): ElidedLease | undefined =>
  byOwner.get(process)?.get(controller)?.get(key);

function register({ byOwner }: State, elided: ElidedLease): void {
  let controllers = byOwner.get(elided.process);
  if (controllers === undefined) byOwner.set(elided.process, (controllers = new Map()));
  let keys = controllers.get(elided.controller);
  if (keys === undefined) controllers.set(elided.controller, (keys = new Map()));
  keys.set(elided.key, elided);
}

function unregister({ byOwner }: State, { process, controller, key }: ElidedLease): void {
  const controllers = byOwner.get(process);
  const keys = controllers?.get(controller);
  keys?.delete(key);
  if (keys?.size === 0) controllers?.delete(controller);
  if (controllers?.size === 0) byOwner.delete(process);
}

/** In the order in which they started, as in `byLease`. */
const ofProcess = ({ byOwner }: State, process: string): readonly ElidedLease[] =>
  [...(byOwner.get(process)?.values() ?? [])].flatMap((keys) => [...keys.values()]).sort((a, b) => a.renewal.order - b.renewal.order);

function lastRenewalAt({ now }: State, { renewal }: ElidedLease): number | undefined {
  return now() < renewal.firstAt ? undefined : renewal.firstAt + Math.floor((now() - renewal.firstAt) / renewal.everyMs) * renewal.everyMs;
}

/** Puts the present value of a lease into the store's table, as the last elided renewal left it. */
function flush(state: State, elided: ElidedLease): ApiObject | undefined {
  const { store, leases, commits, renewals, now } = state;
  const at = lastRenewalAt(state, elided);
  const base = leases.stored(elided.lease);
  if (at === undefined || base === undefined) return base;
  const resourceVersion = String(store.revision - commits.since(at) - renewals.after(elided.renewal, at, now()));
  if (base.metadata.resourceVersion === resourceVersion) return base;
  const object: ApiObject = {
    ...base,
    metadata: { ...base.metadata, resourceVersion },
    spec: { ...(base['spec'] as object), renewTime: formatMicroTime(at - elided.delayMs) },
  };
  leases.put(elided.lease, object);
  return object;
}

/** The holder of an elided lease reads it again after a write or deletion. A write that keeps the renew time is no renewal. */
function committed(state: State, { type, kind, key, at, object, previous }: Change, process: string): void {
  state.commits.note(at);
  if (kind !== LEASE) return;
  if (type === 'DELETED') state.writers.delete(key);
  else state.writers.set(key, process);
  const signs = type === 'DELETED' || renewTimeOf(object) !== renewTimeOf(previous);
  if (signs) state.lastRenewals.delete(key);
  const elided = state.byLease.get(key);
  if (elided === undefined) return;
  const renewalAt = lastRenewalAt(state, elided);
  const next = cut(state, elided);
  if (!signs && renewalAt !== undefined) state.lastRenewals.set(key, renewalAt);
  state.onDisturbed(elided, next);
}

/** Removes an elision; returns when its next renewal would have been decided. */
function cut(state: State, elided: ElidedLease): number {
  state.renewals.remove(elided.renewal, state.now());
  unregister(state, elided);
  state.byLease.delete(elided.lease);
  state.onRenewalInterval?.(renewalIntervalOf(elided, state.now()));
  return (lastRenewalAt(state, elided) ?? elided.renewal.firstAt - elided.renewal.everyMs) - elided.delayMs + elided.renewal.everyMs;
}

function end(state: State, elided: ElidedLease): number {
  const object = flush(state, elided);
  const at = lastRenewalAt(state, elided);
  const next = cut(state, elided);
  if (at !== undefined) state.lastRenewals.set(elided.lease, at);
  // Also when no renewal was elided: a reader that relied on the elision must read again.
  if (object !== undefined) state.onReal(elided.lease, object);
  return next;
}

function start(state: State, { nextDecisionAt, everyMs, ...spec }: Parameters<RenewalElision['start']>[0]): boolean {
  const { enabled, forbidden, byLease, leases, writers, now } = state;
  if (
    !enabled ||
    forbidden.size > 0 ||
    byLease.has(spec.lease) ||
    // The last real renewal is in the store as its author made it: it did not fail, and no other write followed.
    renewTimeOf(leases.stored(spec.lease)) !== formatMicroTime(nextDecisionAt - everyMs) ||
    writers.get(spec.lease) !== spec.process ||
    // The key was busy when the renewal was due: it decides late, and continues from there.
    nextDecisionAt <= now() ||
    nextDecisionAt + spec.delayMs - everyMs > now() ||
    nextDecisionAt >= spec.until
  )
    return false;
  const elided: ElidedLease = { renewal: { firstAt: nextDecisionAt + spec.delayMs, everyMs, order: ++state.order }, ...spec };
  register(state, elided);
  byLease.set(elided.lease, elided);
  state.renewals.add(elided.renewal, now());
  state.onRenewalInterval?.(renewalIntervalOf(elided));
  return true;
}

const renewTimeOf = (lease: ApiObject | undefined): unknown => (lease?.['spec'] as { readonly renewTime?: unknown } | undefined)?.renewTime;

const renewalIntervalOf = (
  { process, controller, lease, delayMs, renewal: { order, firstAt, everyMs } }: ElidedLease,
  until?: number,
): RenewalInterval => ({
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
  const reason = {};
  state.forbidden.add(reason);
  return () => void state.forbidden.delete(reason);
}
