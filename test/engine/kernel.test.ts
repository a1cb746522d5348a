import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Kernel, UNOFFERED } from '../../src/engine/index.ts';
import { TimeQueue } from '../../src/engine/kernel/queue.ts';

const run = (plan: readonly { at: number; name: string }[], choose?: (candidates: readonly unknown[]) => number): string[] => {
  const seen: string[] = [];
  const kernel = new Kernel<string>({
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
  it('handles events by time, then by the order in which they were scheduled', () => {
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
    const kernel = new Kernel<string>({
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

  it('lets `choose` reorder only events of the same instant', () => {
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

  describe('choose', () => {
    const chosen = (plan: readonly { at: number; name: string }[], choose: (candidates: readonly unknown[]) => number): string[] => {
      const seen: string[] = [];
      const kernel = new Kernel<string>({
        startAt: 0,
        countFrom: 10,
        describe: String,
        handle: (event) => {
          seen.push(event);
        },
        // `a1` and `a2` share a channel; events that begin with a dash are not offered.
        channel: (event) => (event.startsWith('-') ? UNOFFERED : /\d$/.test(event) ? event[0] : undefined),
        choose,
      });
      for (const { at, name } of plan) kernel.schedule(at, name);
      while (kernel.step());
      return seen;
    };
    const all = (at: number, ...names: readonly string[]) => names.map((name) => ({ at, name }));

    it('is called with the oldest event of each channel, and not at all when there is only one', () => {
      const offers: number[] = [];
      const seen = chosen(all(20, 'a1', 'a2', 'b1', 'c'), (candidates) => {
        offers.push(candidates.length);
        return candidates.length - 1;
      });
      expect(seen).toEqual(['c', 'b1', 'a1', 'a2']);
      expect(offers).toEqual([3, 2]);
    });

    it('is never called with unoffered events, which come after all older events', () => {
      expect(chosen(all(20, 'x', '-', 'y'), (candidates) => candidates.length - 1)).toEqual(['y', 'x', '-']);
      expect(chosen(all(20, '-', 'x', 'y'), (candidates) => candidates.length - 1)).toEqual(['-', 'y', 'x']);
    });

    it('is not called before `countFrom`', () => {
      expect(chosen(all(5, 'x', 'y'), (candidates) => candidates.length - 1)).toEqual(['x', 'y']);
    });
  });

  describe('a postponed event', () => {
    const postponed = (
      to: number,
    ): { readonly seen: string[]; readonly settled: readonly boolean[]; readonly pending: readonly string[][] } => {
      const seen: string[] = [];
      const settled: boolean[] = [];
      const pending: string[][] = [];
      const known = new Set<unknown>();
      const kernel = new Kernel<string>({
        startAt: 0,
        describe: String,
        handle: (event, record) => {
          if (event === 'a' && !known.has(record)) {
            known.add(record);
            kernel.postpone(record, to);
            settled.push(kernel.settled);
            pending.push(kernel.pending().map((each) => `${each.at}${each.event}`));
            return;
          }
          seen.push(`${kernel.now}:${event}`);
          if (event === 'b') kernel.schedule(10, 'scheduled by b');
        },
      });
      for (const [at, name] of [
        [10, 'a'],
        [10, 'b'],
        [20, 'c'],
      ] as const)
        kernel.schedule(at, name);
      while (kernel.step());
      return { seen, settled: [...settled, kernel.settled], pending };
    };

    it('keeps its record, comes at the given instant, and keeps the kernel from settling', () => {
      const { seen, settled, pending } = postponed(15);
      expect(seen).toEqual(['10:b', '10:scheduled by b', '15:a', '20:c']);
      expect(settled).toEqual([false, true]);
      expect(pending).toEqual([['10b', '15a', '20c']]);
    });

    it('comes at the end of its instant, also after events that are scheduled at this instant', () => {
      const { seen, settled, pending } = postponed(10);
      expect(seen).toEqual(['10:b', '10:scheduled by b', '10:a', '20:c']);
      expect(settled).toEqual([false, true]);
      expect(pending).toEqual([['10b', '10a', '20c']]);
    });
  });

  describe('an event that is scheduled last', () => {
    const order = (choose?: (candidates: readonly { readonly event: string }[]) => number) => {
      const seen: string[] = [];
      const kernel = new Kernel<string>({
        startAt: 0,
        describe: String,
        handle(event) {
          seen.push(`${kernel.now}:${event}`);
          if (event === 'a') {
            kernel.scheduleLast('gather', []);
            kernel.cancel(kernel.scheduleLast('never', []));
            kernel.schedule(10, 'scheduled by a');
          }
        },
        ...(choose === undefined ? {} : { choose }),
      });
      for (const [at, name] of [
        [10, 'a'],
        [10, 'b'],
        [20, 'c'],
      ] as const)
        kernel.schedule(at, name);
      kernel.step();
      expect(kernel.settled).toBe(false);
      const pending = kernel.pending().map(({ at, event }) => `${at}:${event}`);
      while (kernel.step());
      return { seen, pending };
    };

    it('comes after everything else of its instant, and is pending there', () => {
      expect(order().seen).toEqual(['10:a', '10:b', '10:scheduled by a', '10:gather', '20:c']);
      expect(order().pending).toEqual(['10:b', '10:scheduled by a', '10:gather', '20:c']);
    });

    it('is offered with the others: the first choice is the usual order, another one picks it earlier', () => {
      expect(order(() => 0).seen).toEqual(order().seen);
      expect(
        order((all) =>
          Math.max(
            0,
            all.findIndex(({ event }) => event === 'gather'),
          ),
        ).seen,
      ).toEqual(['10:a', '10:gather', '10:b', '10:scheduled by a', '20:c']);
    });
  });

  it('drops cancelled events and settles without them', () => {
    const seen: string[] = [];
    const kernel = new Kernel<string>({
      startAt: 0,
      describe: String,
      handle: (event) => {
        seen.push(event);
      },
    });
    const taken = kernel.schedule(10, 'never');
    kernel.schedule(20, 'renewal', [], true);
    expect(kernel.settled).toBe(false);
    kernel.cancel(taken);
    kernel.cancel(taken);
    expect(kernel.settled).toBe(true);
    expect(kernel.pending().map(({ event }) => event)).toEqual(['renewal']);
    while (kernel.step());
    expect(seen).toEqual(['renewal']);
  });

  it('shows as many events at the end of an instant as there are', () => {
    const kernel = new Kernel<number>({ startAt: 0, describe: String, handle: () => undefined });
    kernel.schedule(1, -1);
    for (let event = 0; event < 200_000; event++) kernel.scheduleLast(event, []);
    const pending = kernel.pending();
    expect([pending.length, pending[0]?.event, pending.at(-2)?.event, pending.at(-1)?.event]).toEqual([200_001, 0, 199_999, -1]);
  });

  describe('an event of several parts', () => {
    const parts = (
      choose?: (candidates: readonly unknown[]) => number,
    ): { readonly seen: string[]; readonly steps: number; readonly waiting: readonly string[][] } => {
      const seen: string[] = [];
      const waiting: string[][] = [];
      const kernel = new Kernel<string>({
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

    it('is handled part by part in one step, before later events', () => {
      const { seen, steps, waiting } = parts();
      expect(seen).toEqual(['a0', 'a1', 'a2', 'b0', 'late0']);
      expect(steps).toBe(3);
      expect(waiting[0]).toEqual(['a1', 'a2', 'b0']);
    });

    it('lets `choose` put another event between any two parts', () => {
      expect(parts(() => 0)).toMatchObject({ seen: ['a0', 'a1', 'a2', 'b0', 'late0'], steps: 5 });
      expect(parts((candidates) => candidates.length - 1).seen).toEqual(['b0', 'a2', 'a1', 'a0', 'late0']);
    });

    it('is cancelled as a whole', () => {
      const seen: string[] = [];
      const kernel = new Kernel<string>({
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

  it('names the source of the loop when the limit of steps is exceeded', () => {
    const kernel = new Kernel<string>({
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

  it('names the next event when the limit of time is exceeded, and handles those before it', () => {
    const seen: string[] = [];
    const kernel = new Kernel<string>({
      startAt: 1_000,
      countFrom: 2_000,
      limits: { timeMs: 5_000 },
      describe: (event, part) => `${event}${part}`,
      handle: (event) => void seen.push(`${kernel.now}:${event}`),
    });
    for (const at of [7_001, 1_500, 7_000]) kernel.schedule(at, 'e');
    expect([kernel.nextAt(), kernel.foreground]).toEqual([1_500, 3]);
    expect([kernel.step(1_499), kernel.step(1_500), kernel.step(7_000)]).toEqual([false, true, true]);
    expect([kernel.nextAt(), kernel.foreground, kernel.steps]).toEqual([7_001, 1, 1]);
    expect(() => kernel.step()).toThrow(
      expect.objectContaining({ limit: 'timeMs', culprit: 'virtual time ran past its limit of 5 s; next would be e0' }),
    );
    expect(seen).toEqual(['1500:e', '7000:e']);
  });

  it('has no next instant without events, and none of cancelled ones', () => {
    const kernel = new Kernel<string>({ startAt: 0, describe: String, handle: () => undefined });
    kernel.cancel(kernel.schedule(5, 'a'));
    expect([kernel.nextAt(), kernel.step(), kernel.now]).toEqual([undefined, false, 0]);
  });

  it('keeps (time, sequence) order for any pushes and pops', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.record({ push: fc.integer({ min: 0, max: 20 }) }), fc.constant('pop' as const)), { maxLength: 200 }),
        (commands) => {
          const queue = new TimeQueue<[number, number]>();
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
            expect(queue.all()).toHaveLength(model.length);
          }
          model.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          expect(queue.all()).toEqual(model);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('choose', () => {
  it('is not called with cancelled events', () => {
    const offered: number[] = [];
    const kernel = new Kernel<string>({
      startAt: 0,
      describe: (event) => event,
      handle: () => undefined,
      choose: (candidates) => {
        offered.push(candidates.length);
        return 0;
      },
    });
    kernel.schedule(1, 'first');
    const second = kernel.schedule(1, 'second');
    kernel.schedule(1, 'third');
    kernel.cancel(second);
    while (kernel.step());
    expect(offered).toEqual([2]);
  });
});

describe('an instant in the past', () => {
  it('is now', () => {
    const seen: number[] = [];
    const kernel = new Kernel<string>({
      startAt: 100,
      describe: (event) => event,
      handle: (event) => {
        seen.push(kernel.now);
        if (event === 'first') expect(kernel.schedule(5, 'second').at).toBe(100);
      },
    });
    kernel.schedule(100, 'first');
    while (kernel.step());
    expect(seen).toEqual([100, 100]);
  });
});

describe('an event before `countFrom`', () => {
  it('does not count against limits', () => {
    const kernel = new Kernel<string>({
      startAt: 0,
      countFrom: 50,
      limits: { steps: 1 },
      describe: (event) => event,
      handle: () => undefined,
    });
    for (const at of [1, 2, 3, 60]) kernel.schedule(at, 'e');
    while (kernel.step());
    expect(kernel.steps).toBe(1);
  });
});
