/**
 * Everything that can be pending in a cluster: a closed union of plain records that hold names and numbers. A running controller and a
 * watch stream are named by numbers that are never given again: what a crashed process had planned finds nobody when it is due. A key is
 * named by its slot with its controller, which is its own as long as anything is pending for it.
 */
import type { EventText } from './writes.ts';
import type { Verdict } from './event-correlator.ts';

export type ClusterEvent =
  /** The process starts: lists what it watches, fills its caches, enqueues its keys. `atRevision`: as of then instead of now. */
  | { readonly type: 'start'; readonly process: string; readonly incarnation: number; readonly atRevision?: number }
  /** The next change of watch streams reaches their processes, one after the other: each is a part of its own. */
  | { readonly type: 'deliver'; readonly to: readonly number[]; readonly kind: string; readonly revision: number }
  /** A delay, a back-off or a wake-up time ends: the key goes into the work queue. */
  | { readonly type: 'due'; readonly running: number; readonly keyId: number; readonly because: 'delay' | 'backoff' | 'wake' }
  | { readonly type: 'reconcile'; readonly running: number; readonly keyId: number }
  /** The next write of the outcome in flight; `late`: a point has made it so, and is not asked again. */
  | { readonly type: 'apply'; readonly running: number; readonly keyId: number; readonly index: number; readonly late?: true }
  /** A recorded event is written. */
  | { readonly type: 'emit'; readonly running: number; readonly ticket: Ticket }
  /** A clock is set wrong, once everybody has heard of the leases that are real from then on. */
  | { readonly type: 'skew'; readonly process: string; readonly skewMs: number }
  /** Something planned by whoever drives the cluster: a scenario step, a fault's end. */
  | { readonly type: 'operation'; readonly id: number; readonly label: string }
  /** An Event object's time-to-live ends, unless it was written again since. */
  | { readonly type: 'expire'; readonly key: string; readonly revision: number };

/** A recorded event on its way. */
export interface Ticket {
  readonly event: EventText;
  readonly at: number;
  readonly verdict: Exclude<Verdict, { kind: 'drop' }>;
  readonly count: number;
}

/** Who is behind the numbers of pending events. */
export interface Roster {
  /** A running controller; undefined once its process has crashed. */
  controllerOf(running: number): { readonly process: string; readonly controller: string } | undefined;
  /** The key in a slot of a running controller. */
  keyOf(running: number, keyId: number): string | undefined;
  /** The process that a stream feeds; undefined once it is closed. */
  receiverOf(stream: number): string | undefined;
}

const keyIn = (roster: Roster, { running, keyId }: { readonly running: number; readonly keyId: number }): string =>
  roster.keyOf(running, keyId) ?? 'nothing';

/** Who is behind an event, as a phrase. */
export function describePending(event: ClusterEvent, part: number, roster: Roster): string {
  switch (event.type) {
    case 'start':
      return `the start of ${event.process}`;
    case 'deliver':
      return `the delivery of a ${event.kind} change to ${roster.receiverOf(event.to[part] ?? -1) ?? 'nobody'}`;
    case 'due':
      return `${roster.controllerOf(event.running)?.controller ?? 'nobody'} waking for ${keyIn(roster, event)}`;
    case 'reconcile':
      return `${roster.controllerOf(event.running)?.controller ?? 'nobody'} reconciling ${keyIn(roster, event)}`;
    case 'apply':
      return `write ${event.index + 1} of ${roster.controllerOf(event.running)?.controller ?? 'nobody'} for ${keyIn(roster, event)}`;
    case 'emit':
      return `an event of ${roster.controllerOf(event.running)?.process ?? 'nobody'}`;
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
