/**
 * Programs that poll: they watch nothing, and read the same again and again by a timer of their own. Virtual time goes on beyond the time
 * between two polls only when they have polled since it passed last, so that it does not outrun them.
 */
import type { ClientEvent } from '../http/index.ts';

/** A poll that comes less often is a timer, which is named: nothing shows that it will come again. */
const LONGEST_MS = 10_000;
/** A poll that is late for so many of its periods, and so long besides on a busy machine, does not come any more. */
const PERIODS = 2;
const SLACK_MS = 2_000;
const MOST_READS = 64;

/** One read that a client repeats. */
interface Poll {
  at: number;
  /** Virtual time at the last one. */
  virtual: number;
  /** Real milliseconds between the last two; absent: there was one. */
  everyMs?: number;
}

interface Client {
  watches: number;
  readonly reads: Map<string, Poll>;
}

/** What a poll is recognised by; undefined: it is none. Leases are read by a timer too, which waits for nothing. */
export function pollKey(event: ClientEvent): string | undefined {
  if (event.type !== 'request' && event.type !== 'answer') return undefined;
  const { verb, kind, target } = event;
  return (verb === 'list' || verb === 'get') && kind !== undefined && kind !== 'Lease' ? target : undefined;
}

/** `idleMs`: what is repeated faster is no poll, but floods. */
export function createPolling(idleMs: number, virtualNow: () => number, now = (): number => performance.now()) {
  const clients = new Map<string, Client>();
  const clientOf = (name: string): Client => {
    const known = clients.get(name) ?? { watches: 0, reads: new Map() };
    clients.set(name, known);
    return known;
  };
  const current = function* (): Generator<Required<Poll>> {
    const real = now();
    for (const { watches, reads } of clients.values()) {
      if (watches > 0) continue;
      for (const { at, virtual, everyMs = Infinity } of reads.values())
        if (everyMs <= LONGEST_MS && real - at <= PERIODS * everyMs + SLACK_MS) yield { at, virtual, everyMs };
    }
  };
  return {
    /** `at`: the real time of the event. Returns whether it is a poll. */
    note(event: ClientEvent, at: number): boolean {
      if (event.type === 'opens') clientOf(event.client).watches++;
      else if (event.type === 'closes') clientOf(event.client).watches--;
      const target = event.type === 'request' ? pollKey(event) : undefined;
      if (target === undefined) return false;
      const { watches, reads } = clientOf(event.client);
      const before = reads.get(target);
      const repeats = before !== undefined && at - before.at >= idleMs;
      if (before !== undefined || reads.size < MOST_READS)
        reads.set(target, { at, virtual: virtualNow(), ...(repeats ? { everyMs: at - before.at } : {}) });
      return repeats && watches === 0;
    },
    /** Real milliseconds until virtual time may pass to an instant, after it passed last at a real time; at most 0: it may. */
    missing(to: number, movedAt: number): number {
      let most = 0;
      for (const { at, virtual, everyMs } of current())
        if (at < movedAt && to > virtual + everyMs) most = Math.max(most, at + everyMs - now(), 1);
      return most;
    },
    left: (client: string) => clientOf(client).reads.clear(),
    /** The longest time between two polls that is waited for, real milliseconds. */
    everyMs: () => Math.max(0, ...[...current()].map(({ everyMs }) => everyMs)),
  };
}
