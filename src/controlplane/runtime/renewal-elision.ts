/**
 * Elides lease renewals that no process watches (`renewals.ts`), while no fault is active and latencies are fixed. The controller that would
 * only renew the lease is not woken. Readers find the same values and revisions as if each renewal had been made.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change, Derived, WritableStore } from '../../apiserver/store/index.ts';
import { addTo, bisect, formatMicroTime, removeFrom } from '../../schema/values/index.ts';
import type { RenewalInterval } from './observation.ts';
import { Renewals, type Renewal } from './renewals.ts';

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

/** What is elided if that is possible: the controller's next decision would renew the lease, and so each period after it. */
type Wanted = Omit<ElidedLease, 'renewal'> & { readonly nextDecisionAt: number; readonly everyMs: number };

interface Options {
  readonly store: WritableStore;
  now(): number;
  /** Called for every lease that is renewed for real again, with the object that the process's own caches should hold. */
  onReal(object: ApiObject): void;
  /** Called for each elision whose lease another process wrote or deleted: its key reads the lease when its next renewal is due. */
  onDisturbed(elided: ElidedLease, nextDecisionAt: number): void;
  readonly enabled: boolean;
  /** Called when an elision begins, and again when it ends. */
  readonly onRenewalInterval?: ((renewalInterval: RenewalInterval) => void) | undefined;
}

/** Commits per instant of the recent past, to count those after a renewal. */
class RecentCommits {
  private instants: { readonly at: number; readonly before: number }[] = [];
  private total = 0;
  private many = 8192;

  note(at: number): void {
    if (this.instants.at(-1)?.at !== at) {
      this.instants.push({ at, before: this.total });
      if (this.instants.length > this.many) {
        this.instants = this.instants.filter((one) => one.at > at - 120_000);
        this.many = Math.max(8192, this.instants.length * 2);
      }
    }
    this.total++;
  }

  /** Commits at or after an instant. */
  since(at: number): number {
    const first = this.instants[bisect(this.instants, (one) => one.at < at)];
    return this.total - (first?.before ?? this.total);
  }
}

export class RenewalElision {
  private readonly options: Options;
  private readonly leases: Derived;
  private readonly renewals = new Renewals();
  private readonly commits = new RecentCommits();
  /** In the order in which they started. */
  private readonly byLease = new Map<string, ElidedLease>();
  /** The same by process: where all nodes of a zone fail, each agent ends its own. */
  private readonly byProcess = new Map<string, Set<ElidedLease>>();
  /** Leases whose elision has ended: the time of the last elided renewal. */
  private readonly lastRenewals = new Map<string, number>();
  /** The last writer of each lease: an elided renewal must follow a write of the same process, so that only the time differs. */
  private readonly writers = new Map<string, string>();
  /** The reasons that forbid elision now. */
  private readonly forbidden = new Set<object>();
  private order = 0;
  private clock: number;

  constructor(options: Options) {
    this.options = options;
    this.clock = options.now();
    this.leases = options.store.derive(LEASE, {
      refresh: (key) => {
        for (const elided of key === undefined ? this.byLease.values() : [this.byLease.get(key)])
          if (elided !== undefined) this.flush(elided);
      },
    });
    options.store.onChange((change, { by }) => {
      this.commits.note(change.at);
      if (change.kind === LEASE) this.written(change, by.process);
    });
  }

  get size(): number {
    return this.byLease.size;
  }

  /** Starts an elision; undefined when that is not possible now. */
  start({ nextDecisionAt, everyMs, ...spec }: Wanted): ElidedLease | undefined {
    const { byLease, leases, writers } = this;
    const now = this.options.now();
    if (
      !this.options.enabled ||
      this.forbidden.size > 0 ||
      byLease.has(spec.lease) ||
      // The last real renewal is in the store as its author made it: it did not fail, and no other write followed.
      renewTimeOf(leases.stored(spec.lease)) !== formatMicroTime(nextDecisionAt - everyMs) ||
      writers.get(spec.lease) !== spec.process ||
      // The key was busy when the renewal was due: it decides late, and continues from there.
      nextDecisionAt <= now ||
      nextDecisionAt + spec.delayMs - everyMs > now ||
      nextDecisionAt >= spec.until
    )
      return undefined;
    const elided: ElidedLease = { renewal: { firstAt: nextDecisionAt + spec.delayMs, everyMs, order: ++this.order }, ...spec };
    byLease.set(elided.lease, elided);
    addTo(this.byProcess, elided.process, elided);
    this.renewals.add(elided.renewal, now);
    this.options.onRenewalInterval?.(renewalIntervalOf(elided));
    return elided;
  }

  /** Whether an elision has not ended yet: it also ends with its process. */
  has(elided: ElidedLease): boolean {
    return this.byLease.get(elided.lease) === elided;
  }

  /** Ends an elision: its renewals are real writes again. Returns when the next one is to be decided. */
  stop(elided: ElidedLease): number {
    const object = this.flush(elided);
    const at = this.lastAt(elided);
    const next = this.cut(elided);
    if (at !== undefined) this.lastRenewals.set(elided.lease, at);
    // Also when no renewal was elided: a reader that relied on the elision must read again.
    if (object !== undefined) this.options.onReal(object);
    return next;
  }

  /** Ends all elisions of a process (undefined: of all processes) and passes each to `resume`. */
  stopAll(process: string | undefined, resume: (elided: ElidedLease, nextDecisionAt: number) => void): void {
    const ended = process === undefined ? [...this.byLease.values()] : [...(this.byProcess.get(process) ?? [])];
    for (const elided of ended) resume(elided, this.stop(elided));
  }

  /** When the renewal that is decided and not committed yet arrives; undefined: none is in flight. */
  onItsWay(elided: ElidedLease): number | undefined {
    const arrivesAt = this.nextAt(elided);
    return arrivesAt - elided.delayMs < this.options.now() ? arrivesAt : undefined;
  }

  /** Whether renewals of a lease are elided, and when the last one was; undefined: never, or a real renewal has followed. */
  renewalInterval(lease: string): { readonly beating: boolean; readonly at: number } | undefined {
    const elided = this.byLease.get(lease);
    if (elided !== undefined) return { beating: true, at: this.lastAt(elided) ?? this.options.now() };
    const at = this.lastRenewals.get(lease);
    return at === undefined ? undefined : { beating: false, at };
  }

  /** Advances the clock to an instant. */
  advance(to: number): void {
    if (this.byLease.size > 0) this.leases.pass(this.renewals.between(this.clock, to));
    this.clock = to;
  }

  /** Forbids elision until the returned function is called. */
  forbid(): () => void {
    const reason = {};
    this.forbidden.add(reason);
    return () => void this.forbidden.delete(reason);
  }

  /** All elided leases, as plain data. */
  describe(): unknown {
    return [this.byLease, this.lastRenewals, this.writers, this.forbidden.size];
  }

  private lastAt({ renewal: { firstAt, everyMs } }: ElidedLease): number | undefined {
    const now = this.options.now();
    return now < firstAt ? undefined : now - ((now - firstAt) % everyMs);
  }

  private nextAt(elided: ElidedLease): number {
    const { firstAt, everyMs } = elided.renewal;
    return (this.lastAt(elided) ?? firstAt - everyMs) + everyMs;
  }

  /** Puts the present value of a lease into the store's table, as the last elided renewal left it. */
  private flush(elided: ElidedLease): ApiObject | undefined {
    const { leases, commits, renewals } = this;
    const { store, now } = this.options;
    const at = this.lastAt(elided);
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
  private written({ type, key, object, previous }: Change, process: string): void {
    if (type === 'DELETED') this.writers.delete(key);
    else this.writers.set(key, process);
    const signs = type === 'DELETED' || renewTimeOf(object) !== renewTimeOf(previous);
    if (signs) this.lastRenewals.delete(key);
    const elided = this.byLease.get(key);
    if (elided === undefined) return;
    const renewalAt = this.lastAt(elided);
    const next = this.cut(elided);
    if (!signs && renewalAt !== undefined) this.lastRenewals.set(key, renewalAt);
    this.options.onDisturbed(elided, next);
  }

  /** Removes an elision; returns when its next renewal would have been decided. */
  private cut(elided: ElidedLease): number {
    const now = this.options.now();
    this.renewals.remove(elided.renewal, now);
    this.byLease.delete(elided.lease);
    removeFrom(this.byProcess, elided.process, elided);
    this.options.onRenewalInterval?.({ ...renewalIntervalOf(elided), until: now });
    return this.nextAt(elided) - elided.delayMs;
  }
}

const renewTimeOf = (lease: ApiObject | undefined): unknown => (lease?.['spec'] as { readonly renewTime?: unknown } | undefined)?.renewTime;

const renewalIntervalOf = ({ process, controller, lease, delayMs, renewal }: ElidedLease): RenewalInterval => {
  const { order, firstAt, everyMs } = renewal;
  return { order, process, controller, lease, firstAt, everyMs, delayMs };
};
