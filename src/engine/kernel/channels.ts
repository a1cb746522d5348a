/** Pending events and their channels: which of the events of an instant may be handled next. */

/** One pending event, as plain data. */
export interface Pending<E> {
  /** The instant at which it is due. It changes when the event is postponed. */
  at: number;
  readonly seq: number;
  readonly event: E;
  /** Ids of the entries that caused the event. A coalesced enqueue adds its own. */
  readonly causes: number[];
  /** A background event, such as a lease renewal: a run settles although it is pending. */
  readonly background: boolean;
  /** The index of the part that is handled next, and the number of parts. All parts are handled one after the other in one step. */
  part: number;
  readonly parts: number;
  /** A cancelled event leaves the queue without being handled. */
  cancelled: boolean;
}

/** Events of one channel keep their order. */
export type Channel = number | string | undefined | typeof UNOFFERED;
/** The channel of events whose time makes no difference to any process. */
export const UNOFFERED = Symbol('not offered');

/** The oldest event of each channel; an event that is not offered is returned alone, when it is the oldest of all. */
export function offeredOf<E>(
  all: readonly Pending<E>[],
  channel: ((event: E, part: number) => Channel) | undefined,
): readonly Pending<E>[] {
  const taken = new Set<Channel>();
  const offered: Pending<E>[] = [];
  for (const pending of all) {
    if (pending.cancelled) continue;
    const key = channel?.(pending.event, pending.part);
    if (key === UNOFFERED) {
      if (offered.length === 0) return [pending];
      continue;
    }
    if (key !== undefined) {
      if (taken.has(key)) continue;
      taken.add(key);
    }
    offered.push(pending);
  }
  return offered;
}
