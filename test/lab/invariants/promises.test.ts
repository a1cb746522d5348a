import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPromises } from '../../../src/lab/invariants/promises.ts';

describe('promises', () => {
  it('are due at their instant, until they are settled', () => {
    const promises = createPromises<string>();
    promises.make('a', 30, 'A');
    promises.make('b', 10, 'B');
    expect(promises.next()).toBe(10);
    expect([promises.overdue(9), promises.overdue(10)]).toEqual([undefined, 'B']);
    expect(promises.settle('b')).toEqual({ dueAt: 10, about: 'B' });
    expect([promises.next(), promises.settle('b'), promises.overdue(20)]).toEqual([30, undefined, undefined]);
  });

  it('may be put off or brought forward', () => {
    const promises = createPromises<string>();
    promises.make('a', 10, 'first');
    promises.make('a', 50, 'later');
    promises.make('b', 40, 'B');
    promises.make('b', 20, 'sooner');
    expect([promises.next(), promises.overdue(20)]).toEqual([20, 'sooner']);
    expect([...promises.open()].map(({ about }) => about)).toEqual(['later', 'sooner']);
  });

  it('agree with a list that is searched', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const promises = createPromises<string>();
        const list = new Map<string, number>();
        for (const [key, dueAt] of steps) {
          if (dueAt === undefined) {
            promises.settle(key);
            list.delete(key);
          } else {
            promises.make(key, dueAt, key);
            list.set(key, dueAt);
          }
          expect(promises.next()).toBe(list.size === 0 ? undefined : Math.min(...list.values()));
        }
      }),
      { seed: 7 },
    );
  });
});
