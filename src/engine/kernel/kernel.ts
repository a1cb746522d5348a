/** The event loop: pop one event, set the clock, run it, repeat. */
import { createTimeQueue, type TimeQueue } from './queue.ts';
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
  /**
   * Adds an event; an instant in the past becomes now. The list of causes is taken over, not copied. What happens in several parts, one
   * right after the other, needs one record.
   */
  schedule(at: number, event: E, causes?: number[], background?: boolean, parts?: number): Pending<E>;
  /** Takes an event back. */
  cancel(pending: Pending<E>): void;
  /** Handles the next event; false when there is none (at or before `until`). */
  step(until?: number): boolean;
  /** Handles everything up to and including an instant, then sets the clock to it. */
  runUntil(at: number): void;
  /** Whether only heartbeats are left. */
  readonly settled: boolean;
  /** How many pending events are no heartbeats; one of several parts counts once. */
  readonly foreground: number;
  /** What may happen next, in order. */
  pending(): readonly Pending<E>[];
  nextAt(): number | undefined;
}

interface State<E> {
  readonly options: KernelOptions<E>;
  readonly limits: Limits;
  readonly countFrom: number;
  readonly queue: TimeQueue<Pending<E>>;
  readonly clock: Clock;
  seq: number;
  steps: number;
  /** Pending events that are no heartbeats. */
  foreground: number;
}

/** The instant in a variable: read from a field of a record, a number of this size is boxed anew each time (4 KB a pod). */
interface Clock {
  read(): number;
  set(at: number): void;
}

function createClock(startAt: number): Clock {
  let now = startAt;
  return {
    read: () => now,
    set(at) {
      now = at;
    },
  };
}

export function createKernel<E>(options: KernelOptions<E>): Kernel<E> {
  const { startAt, countFrom = startAt } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock = createClock(startAt);
  const state: State<E> = { options, limits, countFrom, queue: createTimeQueue(), clock, seq: 0, steps: 0, foreground: 0 };
  return {
    get now() {
      return clock.read();
    },
    startAt,
    get steps() {
      return state.steps;
    },
    limits,
    schedule: (at, event, causes = [], background = false, parts = 1) => schedule(state, at, event, causes, background, parts),
    cancel: (pending) => cancel(state, pending),
    step: (until = Infinity) => step(state, until),
    runUntil(at) {
      while (step(state, at));
      moveTo(state, at);
    },
    get settled() {
      return state.foreground === 0;
    },
    get foreground() {
      return state.foreground;
    },
    pending: () => state.queue.all().filter(isOpen).flatMap(partsOf),
    nextAt() {
      dropCancelled(state.queue);
      return state.queue.earliest();
    },
  };
}

function schedule<E>(state: State<E>, at: number, event: E, causes: number[], background: boolean, parts: number): Pending<E> {
  const now = state.clock.read();
  const due = at > now ? at : now;
  if (state.options.choose === undefined) return push(state, due, event, causes, background, 0, parts);
  // Whoever picks may put something between any two parts.
  for (let part = 0; part < parts - 1; part++) push(state, due, event, causes, background, part, part + 1);
  return push(state, due, event, causes, background, parts - 1, parts);
}

function push<E>(state: State<E>, at: number, event: E, causes: number[], background: boolean, part: number, parts: number): Pending<E> {
  const pending: Pending<E> = { at, seq: state.seq++, event, causes, background, part, parts, cancelled: false };
  state.queue.push(at, pending);
  if (!background) state.foreground++;
  return pending;
}

function cancel<E>(state: State<E>, pending: Pending<E>): void {
  if (pending.cancelled) return;
  pending.cancelled = true;
  if (!pending.background) state.foreground--;
}

function step<E>(state: State<E>, until: number): boolean {
  const { queue, options, limits, countFrom } = state;
  dropCancelled(queue);
  const next = queue.peek();
  if (next === undefined || next.at > until) return false;
  const { at } = next;
  if (at - countFrom > limits.timeMs) throw tooLate(state, at);
  const pending = options.choose === undefined ? next : takeChosen(queue, at, options.choose);
  if (pending === undefined) return false;
  const part = pending.part++;
  if (pending.part >= pending.parts) {
    if (options.choose === undefined) queue.pop();
    if (!pending.background) state.foreground--;
  }
  moveTo(state, at);
  if (at >= countFrom && ++state.steps > limits.steps) throw tooMany(state, pending, part);
  options.handle(pending.event, pending, part);
  return true;
}

function moveTo<E>(state: State<E>, at: number): void {
  if (at <= state.clock.read()) return;
  state.options.onAdvance?.(at);
  state.clock.set(at);
}

function takeChosen<E>(queue: TimeQueue<Pending<E>>, at: number, choose: NonNullable<KernelOptions<E>['choose']>): Pending<E> | undefined {
  const all = queue.at(at);
  const open = all.filter(isOpen);
  const chosen = open[choose(open)] ?? open[0];
  return chosen === undefined ? undefined : queue.pop(all.indexOf(chosen));
}

const isOpen = <E>({ cancelled }: Pending<E>): boolean => !cancelled;

function dropCancelled<E>(queue: TimeQueue<Pending<E>>): void {
  for (let next = queue.peek(); next?.cancelled === true; next = queue.peek()) queue.pop();
}

function tooLate<E>({ queue, options, limits }: State<E>, at: number): LimitTripped {
  const [first] = queue.at(at);
  const next = first === undefined ? 'nothing' : options.describe(first.event, first.part);
  return new LimitTripped('timeMs', `virtual time ran past its limit of ${limits.timeMs / 1000} s; next would be ${next}`);
}

function tooMany<E>({ options, limits }: State<E>, { event }: Pending<E>, part: number): LimitTripped {
  return new LimitTripped('steps', `the run took more than ${limits.steps} steps; last was ${options.describe(event, part)}`);
}

/** A record for each part that is left. */
function partsOf<E>(pending: Pending<E>): readonly Pending<E>[] {
  const left = pending.parts - pending.part;
  return left === 1
    ? [pending]
    : Array.from({ length: left }, (_, at) => ({ ...pending, part: pending.part + at, parts: pending.part + at + 1 }));
}
