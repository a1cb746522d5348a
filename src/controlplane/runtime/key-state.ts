/**
 * The state that one controller of one process holds for one key: its place in the work queue, its memory, the outcome that is being
 * written. One record per key; it is removed when it holds nothing.
 */
import { type Pending, withSize } from '../../engine/index.ts';
import type { Author } from '../../apiserver/request/index.ts';
import type { Outcome } from './contract.ts';
import type { ClusterEvent } from './pending.ts';

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
  /** The renewals of its lease are elided. */
  renewals: boolean;
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

export interface KeyStates {
  get(key: string): KeyState | undefined;
  /** The state with an id. */
  at(keyId: number): KeyState | undefined;
  /** The state of a key, created if there is none. */
  open(key: string): KeyState;
  /** The key's reconcile is over: an empty state is dropped once the instant is over. */
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
  /** The keys that rest, and since when. */
  const rest: { states: KeyState[]; at: number } = { states: [], at: 0 };

  const sweep = (): void => {
    const rested = rest.states;
    rest.states = [];
    for (const state of rested) {
      state.resting = false;
      // A key with expectations can be listed here a second time, long after its state was dropped.
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
        // States are kept until the end of the instant: a key that loops returns at once, and its reconciles are counted.
        if (rest.states.length > 0 && rest.at !== now()) sweep();
        if (state.resting || !isEmpty(state)) return;
        rest.at = now();
        state.resting = true;
        rest.states.push(state);
      },
      values: () => states.values(),
    },
  );
}
