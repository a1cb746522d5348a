/** The event loop: take one event, set the clock, handle it, repeat. */
import { createTimeQueue, type TimeQueue } from './queue.ts';
import { DEFAULT_LIMITS, LimitTripped, type Limits } from './limits.ts';
import { accessors } from '../accessors.ts';
import { type Channel, offeredOf, type Pending } from './channels.ts';

const withNowStepsSettledForeground = accessors('now', 'steps', 'settled', 'foreground');

export interface KernelOptions<E> {
  readonly startAt: number;
  readonly limits?: Partial<Limits>;
  /** The instant from which steps and time count against the limits; default: the start. Everything before is set-up. */
  readonly countFrom?: number;
  handle(event: E, pending: Pending<E>, part: number): void;
  /** Describes the origin of an event, for the message of an exceeded limit. */
  describe(event: E, part: number): string;
  /** Called before the clock moves to a later instant. */
  onAdvance?(to: number): void;
  /**
   * Picks among the events of the earliest instant, to explore interleavings; absent: the oldest. From `countFrom` on it is called with the
   * oldest event of each channel, in their order, whenever there are two or more.
   */
  choose?(candidates: readonly Pending<E>[]): number;
  /**
   * The channel of an event: events of one channel are never reordered. Undefined: the event has a channel of its own. `UNOFFERED`: the
   * event is handled after all older events, and is never offered to `choose`.
   */
  channel?(event: E, part: number): Channel;
}

export interface Kernel<E> {
  readonly now: number;
  readonly startAt: number;
  /** Events handled since `countFrom`. An event of several parts counts once; with `choose`, each of its parts counts. */
  readonly steps: number;
  readonly limits: Limits;
  /**
   * Adds an event and returns its record; an instant in the past becomes now. The list `causes` is kept, not copied. An event of several
   * parts, handled one after the other, needs one record.
   */
  schedule(at: number, event: E, causes?: number[], background?: boolean, parts?: number): Pending<E>;
  /** Adds an event of one part to the present instant, after everything else that is due in it. `choose` may still pick it earlier. */
  scheduleLast(event: E, causes: number[]): Pending<E>;
  /** Removes an event from the queue. */
  cancel(pending: Pending<E>): void;
  /**
   * Postpones the event that is being handled, which must have one part, to an instant. At the present instant it comes after everything
   * else that is due. The record stays the same object, so references to it stay valid.
   */
  postpone(pending: Pending<E>, at: number): void;
  /** Handles the next event with all its parts. Returns false when no event is pending (at or before `until`). */
  step(until?: number): boolean;
  /** Handles everything up to and including an instant, then sets the clock to it. */
  runUntil(at: number): void;
  /** Whether only background events are pending. */
  readonly settled: boolean;
  /** The number of pending events that are not in the background. An event of several parts counts once. */
  readonly foreground: number;
  /** The pending events, in the order in which they will be handled. */
  pending(): readonly Pending<E>[];
  nextAt(): number | undefined;
}

interface State<E> {
  readonly options: KernelOptions<E>;
  readonly limits: Limits;
  readonly countFrom: number;
  readonly queue: TimeQueue<Pending<E>>;
  readonly clock: Clock;
  /** Events that were scheduled last in the present instant. */
  gathering: Pending<E>[];
  /** Events that were postponed to the end of the present instant: they come after the ones above. */
  last: Pending<E>[];
  seq: number;
  steps: number;
  /** The number of pending events that are not in the background. */
  foreground: number;
}

/**
 * The instant. It is undefined at first, because the host boxes a field that has only ever held numbers of this size anew at each access (4
 * KB a pod).
 */
interface Clock {
  now: number | undefined;
}

/** Returns a kernel without events, with its clock at `startAt`. */
export function createKernel<E>(options: KernelOptions<E>): Kernel<E> {
  const { startAt, countFrom = startAt } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock: Clock = { now: undefined };
  clock.now = startAt;
  const queue = createTimeQueue<Pending<E>>();
  const state: State<E> = { options, limits, countFrom, queue, clock, gathering: [], last: [], seq: 0, steps: 0, foreground: 0 };
  return withNowStepsSettledForeground(
    {
      now: () => clock.now ?? startAt,
      steps: () => state.steps,
      settled: () => state.foreground === 0,
      foreground: () => state.foreground,
    },
    {
      startAt,
      limits,
      schedule: (at, event, causes = [], background = false, parts = 1) => schedule(state, at, event, causes, background, parts),
      scheduleLast(event, causes) {
        const pending = newPending(state, nowOf(state), event, causes, false, 0, 1);
        state.gathering.push(pending);
        return pending;
      },
      cancel: (pending) => cancel(state, pending),
      postpone: (pending, at) => postpone(state, pending, at),
      step: (until = Infinity) => step(state, until),
      runUntil(at) {
        while (step(state, at));
        moveTo(state, at);
      },
      pending: () => pendingOf(state).filter(isOpen).flatMap(partsOf),
      nextAt() {
        settleInstant(state);
        return state.queue.earliest();
      },
    },
  );
}

const nowOf = <E>({ clock, options }: State<E>): number => clock.now ?? options.startAt;

function schedule<E>(state: State<E>, at: number, event: E, causes: number[], background: boolean, parts: number): Pending<E> {
  const now = nowOf(state);
  const due = at > now ? at : now;
  if (state.options.choose === undefined) return push(state, due, event, causes, background, 0, parts);
  // With `choose`, another event may come between any two parts.
  for (let part = 0; part < parts - 1; part++) push(state, due, event, causes, background, part, part + 1);
  return push(state, due, event, causes, background, parts - 1, parts);
}

function push<E>(state: State<E>, at: number, event: E, causes: number[], background: boolean, part: number, parts: number): Pending<E> {
  const pending = newPending(state, at, event, causes, background, part, parts);
  state.queue.push(at, pending);
  return pending;
}

function newPending<E>(
  state: State<E>,
  at: number,
  event: E,
  causes: number[],
  background: boolean,
  part: number,
  parts: number,
): Pending<E> {
  if (!background) state.foreground++;
  return { at, seq: state.seq++, event, causes, background, part, parts, cancelled: false };
}

function cancel<E>(state: State<E>, pending: Pending<E>): void {
  if (pending.cancelled) return;
  pending.cancelled = true;
  if (!pending.background) state.foreground--;
}

function postpone<E>(state: State<E>, pending: Pending<E>, at: number): void {
  const now = nowOf(state);
  pending.part = pending.parts - 1;
  pending.at = at > now ? at : now;
  if (pending.at === now) state.last.push(pending);
  else state.queue.push(pending.at, pending);
  if (!pending.background) state.foreground++;
}

/** Drops cancelled events. When the present instant has no other events, enqueues those that come at its end. */
function settleInstant<E>(state: State<E>): void {
  dropCancelled(state.queue);
  if ((state.gathering.length === 0 && state.last.length === 0) || state.queue.earliest() === nowOf(state)) return;
  const atEnd = lastOf(state);
  state.gathering = [];
  state.last = [];
  for (const pending of atEnd) if (!pending.cancelled) state.queue.push(pending.at, pending);
}

const lastOf = <E>({ gathering, last }: State<E>): Pending<E>[] =>
  gathering.length === 0 ? last : last.length === 0 ? gathering : [...gathering, ...last];

/** Returns the events in the order in which they will be handled: those at the end of the present instant come after the rest of it. */
function pendingOf<E>(state: State<E>): Pending<E>[] {
  const all = state.queue.all();
  const last = lastOf(state);
  if (last.length === 0) return all;
  const now = nowOf(state);
  const later = all.findIndex(({ at }) => at > now);
  return later < 0 ? [...all, ...last] : [...all.slice(0, later), ...last, ...all.slice(later)];
}

function step<E>(state: State<E>, until: number): boolean {
  const { queue, options, limits, countFrom } = state;
  settleInstant(state);
  const next = queue.peek();
  if (next === undefined || next.at > until) return false;
  const { at } = next;
  if (at - countFrom > limits.timeMs) throw tooLate(state, at);
  const pending = options.choose === undefined ? next : take(state, at, options.choose);
  if (pending === undefined) return false;
  const { event, parts, part: first } = pending;
  beginPart(state, pending);
  moveTo(state, at);
  if (at >= countFrom && ++state.steps > limits.steps) throw tooMany(state, pending, first);
  options.handle(event, pending, first);
  for (let part = first + 1; part < parts && !pending.cancelled; part++) {
    beginPart(state, pending);
    options.handle(event, pending, part);
  }
  return true;
}

/** The remaining parts of an event stay pending while one of its parts is handled. */
function beginPart<E>(state: State<E>, pending: Pending<E>): void {
  if (++pending.part < pending.parts) return;
  if (state.options.choose === undefined) state.queue.pop();
  if (!pending.background) state.foreground--;
}

function moveTo<E>(state: State<E>, at: number): void {
  if (at <= nowOf(state)) return;
  state.options.onAdvance?.(at);
  state.clock.now = at;
}

function take<E>(
  { queue, gathering, options, countFrom }: State<E>,
  at: number,
  choose: NonNullable<KernelOptions<E>['choose']>,
): Pending<E> | undefined {
  if (at < countFrom) return queue.pop();
  const all = queue.at(at);
  const offered = offeredOf(gathering.length === 0 ? all : [...all, ...gathering], options.channel);
  const chosen = offered.length < 2 ? offered[0] : (offered[choose(offered)] ?? offered[0]);
  if (chosen === undefined) return undefined;
  const place = all.indexOf(chosen);
  return place < 0 ? gathering.splice(gathering.indexOf(chosen), 1)[0] : queue.pop(place);
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

/** Returns one record for each remaining part. */
function partsOf<E>(pending: Pending<E>): readonly Pending<E>[] {
  const left = pending.parts - pending.part;
  return left === 1
    ? [pending]
    : Array.from({ length: left }, (_, at) => ({ ...pending, part: pending.part + at, parts: pending.part + at + 1 }));
}
