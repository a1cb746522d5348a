/**
 * Everything that can be pending in a cluster: a closed union of plain records that hold names and numbers. A running controller and a
 * watch stream have numbers that are never reused, so pending events of a crashed process find nothing when they are due. A key is named by
 * its id within its controller, which stays its own while anything is pending for it. FIFO channels are the pending events whose order no
 * choice of a search may change: the deliveries of one stream, and the operations planned for the cluster.
 */
import type { EventText } from './writes.ts';
import type { Verdict } from './event-correlator.ts';
import { UNOFFERED, type Channel, type Pending, accessors } from '../../engine/index.ts';

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

const keyIn = (resolver: EventResolver, { running, keyId }: { readonly running: number; readonly keyId: number }): string =>
  resolver.keyOf(running, keyId) ?? 'nothing';

/** A pending event as a phrase, with process and controller. */
export function describePending(event: ClusterEvent, part: number, resolver: EventResolver): string {
  switch (event.type) {
    case 'start':
      return `the start of ${event.process}`;
    case 'deliver':
      return `the delivery of a ${event.kind} change to ${resolver.receiverOf(event.to[part] ?? -1) ?? 'a stopped process'}`;
    case 'due':
      return `${resolver.controllerOf(event.running)?.controller ?? 'a stopped controller'} waking for ${keyIn(resolver, event)}`;
    case 'reconcile':
      return `${resolver.controllerOf(event.running)?.controller ?? 'a stopped controller'} reconciling ${keyIn(resolver, event)}`;
    case 'apply':
      return `write ${event.index + 1} of ${resolver.controllerOf(event.running)?.controller ?? 'a stopped controller'} for ${keyIn(resolver, event)}`;
    case 'emit':
      return `an event of ${resolver.controllerOf(event.running)?.process ?? 'a stopped process'}`;
    case 'skew':
      return `the clock of ${event.process} being set`;
    case 'operation':
      return event.label;
    case 'expire':
      return `the expiry of event ${event.key}`;
    default: {
      const never: never = event;
      return never;
    }
  }
}

/** The channel of an event, see `KernelOptions.lane`. */
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
    default: {
      const never: never = event;
      return never;
    }
  }
}

const withAtMost = accessors('atMost');

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

export interface Recurrences {
  note(wake: Pending<ClusterEvent>, recurrence: Recurrence): void;
  /** Those whose next wake-up is pending, in the order in which they were first noted. */
  pending(): readonly Recurrence[];
  /** An upper bound of their number, without any computation. */
  readonly atMost: number;
}

export function createRecurrences(): Recurrences {
  const noted = new Map<string, { readonly wake: Pending<ClusterEvent>; readonly recurrence: Recurrence }>();
  return withAtMost(
    { atMost: () => noted.size },
    {
      note(wake, recurrence) {
        noted.set(`${recurrence.process} ${recurrence.controller} ${recurrence.key}`, { wake, recurrence });
      },
      pending() {
        for (const [name, { wake }] of noted) if (wake.cancelled || wake.part >= wake.parts) noted.delete(name);
        return [...noted.values()].map(({ recurrence }) => recurrence);
      },
    },
  );
}
