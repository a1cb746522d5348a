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
  /** Which of its parts happens next, and where they end: each part is a step, in its place in the order. */
  part: number;
  readonly parts: number;
  /** Taken back: it leaves the queue without happening. */
  cancelled: boolean;
}

export interface KernelOptions<E> {
  readonly startAt: number;
  readonly limits?: Partial<Limits>;
  /** The instant from which steps and time count against the limits; default: the start. What comes before is somebody's preparation. */
  readonly countFrom?: number;
  handle(event: E, pending: Pending<E>, part: number): void;
  /** Who is behind an event, for the message of a tripped limit. */
  describe(event: E, part: number): string;
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
  /** Adds an event; an instant in the past becomes now. The list of causes is taken over, not copied. What happens in several parts, one right after the other, needs one record. */
  schedule(at: number, event: E, causes?: number[], background?: boolean, parts?: number): Pending<E>;
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
    if (at - countFrom > limits.timeMs)
      throw new LimitTripped('timeMs', `virtual time ran past its limit of ${limits.timeMs / 1000} s; next would be ${nameNext(at)}`);
    const pending = options.choose === undefined ? next : takeChosen(at, options.choose);
    if (pending === undefined) return false;
    const part = pending.part++;
    if (pending.part >= pending.parts) {
      if (options.choose === undefined) queue.pop();
      if (!pending.background) foreground--;
    }
    moveTo(at);
    if (at >= countFrom && ++steps > limits.steps)
      throw new LimitTripped('steps', `the run took more than ${limits.steps} steps; last was ${options.describe(pending.event, part)}`);
    options.handle(pending.event, pending, part);
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
  const nameNext = (at: number): string => {
    const [first] = queue.at(at);
    return first === undefined ? 'nothing' : options.describe(first.event, first.part);
  };
  const push = (at: number, event: E, causes: number[], background: boolean, part: number, parts: number): Pending<E> => {
    const pending: Pending<E> = { at, seq: seq++, event, causes, background, part, parts, cancelled: false };
    queue.push(at, pending);
    if (!background) foreground++;
    return pending;
  };

  return {
    get now() {
      return now;
    },
    startAt,
    get steps() {
      return steps;
    },
    limits,
    schedule(at, event, causes = [], background = false, parts = 1) {
      const due = at > now ? at : now;
      // Whoever picks may put something between any two parts.
      if (options.choose !== undefined) for (let part = 0; part < parts - 1; part++) push(due, event, causes, background, part, part + 1);
      return push(due, event, causes, background, options.choose === undefined ? 0 : parts - 1, parts);
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
    get settled() {
      return foreground === 0;
    },
    pending: () =>
      queue
        .all()
        .filter((pending) => !pending.cancelled)
        .flatMap(partsOf),
    nextAt() {
      dropCancelled();
      return queue.earliest();
    },
  };
}

/** A record for each part that is left. */
function partsOf<E>(pending: Pending<E>): readonly Pending<E>[] {
  const left = pending.parts - pending.part;
  return left === 1
    ? [pending]
    : Array.from({ length: left }, (_, at) => ({ ...pending, part: pending.part + at, parts: pending.part + at + 1 }));
}
