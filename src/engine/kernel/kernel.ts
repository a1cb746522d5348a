/** The event loop: take one event, set the clock, handle it, repeat; and the limits of a run, with the error for one that is exceeded. */
import { type Channel, offeredOf, type Pending } from './channels.ts';
import { TimeQueue } from './queue.ts';

export interface Limits {
  /** The total number of events handled. */
  readonly steps: number;
  /** Virtual milliseconds from the start. */
  readonly timeMs: number;
  /** How often one source (such as a key of a controller) may act at one instant. */
  readonly sameInstant: number;
}

/** The name of an exceeded limit: one of these, or a bound of the kernel's caller. */
type LimitName = keyof Limits | 'objects';

const DEFAULT_LIMITS: Limits = { steps: 200_000_000, timeMs: 10 * 366 * 86_400_000, sameInstant: 10_000 };

/** A run that does not settle. `culprit` is a sentence that names the source of the loop. */
export class LimitTripped extends Error {
  readonly limit: LimitName;
  readonly culprit: string;
  /** The name of the controller that loops; undefined when the source is not a controller. */
  readonly controller: string | undefined;
  constructor(limit: LimitName, culprit: string, controller?: string) {
    super(culprit);
    this.name = 'LimitTripped';
    this.limit = limit;
    this.culprit = culprit;
    this.controller = controller;
  }
}

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

/** A kernel without events, with its clock at `startAt`. */
export class Kernel<E> {
  readonly startAt: number;
  readonly limits: Limits;
  private readonly options: KernelOptions<E>;
  private readonly countFrom: number;
  private readonly queue = new TimeQueue<Pending<E>>();
  /**
   * It is undefined at first, because the host boxes a field that has only ever held numbers of this size anew at each access (4 KB a pod).
   */
  private instant: number | undefined = undefined;
  /** Events that were scheduled last in the present instant. */
  private gathering: Pending<E>[] = [];
  /** Events that were postponed to the end of the present instant: they come after the ones above. */
  private last: Pending<E>[] = [];
  private seq = 0;
  private handled = 0;
  private open = 0;

  constructor(options: KernelOptions<E>) {
    const { startAt, countFrom = startAt, limits } = options;
    this.startAt = startAt;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.options = options;
    this.countFrom = countFrom;
    this.instant = startAt;
  }

  get now(): number {
    return this.instant ?? this.startAt;
  }

  /** Events handled since `countFrom`. An event of several parts counts once; with `choose`, each of its parts counts. */
  get steps(): number {
    return this.handled;
  }

  /** Whether only background events are pending. */
  get settled(): boolean {
    return this.open === 0;
  }

  /** The number of pending events that are not in the background. An event of several parts counts once. */
  get foreground(): number {
    return this.open;
  }

  /**
   * Adds an event and returns its record; an instant in the past becomes now. The list `causes` is kept, not copied. An event of several
   * parts, handled one after the other, needs one record.
   */
  schedule(at: number, event: E, causes: number[] = [], background = false, parts = 1): Pending<E> {
    const { now } = this;
    const due = at > now ? at : now;
    if (this.options.choose === undefined) return this.push(due, event, causes, background, 0, parts);
    // With `choose`, another event may come between any two parts.
    for (let part = 0; part < parts - 1; part++) this.push(due, event, causes, background, part, part + 1);
    return this.push(due, event, causes, background, parts - 1, parts);
  }

  /** Adds an event of one part to the present instant, after everything else that is due in it. `choose` may still pick it earlier. */
  scheduleLast(event: E, causes: number[]): Pending<E> {
    const pending = this.newPending(this.now, event, causes, false, 0, 1);
    this.gathering.push(pending);
    return pending;
  }

  /** Removes an event from the queue. */
  cancel(pending: Pending<E>): void {
    if (pending.cancelled) return;
    pending.cancelled = true;
    if (!pending.background) this.open--;
  }

  /**
   * Postpones the event that is being handled, which must have one part, to an instant. At the present instant it comes after everything
   * else that is due. The record stays the same object, so references to it stay valid.
   */
  postpone(pending: Pending<E>, at: number): void {
    const { now } = this;
    pending.part = pending.parts - 1;
    pending.at = at > now ? at : now;
    if (pending.at === now) this.last.push(pending);
    else this.queue.push(pending.at, pending);
    if (!pending.background) this.open++;
  }

  /** Handles the next event with all its parts. Returns false when no event is pending (at or before `until`). */
  step(until = Infinity): boolean {
    const { options, limits, countFrom } = this;
    this.settleInstant();
    const next = this.queue.peek();
    if (next === undefined || next.at > until) return false;
    const { at } = next;
    if (at - countFrom > limits.timeMs) throw this.tooLate(at);
    const pending = options.choose === undefined ? next : this.take(at, options.choose);
    if (pending === undefined) return false;
    const { event, parts, part: first } = pending;
    this.beginPart(pending);
    this.moveTo(at);
    if (at >= countFrom && ++this.handled > limits.steps)
      throw new LimitTripped('steps', `the run took more than ${limits.steps} steps; last was ${options.describe(event, first)}`);
    options.handle(event, pending, first);
    for (let part = first + 1; part < parts && !pending.cancelled; part++) {
      this.beginPart(pending);
      options.handle(event, pending, part);
    }
    return true;
  }

  /** Handles everything up to and including an instant, then sets the clock to it. */
  runUntil(at: number): void {
    while (this.step(at));
    this.moveTo(at);
  }

  /** The pending events, in the order in which they will be handled: those at the end of the present instant come after the rest of it. */
  pending(): readonly Pending<E>[] {
    const all = this.queue.all();
    const later = all.findIndex(({ at }) => at > this.now);
    const present = later < 0 ? all.length : later;
    // Not by `splice`: there may be more of them than a call may have arguments.
    const ordered = [...all.slice(0, present), ...this.gathering, ...this.last, ...all.slice(present)];
    return ordered.filter(({ cancelled }) => !cancelled).flatMap(partsOf);
  }

  nextAt(): number | undefined {
    this.settleInstant();
    return this.queue.earliest();
  }

  private push(at: number, event: E, causes: number[], background: boolean, part: number, parts: number): Pending<E> {
    const pending = this.newPending(at, event, causes, background, part, parts);
    this.queue.push(at, pending);
    return pending;
  }

  private newPending(at: number, event: E, causes: number[], background: boolean, part: number, parts: number): Pending<E> {
    if (!background) this.open++;
    return { at, seq: this.seq++, event, causes, background, part, parts, cancelled: false };
  }

  /** Drops cancelled events. When the present instant has no other events, enqueues those that come at its end. */
  private settleInstant(): void {
    const { queue, gathering, last } = this;
    for (let next = queue.peek(); next?.cancelled === true; next = queue.peek()) queue.pop();
    if ((gathering.length === 0 && last.length === 0) || queue.earliest() === this.now) return;
    this.gathering = [];
    this.last = [];
    for (const atEnd of [gathering, last]) for (const pending of atEnd) if (!pending.cancelled) queue.push(pending.at, pending);
  }

  /** The remaining parts of an event stay pending while one of its parts is handled. */
  private beginPart(pending: Pending<E>): void {
    if (++pending.part < pending.parts) return;
    if (this.options.choose === undefined) this.queue.pop();
    if (!pending.background) this.open--;
  }

  private moveTo(at: number): void {
    if (at <= this.now) return;
    this.options.onAdvance?.(at);
    this.instant = at;
  }

  private take(at: number, choose: NonNullable<KernelOptions<E>['choose']>): Pending<E> | undefined {
    const { queue, gathering } = this;
    if (at < this.countFrom) return queue.pop();
    const all = queue.at(at);
    const offered = offeredOf(gathering.length === 0 ? all : [...all, ...gathering], this.options.channel);
    const chosen = offered.length < 2 ? offered[0] : (offered[choose(offered)] ?? offered[0]);
    if (chosen === undefined) return undefined;
    const place = all.indexOf(chosen);
    return place < 0 ? gathering.splice(gathering.indexOf(chosen), 1)[0] : queue.pop(place);
  }

  private tooLate(at: number): LimitTripped {
    const [first] = this.queue.at(at);
    const next = first === undefined ? 'nothing' : this.options.describe(first.event, first.part);
    return new LimitTripped('timeMs', `virtual time ran past its limit of ${this.limits.timeMs / 1000} s; next would be ${next}`);
  }
}

/** Returns one record for each remaining part. */
function partsOf<E>(pending: Pending<E>): readonly Pending<E>[] {
  const left = pending.parts - pending.part;
  return left === 1
    ? [pending]
    : Array.from({ length: left }, (_, at) => ({ ...pending, part: pending.part + at, parts: pending.part + at + 1 }));
}
