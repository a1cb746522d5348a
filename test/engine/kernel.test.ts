import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKernel } from '../../src/engine/index.ts';
import { createTimeQueue } from '../../src/engine/kernel/queue.ts';

const run = (plan: readonly { at: number; name: string }[], choose?: (candidates: readonly unknown[]) => number): string[] => {
  const seen: string[] = [];
  const kernel = createKernel<string>({
    startAt: 0,
    describe: (event) => event,
    handle: (event) => {
      seen.push(`${kernel.now}:${event}`);
    },
    ...(choose === undefined ? {} : { choose }),
  });
  for (const { at, name } of plan) kernel.schedule(at, name);
  while (kernel.step());
  return seen;
};

describe('kernel', () => {
  it('handles events by time, then by the order in which they were planned', () => {
    expect(
      run([
        { at: 5, name: 'c' },
        { at: 1, name: 'a' },
        { at: 5, name: 'd' },
        { at: 1, name: 'b' },
      ]),
    ).toEqual(['1:a', '1:b', '5:c', '5:d']);
  });

  it('treats an instant in the past as now', () => {
    const seen: string[] = [];
    const kernel = createKernel<string>({
      startAt: 100,
      describe: String,
      handle: (event) => {
        seen.push(`${kernel.now}:${event}`);
        if (event === 'a') kernel.schedule(3, 'late');
      },
    });
    kernel.schedule(120, 'a');
    kernel.runUntil(500);
    expect(seen).toEqual(['120:a', '120:late']);
    expect(kernel.now).toBe(500);
  });

  it('lets a chooser reorder only what is due at the same instant', () => {
    expect(
      run(
        [
          { at: 1, name: 'a' },
          { at: 1, name: 'b' },
          { at: 2, name: 'c' },
        ],
        (candidates) => candidates.length - 1,
      ),
    ).toEqual(['1:b', '1:a', '2:c']);
  });

  it('forgets cancelled events and does not count them as something left to do', () => {
    const seen: string[] = [];
    const kernel = createKernel<string>({
      startAt: 0,
      describe: String,
      handle: (event) => {
        seen.push(event);
      },
    });
    const taken = kernel.schedule(10, 'never');
    kernel.schedule(20, 'heartbeat', [], true);
    expect(kernel.settled).toBe(false);
    kernel.cancel(taken);
    kernel.cancel(taken);
    expect(kernel.settled).toBe(true);
    expect(kernel.pending().map(({ event }) => event)).toEqual(['heartbeat']);
    while (kernel.step());
    expect(seen).toEqual(['heartbeat']);
  });

  describe('an event of several parts', () => {
    const parts = (
      choose?: (candidates: readonly unknown[]) => number,
    ): { readonly seen: string[]; readonly steps: number; readonly waiting: readonly string[][] } => {
      const seen: string[] = [];
      const waiting: string[][] = [];
      const kernel = createKernel<string>({
        startAt: 0,
        describe: (event, part) => `${event}${part}`,
        handle: (event, _pending, part) => {
          seen.push(`${event}${part}`);
          waiting.push(kernel.pending().map((pending) => `${pending.event}${pending.part}`));
          if (event === 'a' && part === 0) kernel.schedule(0, 'late');
        },
        ...(choose === undefined ? {} : { choose }),
      });
      kernel.schedule(0, 'a', [], false, 3);
      kernel.schedule(0, 'b');
      while (kernel.step());
      expect(kernel.settled).toBe(true);
      return { seen, steps: kernel.steps, waiting };
    };

    it('happens step by step, before what came after it', () => {
      const { seen, steps, waiting } = parts();
      expect(seen).toEqual(['a0', 'a1', 'a2', 'b0', 'late0']);
      expect(steps).toBe(5);
      expect(waiting[0]).toEqual(['a1', 'a2', 'b0']);
    });

    it('lets a chooser put something between any two', () => {
      expect(parts(() => 0).seen).toEqual(['a0', 'a1', 'a2', 'b0', 'late0']);
      expect(parts((candidates) => candidates.length - 1).seen).toEqual(['b0', 'a2', 'a1', 'a0', 'late0']);
    });

    it('goes as a whole when it is taken back', () => {
      const seen: string[] = [];
      const kernel = createKernel<string>({
        startAt: 0,
        describe: String,
        handle: (event, pending, part) => {
          seen.push(`${event}${part}`);
          if (part === 1) kernel.cancel(pending);
        },
      });
      kernel.schedule(0, 'a', [], false, 3);
      kernel.schedule(0, 'b');
      while (kernel.step());
      expect(seen).toEqual(['a0', 'a1', 'b0']);
      expect(kernel.settled).toBe(true);
    });
  });

  it('names the culprit when the steps run out', () => {
    const kernel = createKernel<string>({
      startAt: 0,
      limits: { steps: 10 },
      describe: (event) => event,
      handle: () => {
        kernel.schedule(kernel.now, 'the loop');
      },
    });
    kernel.schedule(0, 'first');
    expect(() => kernel.runUntil(1)).toThrow(
      expect.objectContaining({ name: 'LimitTripped', limit: 'steps', culprit: expect.stringContaining('the loop') }),
    );
  });

  it('keeps (time, sequence) order whatever is pushed and popped', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.record({ push: fc.integer({ min: 0, max: 20 }) }), fc.constant('pop' as const)), { maxLength: 200 }),
        (commands) => {
          const queue = createTimeQueue<[number, number]>();
          const model: [number, number][] = [];
          let seq = 0;
          for (const command of commands) {
            if (command === 'pop') {
              model.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
              expect(queue.pop()).toEqual(model.shift());
            } else {
              const item: [number, number] = [command.push, seq++];
              queue.push(command.push, item);
              model.push(item);
            }
            expect(queue.size).toBe(model.length);
          }
          model.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          expect(queue.all()).toEqual(model);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});
