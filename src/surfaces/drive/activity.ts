/**
 * Whether programs outside are idle, so that virtual time may pass: no request of theirs is being answered, and nothing was asked or shown
 * for a moment. Open watches, and requests that a fault lets wait for virtual time, do not count.
 */
import { bump } from '../../schema/values/index.ts';
import type { ClientEvent } from '../http/index.ts';
import { createPolling } from './polling.ts';

export interface Pace {
  /** The moment without news after which a program is idle, milliseconds. */
  readonly idleMs: number;
  /** The longest timer of the programs: while one may be waited for, virtual time is not faster than real time. 0: they named none. */
  readonly timersMs: number;
  /** Virtual milliseconds for each real one, at most; absent: as fast as possible. */
  readonly speed?: number;
}

export type Activity = ReturnType<typeof createActivity>;

const PENDING: Partial<Record<ClientEvent['type'], number>> = { request: 1, answer: -1, waits: -1, goesOn: 1 };

/** `virtualNow` is the clock of the cluster, milliseconds since the epoch; `now` that of the host. */
export function createActivity({ idleMs, timersMs, speed }: Pace, virtualNow: () => number, now = (): number => performance.now()) {
  /** Requests that are being answered, without those that wait for virtual time. */
  let pending = 0;
  /** Requests since virtual time has passed, by client. */
  const requests = new Map<string, number>();
  const polling = createPolling(idleMs, virtualNow, now);
  /** The last request, answer or event; and the last that a timer may follow: renewals of leases and polls start none. */
  let last = now();
  let lastNews = last;
  let moved = { at: last, to: virtualNow() };
  let stoodSince = last;
  const began = { real: last, virtual: virtualNow() };
  /** Something has happened that a program may react to. */
  const touch = (): void => {
    last = lastNews = now();
  };
  const moves = (): void => {
    if (virtualNow() === moved.to) return;
    moved = { at: now(), to: virtualNow() };
    stoodSince = moved.at;
    requests.clear();
  };
  /** Real milliseconds that are missing until virtual time may pass to an instant. */
  const missing = (to: number): number => {
    moves();
    const idle = idleMs - (now() - last);
    const quiet = Math.min(timersMs, to - moved.to) - (now() - Math.max(lastNews, moved.at));
    // With news again and again, virtual time passes as real time does.
    const timers = Math.min(quiet, to - moved.to - (now() - stoodSince));
    const early = speed === undefined || to === Infinity ? 0 : (to - began.virtual) / speed - (now() - began.real);
    return Math.max(idle, timers, early, speed === undefined ? polling.missing(to, moved.at) : 0);
  };
  return {
    touch,
    /** Programs have started or stopped meanwhile: for so long the clock stood on purpose. */
    begin() {
      touch();
      stoodSince = last;
      requests.clear();
    },
    /** A program computes: it is not idle yet. */
    stir: () => void (last = now()),
    note(event: ClientEvent) {
      const { type } = event;
      pending += PENDING[type] ?? 0;
      if (type === 'request') bump(requests, event.client);
      last = now();
      const isPoll = polling.note(event, last);
      if ((type === 'request' || type === 'shown') && event.kind !== 'Lease' && !isPoll) lastNews = last;
    },
    /** Whether virtual time may pass to an instant; Infinity: whether nothing more is expected. */
    mayPass: (to: number) => pending <= 0 && missing(to) <= 0,
    /** Real milliseconds until it may, if nothing happens meanwhile; at least 1. */
    remaining: (to: number) => Math.max(1, Math.ceil(missing(to))),
    /** Whether nothing was asked or shown for so many real milliseconds. */
    quietFor: (ms: number) => pending <= 0 && now() - last >= ms,
    /** A client has ended or is suspended: nothing of it is waited for. */
    left: polling.left,
    /** Real milliseconds since virtual time has passed, or programs have begun. */
    stoodMs() {
      moves();
      return now() - stoodSince;
    },
    pollsEveryMs: polling.everyMs,
    requests,
  };
}
