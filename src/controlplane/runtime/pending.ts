/**
 * Everything that can be pending in a cluster: a closed union of plain records that hold names and numbers. A running controller and a
 * watch stream have numbers that are never reused, so pending events of a crashed process find nothing when they are due. A key is named by
 * its id within its controller, which stays its own while anything is pending for it. FIFO channels are the pending events whose order no
 * choice of a search may change: the deliveries of one stream, and the operations planned for the cluster.
 */
import type { EventText } from './outcome.ts';
import type { Verdict } from './event-correlator.ts';
import { UNOFFERED, type Channel, type Kernel, type Pending } from '../../engine/index.ts';

export type ClusterEvent =
  /**
   * The process starts: it lists what it watches, fills its caches, enqueues its keys. `atRevision`: the revision of its lists, instead of
   * the newest.
   */
  | { readonly type: 'start'; readonly process: string; readonly incarnation: number; readonly atRevision?: number }
  /** The next change of watch streams reaches their processes, one after the other: each delivery is a part of its own. */
  | { readonly type: 'deliver'; readonly to: readonly number[]; readonly kind: string; readonly revision: number }
  /** A delay, a back-off or a wake-up time ends: the key goes into the work queue. */
  | { readonly type: 'due'; readonly running: number; readonly keyId: number; readonly because: 'delay' | 'backoff' | 'wake' }
  | { readonly type: 'reconcile'; readonly running: number; readonly keyId: number }
  /** The next write of the outcome in flight; `late`: its choice point has delayed it, and is not called again. */
  | { readonly type: 'apply'; readonly running: number; readonly keyId: number; readonly index: number; readonly late?: true }
  /** A recorded event is written. */
  | { readonly type: 'emit'; readonly running: number; readonly ticket: Ticket }
  /** A clock is skewed, once all processes have observed the leases that are renewed for real from then on. */
  | { readonly type: 'skew'; readonly process: string; readonly skewMs: number }
  /** An operation of the cluster's driver: a scenario step, the end of a fault. */
  | { readonly type: 'operation'; readonly id: number; readonly label: string }
  /** An Event object's time-to-live ends, unless it was written again meanwhile. */
  | { readonly type: 'expire'; readonly key: string; readonly revision: number };

/** A recorded event that is not written yet. */
export interface Ticket {
  readonly event: EventText;
  readonly at: number;
  readonly verdict: Exclude<Verdict, { kind: 'drop' }>;
  readonly count: number;
}

/** Resolves the numbers in pending events. */
export interface EventResolver {
  /** A running controller; undefined once its process has crashed. */
  controllerOf(running: number): { readonly process: string; readonly controller: string } | undefined;
  /** The key with an id, of a running controller. */
  keyOf(running: number, keyId: number): string | undefined;
  /** The process that a stream feeds; undefined once the stream is closed. */
  receiverOf(stream: number): string | undefined;
}

/** What a controller does about a key, as a phrase: `job reconciling default/pi`. */
function phraseFor({ controllerOf, keyOf }: EventResolver, running: number, does: string, keyId: number): string {
  return `${controllerOf(running)?.controller ?? 'a stopped controller'} ${does} ${keyOf(running, keyId) ?? 'nothing'}`;
}

/** A pending event as a phrase, with process and controller. */
export function describePending(event: ClusterEvent, part: number, resolver: EventResolver): string {
  switch (event.type) {
    case 'start':
      return `the start of ${event.process}`;
    case 'deliver':
      return `the delivery of a ${event.kind} change to ${resolver.receiverOf(event.to[part] ?? -1) ?? 'a stopped process'}`;
    case 'due':
      return phraseFor(resolver, event.running, 'waking for', event.keyId);
    case 'reconcile':
      return phraseFor(resolver, event.running, 'reconciling', event.keyId);
    case 'apply':
      return `write ${event.index + 1} of ${phraseFor(resolver, event.running, 'for', event.keyId)}`;
    case 'emit':
      return `an event of ${resolver.controllerOf(event.running)?.process ?? 'a stopped process'}`;
    case 'skew':
      return `the clock of ${event.process} being set`;
    case 'operation':
      return event.label;
    case 'expire':
      return `the expiry of event ${event.key}`;
  }
}

/** The channel of an event, see `KernelOptions.channel`. */
export function channelOf(event: ClusterEvent, part: number): Channel {
  switch (event.type) {
    case 'deliver':
      // A stream delivers in order: a change delivered early would be taken for an outdated one, and the stream would deliver nothing after
      // it.
      return event.to[part];
    case 'operation':
      return 'operation';
    case 'emit':
    case 'expire':
    case 'skew':
      // No controller decides by Events. A clock changes only after the processes have observed the leases that are renewed for real again.
      return UNOFFERED;
    case 'start':
    case 'due':
    case 'reconcile':
    case 'apply':
      return undefined;
  }
}

/** Wake-ups that recur for as long as their object does not change: a run in which one is pending never becomes quiescent. */
interface Recurrence {
  readonly process: string;
  readonly controller: string;
  /** The kind of the key, where the controller has `reconciles`. */
  readonly kind: string | undefined;
  readonly key: string;
  readonly everyMs: number;
  /** `fires every minute`. */
  readonly does: string;
}

export class Recurrences {
  private readonly noted = new Map<string, { readonly wake: Pending<ClusterEvent>; readonly recurrence: Recurrence }>();

  /** An upper bound of their number, without any computation. */
  get atMost(): number {
    return this.noted.size;
  }

  note(wake: Pending<ClusterEvent>, recurrence: Recurrence): void {
    this.noted.set(`${recurrence.process} ${recurrence.controller} ${recurrence.key}`, { wake, recurrence });
  }

  /** Those whose next wake-up is pending, in the order in which they were first noted. */
  pending(): readonly Recurrence[] {
    for (const [name, { wake }] of this.noted) if (wake.cancelled || wake.part >= wake.parts) this.noted.delete(name);
    return [...this.noted.values()].map(({ recurrence }) => recurrence);
  }
}

interface Planned {
  readonly act: (causes: readonly number[]) => void;
  /** A complete description of the operation and its label, as plain data. */
  readonly what: unknown;
}

/** Operations: functions that the driver of a cluster has planned. A pending event names each by number. */
export class Operations {
  private readonly kernel: Kernel<ClusterEvent>;
  private readonly planned = new Map<number, Planned>();
  private last = 0;

  constructor(kernel: Kernel<ClusterEvent>) {
    this.kernel = kernel;
  }

  plan(at: number, label: string, act: (causes: readonly number[]) => void, what: unknown): void {
    const id = ++this.last;
    this.planned.set(id, { act, what });
    this.kernel.schedule(at, { type: 'operation', id, label });
  }

  /** Runs the operation that a due event names. */
  run(id: number, causes: readonly number[]): void {
    const found = this.planned.get(id);
    this.planned.delete(id);
    found?.act(causes);
  }

  /** Reports each operation, in order. */
  describe(report: (part: string, value: unknown) => void): void {
    let nth = 0;
    for (const { event, at } of this.kernel.pending())
      if (event.type === 'operation') report(`operation ${++nth}`, [at, event.label, this.planned.get(event.id)?.what]);
  }
}
