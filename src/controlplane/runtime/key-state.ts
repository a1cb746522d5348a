/**
 * All that one controller of one process holds for one key: its place in the work queue, its memory, the outcome being carried out.
 * One record a key, found once an event; it goes when there is nothing left to hold.
 */
import { type Pending, withSize } from '../../engine/index.ts';
import type { Author } from '../../apiserver/request/index.ts';
import type { Outcome } from './contract.ts';
import type { ClusterEvent } from './pending.ts';

/** An outcome whose writes are being made. */
export interface InFlight {
  /** Whose writes they are. */
  readonly by: Author;
  readonly outcome: Outcome;
  readonly entry: number;
  /** Nothing but the entry: the causes of its writes, which share the list. */ readonly causes: number[];
  index: number;
  /** A request of it has left already. */ sent: boolean;
}

/** What a stream has to bring before its process has seen what a key wrote. */
interface OwnWrite {
  readonly stream: {
    readonly kind: string;
    readonly seenRevision: number;
    readonly inFlight: readonly { readonly revision: number }[];
    readonly head: number;
  };
  revision: number;
}

export interface KeyState {
  readonly key: string;
  /** By which pending events name it, while it holds anything; given again after that. */
  readonly keyId: number;
  /** A lease beats for it in closed form. */
  renewals: boolean;
  /** Its next decision was made at this earlier instant: a renewal in closed form that was on its way when the lease became real. */
  decidedAt: number | undefined;
  /** In the queue, to be reconciled. */
  waiting: Pending<ClusterEvent> | undefined;
  processing: boolean;
  /** Enqueued again while processing, by these causes. */
  dirty: number[] | undefined;
  delayed: Pending<ClusterEvent> | undefined;
  wake: Pending<ClusterEvent> | undefined;
  /** Failures in a row. */
  failures: number;
  /** What the controller remembers; undefined: nothing. */
  memory: unknown;
  /** What its own creates and deletes reached and the cache has not been seen to reach. */
  expectations: OwnWrite[] | undefined;
  flight: InFlight | undefined;
  /** Reconciles at one instant, for the limit that names who loops. */
  loops: number;
  loopsAt: number;
  /** Among those that may be dropped when time goes on. */
  resting: boolean;
}

export interface KeyStates {
  get(key: string): KeyState | undefined;
  /** The state in a slot. */
  at(keyId: number): KeyState | undefined;
  /** The state of a key, made if there is none. */
  open(key: string): KeyState;
  /** The key's reconcile is over: its state goes with the instant unless something is held by then. */
  rest(state: KeyState): void;
  values(): Iterable<KeyState>;
  readonly size: number;
}

const isEmpty = (state: KeyState): boolean =>
  state.waiting === undefined &&
  !state.renewals &&
  !state.processing &&
  state.dirty === undefined &&
  state.delayed === undefined &&
  state.wake === undefined &&
  state.failures === 0 &&
  state.memory === undefined &&
  state.expectations === undefined &&
  state.flight === undefined;

/** No keys yet. */
export function createKeyStates(now: () => number): KeyStates {
  const states = new Map<string, KeyState>();
  const slots: (KeyState | undefined)[] = [];
  const free: number[] = [];
  let resting: KeyState[] = [];
  let restingAt = 0;

  const sweep = (): void => {
    const rested = resting;
    resting = [];
    for (const state of rested) {
      state.resting = false;
      // Who awaited its own writes may come to rest a second time, long after it went.
      if (!isEmpty(state) || slots[state.keyId] !== state) continue;
      states.delete(state.key);
      slots[state.keyId] = undefined;
      free.push(state.keyId);
    }
  };

  return withSize(
    { size: () => states.size },
    {
      get: (key) => states.get(key),
      at: (keyId) => slots[keyId],
      open(key) {
        const known = states.get(key);
        if (known !== undefined) return known;
        const opened: KeyState = {
          key,
          keyId: free.pop() ?? slots.length,
          renewals: false,
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
        states.set(key, opened);
        slots[opened.keyId] = opened;
        return opened;
      },
      rest(state) {
        // Kept to the end of the instant: a key that loops comes back at once, and is to be counted.
        if (resting.length > 0 && restingAt !== now()) sweep();
        if (state.resting || !isEmpty(state)) return;
        restingAt = now();
        state.resting = true;
        resting.push(state);
      },
      values: () => states.values(),
    },
  );
}
