/**
 * The work queue of one controller in one process: a key is never reconciled twice at once, a key that is added while it is processed is
 * kept for later, and delays and back-off are per key. One record holds all that the controller has for a key, its memory and the outcome
 * that is being written too; it is removed when it holds nothing. Models: client-go util/workqueue (dirty and processing sets, delaying and
 * rate-limiting queues).
 */
import type { Kernel, Pending } from '../../engine/index.ts';
import type { Author } from '../../apiserver/request/index.ts';
import { createTokenBucket, exponentialDelayMs, type TokenBucket } from './rate.ts';
import type { Outcome } from './outcome.ts';
import type { ClusterEvent } from './pending.ts';
import type { ElidedLease } from './renewal-elision.ts';

/** An outcome whose writes are being made. */
export interface InFlight {
  /** The author of the writes. */
  readonly by: Author;
  readonly outcome: Outcome;
  readonly entry: number;
  /** Nothing but the entry: the causes of its writes, which share the list. */ readonly causes: number[];
  index: number;
  /** A request of it has left already. */ sent: boolean;
}

/** The revision that a stream must deliver before its process has seen a write of the key. */
interface OwnWrite {
  readonly stream: {
    readonly kind: string;
    readonly seenRevision: number;
    readonly inFlight: readonly ({ readonly revision: number } | undefined)[];
    readonly head: number;
    readonly tail: number;
  };
  revision: number;
}

export interface KeyState {
  readonly key: string;
  /** The id by which pending events name the key while its state holds anything; reused after that. */
  readonly keyId: number;
  /** The renewals of its lease, while they are elided. */
  elided: ElidedLease | undefined;
  /** Its next decision is dated this earlier instant: the decision of an elided renewal that was in flight when renewals became real. */
  decidedAt: number | undefined;
  /** The pending event while the key is in the queue. */
  waiting: Pending<ClusterEvent> | undefined;
  processing: boolean;
  /** Causes of being enqueued again while it is processed. */
  dirty: number[] | undefined;
  delayed: Pending<ClusterEvent> | undefined;
  wake: Pending<ClusterEvent> | undefined;
  /** Consecutive failures. */
  failures: number;
  /** The controller's memory of the key; undefined: none. */
  memory: unknown;
  /** Revisions of its own creates and deletes that the cache has not reached, as far as is known. */
  expectations: OwnWrite[] | undefined;
  flight: InFlight | undefined;
  /** Reconciles at one instant, counted for the limit on loops. */
  loops: number;
  loopsAt: number;
  /** It is in the list of states that may be dropped at the next instant. */
  resting: boolean;
}

const isEmpty = (state: KeyState): boolean =>
  state.waiting === undefined &&
  state.elided === undefined &&
  !state.processing &&
  state.dirty === undefined &&
  state.delayed === undefined &&
  state.wake === undefined &&
  state.failures === 0 &&
  state.memory === undefined &&
  state.expectations === undefined &&
  state.flight === undefined;

/** One cause, which becomes a list only where a new event needs it, or several. */
type Causes = number | number[];

function addTo(list: number[], causes: Causes): void {
  if (typeof causes === 'number') list.push(causes);
  else for (const cause of causes) list.push(cause);
}

const asList = (causes: Causes): number[] => (typeof causes === 'number' ? [causes] : causes);

interface Options {
  readonly kernel: Kernel<ClusterEvent>;
  /** The number by which pending events name its controller. */
  readonly running: number;
  /** Keys are handled last in the instant in which they are added; absent: in the order in which they are added. */
  readonly coalesces?: boolean | undefined;
  readonly backoff: {
    readonly baseMs: number;
    readonly maxMs: number;
    /** All failures of the queue together: so many at once, then one every so often; absent: no such limit. */ readonly shared?: {
      readonly burst: number;
      readonly everyMs: number;
    };
  };
}

/** The queue takes ownership of lists of causes. */
export class WorkQueue {
  private readonly options: Options;
  private readonly kernel: Kernel<ClusterEvent>;
  private readonly running: number;
  /** Shared by the failures of all keys. */
  private readonly bucket: TokenBucket | undefined;
  private readonly byKey = new Map<string, KeyState>();
  private readonly slots: (KeyState | undefined)[] = [];
  private readonly free: number[] = [];
  /** The keys that rest, and since when. */
  private resting: KeyState[] = [];
  private restingAt = 0;

  constructor(options: Options) {
    const { kernel, running, backoff } = options;
    this.options = options;
    this.kernel = kernel;
    this.running = running;
    this.bucket = backoff.shared === undefined ? undefined : createTokenBucket(backoff.shared.burst, backoff.shared.everyMs);
  }

  /** The number of keys with a state. */
  get size(): number {
    return this.byKey.size;
  }

  /** The states of all keys, for introspection. */
  states(): Iterable<KeyState> {
    return this.byKey.values();
  }

  /** The state with a key id. */
  at(keyId: number): KeyState | undefined {
    return this.slots[keyId];
  }

  /** The state of a key, created if there is none. */
  open(key: string): KeyState {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const opened: KeyState = {
      key,
      keyId: this.free.pop() ?? this.slots.length,
      elided: undefined,
      decidedAt: undefined,
      waiting: undefined,
      processing: false,
      dirty: undefined,
      delayed: undefined,
      wake: undefined,
      failures: 0,
      memory: undefined,
      expectations: undefined,
      flight: undefined,
      loops: 0,
      loopsAt: -1,
      resting: false,
    };
    this.byKey.set(key, opened);
    this.slots[opened.keyId] = opened;
    return opened;
  }

  /** Enqueues a key now. A key in the queue only gets the additional causes. */
  add(state: KeyState, causes: Causes): void {
    if (state.waiting !== undefined) {
      addTo(state.waiting.causes, causes);
      return;
    }
    if (state.processing) {
      if (state.dirty === undefined) state.dirty = asList(causes);
      else addTo(state.dirty, causes);
      return;
    }
    const { kernel, running } = this;
    const event = { type: 'reconcile', running, keyId: state.keyId } as const;
    state.waiting =
      this.options.coalesces === true ? kernel.scheduleLast(event, asList(causes)) : kernel.schedule(kernel.now, event, asList(causes));
  }

  /** Enqueues at an instant; of several, the earliest counts. */
  addAt(state: KeyState, at: number, causes: Causes, because: 'delay' | 'backoff' = 'delay'): void {
    const { kernel, running } = this;
    if (at <= kernel.now) {
      this.add(state, causes);
      return;
    }
    const earlier = state.delayed;
    if (earlier !== undefined && earlier.at <= at) {
      addTo(earlier.causes, causes);
      return;
    }
    if (earlier !== undefined) kernel.cancel(earlier);
    const all = asList(causes);
    state.delayed = kernel.schedule(
      at,
      { type: 'due', running, keyId: state.keyId, because },
      earlier === undefined ? all : [...earlier.causes, ...all],
    );
  }

  /** Sets the key's wake-up time, replacing the previous one; undefined clears it. */
  wakeAt(state: KeyState, at: number | undefined, cause: number | undefined, background: boolean): void {
    const { kernel, running } = this;
    // Unchanged: rescheduling at every reconcile, as for deadlines, would pile up far-off events.
    if (state.wake !== undefined && state.wake.at === at && state.wake.background === background) return;
    if (state.wake !== undefined) {
      kernel.cancel(state.wake);
      state.wake = undefined;
    }
    if (at === undefined) return;
    const causes = cause === undefined ? [] : [cause];
    state.wake = kernel.schedule(at, { type: 'due', running, keyId: state.keyId, because: 'wake' }, causes, background);
  }

  /** A delay of a key ends: returns its state to enqueue, unless the delay was cancelled. */
  ends(keyId: number, pending: Pending<ClusterEvent>): KeyState | undefined {
    const state = this.slots[keyId];
    if (state?.delayed === pending) state.delayed = undefined;
    else if (state?.wake === pending) state.wake = undefined;
    else return undefined;
    return state;
  }

  /** Takes a key out of the queue to reconcile it; undefined: there is none. */
  begin(keyId: number): KeyState | undefined {
    const state = this.slots[keyId];
    if (state === undefined) return undefined;
    state.waiting = undefined;
    state.processing = true;
    return state;
  }

  /** The key's reconcile, writes included, is over. */
  done(state: KeyState): void {
    state.processing = false;
    const causes = state.dirty;
    if (causes === undefined) {
      this.rest(state);
      return;
    }
    state.dirty = undefined;
    this.add(state, causes);
  }

  /** Drops the state of a key that holds nothing any more, once the instant is over: a key that loops returns at once, and is counted. */
  rest(state: KeyState): void {
    const { now } = this.kernel;
    if (this.resting.length > 0 && this.restingAt !== now) this.sweep();
    if (state.resting || !isEmpty(state)) return;
    this.restingAt = now;
    state.resting = true;
    this.resting.push(state);
  }

  private sweep(): void {
    const rested = this.resting;
    this.resting = [];
    for (const state of rested) {
      state.resting = false;
      // A key with expectations can be listed here a second time, long after its state was dropped.
      if (!isEmpty(state) || this.slots[state.keyId] !== state) continue;
      this.byKey.delete(state.key);
      this.slots[state.keyId] = undefined;
      this.free.push(state.keyId);
    }
  }

  /** Counts a failure; returns how long to wait before the next try, in milliseconds. */
  fail(state: KeyState): number {
    const { baseMs, maxMs } = this.options.backoff;
    const wait = exponentialDelayMs(state.failures++, baseMs, maxMs);
    return Math.max(wait, this.bucket?.reserve(this.kernel.now) ?? 0);
  }

  failures(key: string): number {
    return this.byKey.get(key)?.failures ?? 0;
  }

  /** The process ended: everything planned for its keys is cancelled. */
  close(): void {
    for (const { waiting, delayed, wake } of this.byKey.values())
      for (const pending of [waiting, delayed, wake]) if (pending !== undefined) this.kernel.cancel(pending);
  }

  /** When the shared failure bucket is full again; undefined: it is full. */
  describe(): number | undefined {
    const fullAt = this.bucket?.describe() ?? 0;
    return fullAt > this.kernel.now ? fullAt : undefined;
  }
}
