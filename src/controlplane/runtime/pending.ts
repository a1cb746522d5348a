/** Everything that can be pending in a cluster: a closed union of plain records. `incarnation` makes what a crashed process had planned void. */
import type { EventText } from './contract.ts';
import type { Verdict } from './event-correlator.ts';

export type ClusterEvent =
  /** The process starts: lists what it watches, fills its caches, enqueues its keys. */
  | {
      readonly type: 'start';
      readonly process: string;
      readonly incarnation: number;
      /** Lists as of this revision instead of the newest. */ readonly atRevision?: number;
    }
  /** The next change of watch streams reaches their processes, one after the other: each is a part of its own. */
  | { readonly type: 'deliver'; readonly to: readonly Receiver[]; readonly kind: string; readonly revision: number }
  /** A delay, a back-off or a wake-up time ends: the key goes into the work queue. */
  | {
      readonly type: 'due';
      readonly process: string;
      readonly incarnation: number;
      readonly controller: string;
      readonly key: string;
      readonly because: 'delay' | 'backoff' | 'wake';
    }
  | {
      readonly type: 'reconcile';
      readonly process: string;
      readonly incarnation: number;
      readonly controller: string;
      readonly key: string;
    }
  /** The next write of the outcome in flight. */
  | {
      readonly type: 'apply';
      readonly process: string;
      readonly incarnation: number;
      readonly controller: string;
      readonly key: string;
      readonly index: number;
    }
  /** A recorded event is written. */
  | { readonly type: 'emit'; readonly process: string; readonly incarnation: number; readonly ticket: Ticket }
  /** Something planned by whoever drives the cluster: a scenario step, a fault's end. */
  | { readonly type: 'operation'; readonly id: number; readonly label: string }
  /** An Event object's time-to-live ends, unless it was written again since. */
  | { readonly type: 'expire'; readonly key: string; readonly revision: number };

/** A recorded event on its way. */
export interface Ticket {
  readonly controller: string;
  readonly event: EventText;
  readonly at: number;
  readonly verdict: Exclude<Verdict, { kind: 'drop' }>;
  readonly count: number;
}

/** A process as it was when the event was planned. */
export interface Receiver {
  readonly process: string;
  readonly incarnation: number;
}

/** Who is behind an event, as a phrase. */
export function describePending(event: ClusterEvent, part: number): string {
  switch (event.type) {
    case 'start':
      return `the start of ${event.process}`;
    case 'deliver':
      return `the delivery of a ${event.kind} change to ${event.to[part]?.process ?? 'nobody'}`;
    case 'due':
      return `${event.controller} waking for ${event.key}`;
    case 'reconcile':
      return `${event.controller} reconciling ${event.key}`;
    case 'apply':
      return `write ${event.index + 1} of ${event.controller} for ${event.key}`;
    case 'emit':
      return `an event of ${event.process}`;
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
