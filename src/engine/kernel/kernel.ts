/** The event loop: pop one event, set the clock, run it, repeat. */
import { createTimeQueue } from './queue.ts';
import { DEFAULT_LIMITS, LimitTripped, type Limits } from './limits.ts';

/** One thing that may happen: plain data. */
export interface Pending<E> {
  readonly at: number;
  readonly seq: number;
  readonly event: E;
  /** Identities of the entries that led to it; a coalesced enqueue adds its own. */
  readonly causes: number[];
  /** A heartbeat: it never keeps a run from being settled. */
  readonly background: boolean;
}

export interface KernelOptions<E> {
  readonly startAt: number;
  readonly limits?: Partial<Limits>;
  handle(event: E, pending: Pending<E>): void;
  /** Who is behind an event, for the message of a tripped limit. */
  describe(event: E): string;
  /** Picks among the events of the earliest instant (for exploring interleavings); absent: the oldest. */
  choose?(candidates: readonly Pending<E>[]): number;
}

export interface Kernel<E> {
  readonly now: number;
  readonly startAt: number;
  /** Events handled so far. */
  readonly steps: number;
  readonly limits: Limits;
  /** Adds an event; an instant in the past becomes now. */
  schedule(at: number, event: E, causes?: readonly number[], background?: boolean): Pending<E>;
  /** Handles the next event; false when there is none (at or before `until`). */
  step(until?: number): boolean;
  /** Handles everything up to and including an instant, then sets the clock to it. */
  runUntil(at: number): void;
  /** Whether only heartbeats are left. */
  readonly settled: boolean;
  /** What may happen next, in order. */
  pending(): readonly Pending<E>[];
  nextAt(): number | undefined;
}

export function createKernel<E>(options: KernelOptions<E>): Kernel<E> {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const queue = createTimeQueue<Pending<E>>();
  const { startAt } = options;
  let now = startAt;
  let seq = 0;
  let steps = 0;
  let foreground = 0;

  const step = (until = Infinity): boolean => {
    const at = queue.earliest();
    if (at === undefined || at > until) return false;
    if (at - startAt > limits.timeMs) throw new LimitTripped('timeMs', `virtual time ran past its limit of ${limits.timeMs} ms; next would be ${nameNext(at)}`);
    const pending = queue.pop(options.choose === undefined ? 0 : options.choose(queue.at(at)));
    if (pending === undefined) return false;
    if (!pending.background) foreground--;
    now = at;
    if (++steps > limits.steps) throw new LimitTripped('steps', `the run took more than ${limits.steps} steps; last was ${options.describe(pending.event)}`);
    options.handle(pending.event, pending);
    return true;
  };
  const nameNext = (at: number): string => { const [first] = queue.at(at); return first === undefined ? 'nothing' : options.describe(first.event); };

  return {
    get now() { return now; },
    startAt,
    get steps() { return steps; },
    limits,
    schedule(at, event, causes = [], background = false) {
      const pending: Pending<E> = { at: at > now ? at : now, seq: seq++, event, causes: [...causes], background };
      queue.push(pending.at, pending);
      if (!background) foreground++;
      return pending;
    },
    step,
    runUntil(at) {
      while (step(at));
      if (at > now) now = at;
    },
    get settled() { return foreground === 0; },
    pending: () => queue.all(),
    nextAt: () => queue.earliest(),
  };
}
