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
  /** Taken back: it leaves the queue without happening. */
  cancelled: boolean;
}

export interface KernelOptions<E> {
  readonly startAt: number;
  readonly limits?: Partial<Limits>;
  /** The instant from which steps and time count against the limits; default: the start. What comes before is somebody's preparation. */
  readonly countFrom?: number;
  handle(event: E, pending: Pending<E>): void;
  /** Who is behind an event, for the message of a tripped limit. */
  describe(event: E): string;
  /** Called when the clock is about to move to a later instant. */
  onAdvance?(to: number): void;
  /** Picks among the events of the earliest instant (for exploring interleavings); absent: the oldest. */
  choose?(candidates: readonly Pending<E>[]): number;
}

export interface Kernel<E> {
  readonly now: number;
  readonly startAt: number;
  /** Events handled since `countFrom`. */
  readonly steps: number;
  readonly limits: Limits;
  /** Adds an event; an instant in the past becomes now. The list of causes is taken over, not copied. */
  schedule(at: number, event: E, causes?: number[], background?: boolean): Pending<E>;
  /** Takes an event back. */
  cancel(pending: Pending<E>): void;
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
  const { startAt, countFrom = startAt } = options;
  let now = startAt;
  let seq = 0;
  let steps = 0;
  let foreground = 0;

  const dropCancelled = (): void => {
    for (let next = queue.peek(); next?.cancelled === true; next = queue.peek()) queue.pop();
  };
  const candidates = (at: number): readonly Pending<E>[] => queue.at(at).filter((pending) => !pending.cancelled);
  const step = (until = Infinity): boolean => {
    dropCancelled();
    const next = queue.peek();
    if (next === undefined || next.at > until) return false;
    const { at } = next;
    if (at - countFrom > limits.timeMs) throw new LimitTripped('timeMs', `virtual time ran past its limit of ${limits.timeMs / 1000} s; next would be ${nameNext(at)}`);
    const pending = options.choose === undefined ? queue.pop() : takeChosen(at, options.choose);
    if (pending === undefined) return false;
    if (!pending.background) foreground--;
    moveTo(at);
    if (at >= countFrom && ++steps > limits.steps) throw new LimitTripped('steps', `the run took more than ${limits.steps} steps; last was ${options.describe(pending.event)}`);
    options.handle(pending.event, pending);
    return true;
  };
  const moveTo = (at: number): void => {
    if (at <= now) return;
    options.onAdvance?.(at);
    now = at;
  };
  const takeChosen = (at: number, choose: (candidates: readonly Pending<E>[]) => number): Pending<E> | undefined => {
    const open = candidates(at);
    const chosen = open[choose(open)] ?? open[0];
    return chosen === undefined ? undefined : queue.pop(queue.at(at).indexOf(chosen));
  };
  const nameNext = (at: number): string => { const [first] = queue.at(at); return first === undefined ? 'nothing' : options.describe(first.event); };

  return {
    get now() { return now; },
    startAt,
    get steps() { return steps; },
    limits,
    schedule(at, event, causes = [], background = false) {
      const pending: Pending<E> = { at: at > now ? at : now, seq: seq++, event, causes, background, cancelled: false };
      queue.push(pending.at, pending);
      if (!background) foreground++;
      return pending;
    },
    cancel(pending) {
      if (pending.cancelled) return;
      pending.cancelled = true;
      if (!pending.background) foreground--;
    },
    step,
    runUntil(at) {
      while (step(at));
      moveTo(at);
    },
    get settled() { return foreground === 0; },
    pending: () => queue.all().filter((pending) => !pending.cancelled),
    nextAt() { dropCancelled(); return queue.earliest(); },
  };
}
