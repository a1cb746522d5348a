/**
 * The work queue of one controller in one process: a key is never reconciled twice at once, a key that is added while it is processed is
 * kept for later, and delays and back-off are per key. Models: client-go util/workqueue (dirty and processing sets, delaying and
 * rate-limiting queues).
 */
import { type Kernel, type Pending, withSize } from '../../engine/index.ts';
import { createTokenBucket, exponentialDelayMs, type TokenBucket } from './rate.ts';
import { createKeyStates, type KeyState, type KeyStates } from './key-state.ts';
import type { ClusterEvent } from './pending.ts';

export interface WorkQueue {
  /** Enqueues a key now. A key in the queue only gets the additional causes. The queue takes ownership of lists of causes. */
  add(key: string, causes: Causes): void;
  /** Enqueues at an instant; of several, the earliest counts. */
  addAt(key: string, at: number, causes: Causes, because?: 'delay' | 'backoff'): void;
  /** Sets the key's wake-up time, replacing the previous one; undefined clears it. */
  wakeAt(state: KeyState, at: number | undefined, cause: number | undefined, background: boolean): void;
  /** The same as `add` for a known state. */
  addState(state: KeyState, causes: Causes): void;
  /** A delay of a key ends: returns its state to enqueue, unless the delay was cancelled. */
  ends(keyId: number, pending: Pending<ClusterEvent>): KeyState | undefined;
  /** Takes a key out of the queue to reconcile it; undefined: there is none. */
  begin(keyId: number): KeyState | undefined;
  /** The key's reconcile, writes included, is over. */
  done(state: KeyState): void;
  /** Drops the state of a key that holds nothing any more. */
  rest(state: KeyState): void;
  /** Counts a failure; returns how long to wait before the next try, in milliseconds. */
  fail(state: KeyState): number;
  failures(key: string): number;
  /** The state with a key id. */
  at(keyId: number): KeyState | undefined;
  /** The state of a key, created if there is none. */
  open(key: string): KeyState;
  /** The process ended: everything planned for its keys is cancelled. */
  close(): void;
  /** The states of all keys, for introspection. */
  states(): Iterable<KeyState>;
  /** When the shared failure bucket is full again; undefined: it is full. */
  describe(): number | undefined;
  /** The number of keys with a state. */
  readonly size: number;
}

/** One cause, which becomes a list only where a new event needs it, or several. */
type Causes = number | number[];

interface Options {
  readonly kernel: Kernel<ClusterEvent>;
  /** The number by which pending events name its controller. */
  readonly running: number;
  /** Keys are handled last in the instant in which they are added; absent: in the order in which they are added. */
  readonly coalesces?: boolean;
  readonly backoff: {
    readonly baseMs: number;
    readonly maxMs: number;
    /** All failures of the queue together: so many at once, then one every so often; absent: no such limit. */ readonly shared?: {
      readonly burst: number;
      readonly everyMs: number;
    };
  };
}

interface State {
  readonly kernel: Kernel<ClusterEvent>;
  readonly running: number;
  readonly coalesces: boolean;
  readonly backoff: Options['backoff'];
  readonly states: KeyStates;
  /** Shared by the failures of all keys. */
  readonly bucket: TokenBucket | undefined;
}

/** An empty queue. */
export function createWorkQueue({ kernel, running, coalesces = false, backoff }: Options): WorkQueue {
  const states = createKeyStates(() => kernel.now);
  const bucket = backoff.shared === undefined ? undefined : createTokenBucket(backoff.shared.burst, backoff.shared.everyMs);
  const queue: State = { kernel, running, coalesces, backoff, states, bucket };
  return withSize(
    { size: () => states.size },
    {
      add: (key, causes) => enqueue(queue, states.open(key), causes),
      addState: (state, causes) => enqueue(queue, state, causes),
      addAt: (key, at, causes, because = 'delay') => addAt(queue, states.open(key), at, causes, because),
      wakeAt: (state, at, cause, background) => wakeAt(queue, state, at, cause, background),
      ends: (keyId, pending) => ends(states.at(keyId), pending),
      begin(keyId) {
        const state = states.at(keyId);
        if (state === undefined) return undefined;
        state.waiting = undefined;
        state.processing = true;
        return state;
      },
      done: (state) => done(queue, state),
      rest: states.rest,
      fail(state) {
        const wait = exponentialDelayMs(state.failures, backoff.baseMs, backoff.maxMs);
        state.failures++;
        return Math.max(wait, bucket?.reserve(kernel.now) ?? 0);
      },
      failures: (key) => states.get(key)?.failures ?? 0,
      at: states.at,
      open: states.open,
      close() {
        for (const { waiting, delayed, wake } of states.values())
          for (const pending of [waiting, delayed, wake]) if (pending !== undefined) kernel.cancel(pending);
      },
      states: () => states.values(),
      describe() {
        const fullAt = bucket?.describe() ?? 0;
        return fullAt > kernel.now ? fullAt : undefined;
      },
    },
  );
}

function addTo(list: number[], causes: Causes): void {
  if (typeof causes === 'number') list.push(causes);
  else for (const cause of causes) list.push(cause);
}

const asList = (causes: Causes): number[] => (typeof causes === 'number' ? [causes] : causes);

function enqueue({ kernel, running, coalesces }: State, state: KeyState, causes: Causes): void {
  if (state.waiting !== undefined) {
    addTo(state.waiting.causes, causes);
    return;
  }
  if (state.processing) {
    if (state.dirty === undefined) state.dirty = asList(causes);
    else addTo(state.dirty, causes);
    return;
  }
  const event = { type: 'reconcile', running, keyId: state.keyId } as const;
  state.waiting = coalesces ? kernel.scheduleLast(event, asList(causes)) : kernel.schedule(kernel.now, event, asList(causes));
}

function addAt(queue: State, state: KeyState, at: number, causes: Causes, because: 'delay' | 'backoff'): void {
  const { kernel, running } = queue;
  if (at <= kernel.now) {
    enqueue(queue, state, causes);
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

function wakeAt({ kernel, running }: State, state: KeyState, at: number | undefined, cause: number | undefined, background: boolean): void {
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

function ends(state: KeyState | undefined, pending: Pending<ClusterEvent>): KeyState | undefined {
  if (state?.delayed === pending) state.delayed = undefined;
  else if (state?.wake === pending) state.wake = undefined;
  else return undefined;
  return state;
}

function done(queue: State, state: KeyState): void {
  state.processing = false;
  const causes = state.dirty;
  if (causes === undefined) {
    queue.states.rest(state);
    return;
  }
  state.dirty = undefined;
  enqueue(queue, state, causes);
}
