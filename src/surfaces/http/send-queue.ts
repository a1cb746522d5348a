/** A queue of values for a slow client. Values are encoded only when the client reads, so that slow readers do not fill the memory. */
import type { Sink } from './message.ts';

export interface SendQueue<T> {
  /** Whether a value that is put now is queued. */
  readonly isBlocked: boolean;
  /** Total weight of the queued values. */
  readonly waiting: number;
  put(value: T, weight: number): void;
  /** Puts values that are stored anyway, so they have no weight. */
  putAll(values: readonly T[]): void;
  /** Calls back when everything is written, immediately if it is. */
  whenEmpty(act: () => void): void;
}

export function createSendQueue<T>(sink: Sink, textOf: (value: T) => string): SendQueue<T> {
  let queue: { readonly value: T; readonly weight: number }[] = [];
  let head = 0;
  let waiting = 0;
  let first: readonly T[] = [];
  let firstAt = 0;
  let blocked = false;
  let atEnd: (() => void) | undefined;

  const next = (): T | undefined => {
    if (firstAt < first.length) return first[firstAt++];
    const found = queue[head];
    if (found === undefined) return undefined;
    head++;
    waiting -= found.weight;
    return found.value;
  };
  const flush = (): void => {
    if (blocked) return;
    for (;;) {
      if (sink.full === true && sink.drained !== undefined) {
        blocked = true;
        sink.drained(() => {
          blocked = false;
          flush();
        });
        return;
      }
      const value = next();
      if (value === undefined) break;
      sink.write(textOf(value));
    }
    [first, firstAt, queue, head] = [[], 0, [], 0];
    const act = atEnd;
    atEnd = undefined;
    act?.();
  };
  return {
    get isBlocked() {
      return blocked || sink.full === true;
    },
    get waiting() {
      return waiting;
    },
    put(value, weight) {
      if (!blocked && sink.full !== true) sink.write(textOf(value));
      else {
        queue.push({ value, weight });
        waiting += weight;
        flush();
      }
    },
    putAll(values) {
      first = values;
      flush();
    },
    whenEmpty(act) {
      atEnd = act;
      flush();
    },
  };
}
