/** The work queue of one controller: one key at a time, nothing lost, nothing twice. */
import { describe, expect, it } from 'vitest';
import { Kernel } from '../../../src/engine/index.ts';
import type { ClusterEvent } from '../../../src/controlplane/runtime/pending.ts';
import { type KeyState, WorkQueue } from '../../../src/controlplane/runtime/work-queue.ts';

const BACKOFF = { baseMs: 5, maxMs: 1_000 };

/**
 * A queue on its own kernel, and the instants at which its keys are taken; a key for which `isLong` returns true is in process until
 * `done`.
 */
function queueOf({
  backoff = BACKOFF,
  isLong = false,
}: { readonly backoff?: ConstructorParameters<typeof WorkQueue>[0]['backoff']; readonly isLong?: boolean } = {}) {
  const taken: { readonly at: number; readonly key: string; readonly causes: readonly number[] }[] = [];
  const kernel = new Kernel<ClusterEvent>({
    startAt: 0,
    describe: ({ type }) => type,
    handle(event, pending) {
      if (event.type === 'due') {
        const state = queue.ends(event.keyId, pending);
        if (state !== undefined) queue.add(state, [...pending.causes]);
      } else if (event.type === 'reconcile') {
        const state = queue.begin(event.keyId);
        if (state === undefined) return;
        taken.push({ at: kernel.now, key: state.key, causes: [...pending.causes] });
        if (!isLong) queue.done(state);
      }
    },
  });
  const queue = new WorkQueue({ kernel, running: 0, backoff });
  const stateOf = (key: string): KeyState => queue.open(key);
  return { kernel, queue, taken, stateOf };
}

describe('a work queue', () => {
  it('takes a key that is added while in process once more, with all causes', () => {
    const { kernel, queue, taken, stateOf } = queueOf({ isLong: true });
    queue.add(stateOf('a'), [1]);
    kernel.runUntil(10);
    queue.add(stateOf('a'), [2]);
    queue.add(stateOf('a'), [3]);
    kernel.runUntil(20);
    expect(taken).toEqual([{ at: 0, key: 'a', causes: [1] }]);
    queue.done(stateOf('a'));
    kernel.runUntil(30);
    expect(taken.slice(1)).toEqual([{ at: 20, key: 'a', causes: [2, 3] }]);
    queue.done(stateOf('a'));
    kernel.runUntil(40);
    expect(taken).toHaveLength(2);
  });

  it.each([
    ['the earlier asked for first', [50, 100], [1, 2]],
    ['the earlier asked for last', [100, 50], [1, 2]],
  ])('of two delays takes the key once, at the earlier one, with both causes: %s', (_, [first = 0, second = 0], causes) => {
    const { kernel, queue, taken, stateOf } = queueOf();
    queue.addAt(stateOf('a'), first, [1]);
    queue.addAt(stateOf('a'), second, [2]);
    kernel.runUntil(1_000);
    expect(taken).toEqual([{ at: 50, key: 'a', causes }]);
  });

  it('delays failures of different keys when together they exceed its bucket', () => {
    const { kernel, queue, stateOf } = queueOf({ backoff: { ...BACKOFF, shared: { burst: 2, everyMs: 100 } } });
    expect(['a', 'b', 'c', 'd'].map((key) => queue.fail(stateOf(key)))).toEqual([5, 5, 100, 200]);
    // The bucket refills with time.
    kernel.runUntil(400);
    expect(queue.fail(stateOf('e'))).toBe(5);
  });

  it('that is closed has no pending event: queued, delayed or for a wake-up', () => {
    const { kernel, queue, taken, stateOf } = queueOf();
    queue.add(stateOf('waiting'), [1]);
    queue.addAt(stateOf('delayed'), 50, [1]);
    queue.wakeAt(stateOf('wakes'), 60, 1, false);
    queue.wakeAt(stateOf('beats'), 70, 1, true);
    expect(kernel.settled).toBe(false);
    queue.close();
    expect(kernel.settled).toBe(true);
    expect(kernel.pending()).toEqual([]);
    kernel.runUntil(100);
    expect(taken).toEqual([]);
  });
});
