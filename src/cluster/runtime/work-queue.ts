/**
 * The work queue of one controller in one process: a key is never reconciled twice at once, keys that come while it runs are kept for
 * after, delays and back-off per key. Models: client-go util/workqueue (dirty and processing sets, delaying and rate-limiting queues).
 */
import type { Kernel, Pending } from '../../engine/index.ts';
import { createTokenBucket, exponentialDelayMs } from './backoff.ts';
import type { ClusterEvent } from './pending.ts';

export interface WorkQueue {
  /** Enqueues now. A key already waiting only takes on the causes. */
  add(key: string, causes: readonly number[]): void;
  /** Enqueues at an instant; of several, the earliest counts. */
  addAt(key: string, at: number, causes: readonly number[], because?: 'delay' | 'backoff'): void;
  /** Sets the key's wake-up time, replacing an earlier one; undefined clears it. */
  wakeAt(key: string, at: number | undefined, causes: readonly number[], background: boolean): void;
  /** A delay of the key ended: true when it still counted and the key was enqueued. */
  due(key: string, pending: Pending<ClusterEvent>, cause: () => number): boolean;
  /** Takes a key for reconciling. */
  begin(key: string): void;
  /** The key's reconcile, writes included, is over. */
  done(key: string): void;
  /** Counts a failure; returns how long to wait before the next try, in milliseconds. */
  fail(key: string): number;
  forget(key: string): void;
  failures(key: string): number;
  /** Keys being reconciled. */
  inFlight(key: string): boolean;
}

interface Options {
  readonly kernel: Kernel<ClusterEvent>;
  readonly process: string;
  readonly incarnation: number;
  readonly controller: string;
  readonly backoff: { readonly baseMs: number; readonly maxMs: number; /** All failures of the queue together: so many at once, then one every so often; absent: no such limit. */ readonly shared?: { readonly burst: number; readonly everyMs: number } };
}

/** An empty queue. */
export function createWorkQueue({ kernel, process, incarnation, controller, backoff }: Options): WorkQueue {
  const waiting = new Map<string, Pending<ClusterEvent>>();
  const processing = new Set<string>();
  const dirty = new Map<string, number[]>();
  const delayed = new Map<string, Pending<ClusterEvent>>();
  const wakes = new Map<string, Pending<ClusterEvent>>();
  const failures = new Map<string, number>();
  const bucket = backoff.shared === undefined ? undefined : createTokenBucket(backoff.shared.burst, backoff.shared.everyMs);

  const add = (key: string, causes: readonly number[]): void => {
    const pending = waiting.get(key);
    if (pending !== undefined) { pending.causes.push(...causes); return; }
    if (processing.has(key)) {
      const kept = dirty.get(key);
      if (kept === undefined) dirty.set(key, [...causes]);
      else kept.push(...causes);
      return;
    }
    waiting.set(key, kernel.schedule(kernel.now, { type: 'reconcile', process, incarnation, controller, key }, causes));
  };

  return {
    add,
    addAt(key, at, causes, because = 'delay') {
      if (at <= kernel.now) { add(key, causes); return; }
      const earlier = delayed.get(key);
      if (earlier !== undefined && earlier.at <= at) { earlier.causes.push(...causes); return; }
      if (earlier !== undefined) kernel.cancel(earlier);
      delayed.set(key, kernel.schedule(at, { type: 'due', process, incarnation, controller, key, because }, earlier === undefined ? causes : [...earlier.causes, ...causes]));
    },
    wakeAt(key, at, causes, background) {
      const before = wakes.get(key);
      if (before !== undefined) { kernel.cancel(before); wakes.delete(key); }
      if (at !== undefined) wakes.set(key, kernel.schedule(at, { type: 'due', process, incarnation, controller, key, because: 'wake' }, causes, background));
    },
    due(key, pending, cause) {
      if (delayed.get(key) === pending) delayed.delete(key);
      else if (wakes.get(key) === pending) wakes.delete(key);
      else return false;
      add(key, [cause()]);
      return true;
    },
    begin(key) {
      waiting.delete(key);
      processing.add(key);
    },
    done(key) {
      processing.delete(key);
      const causes = dirty.get(key);
      if (causes === undefined) return;
      dirty.delete(key);
      add(key, causes);
    },
    fail(key) {
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      return Math.max(exponentialDelayMs(count, backoff.baseMs, backoff.maxMs), bucket?.reserve(kernel.now) ?? 0);
    },
    forget: (key) => { failures.delete(key); },
    failures: (key) => failures.get(key) ?? 0,
    inFlight: (key) => processing.has(key),
  };
}
