import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createObligations } from '../../../src/lab/invariants/obligations.ts';

describe('obligations', () => {
  it('are due at their instant, until they are settled', () => {
    const obligations = createObligations<string>();
    obligations.make('a', 30, 'A');
    obligations.make('b', 10, 'B');
    expect(obligations.next()).toBe(10);
    expect([obligations.overdue(9), obligations.overdue(10)]).toEqual([undefined, 'B']);
    expect(obligations.settle('b')).toEqual({ dueAt: 10, about: 'B' });
    expect([obligations.next(), obligations.settle('b'), obligations.overdue(20)]).toEqual([30, undefined, undefined]);
  });

  it('may be postponed or advanced', () => {
    const obligations = createObligations<string>();
    obligations.make('a', 10, 'first');
    obligations.make('a', 50, 'later');
    obligations.make('b', 40, 'B');
    obligations.make('b', 20, 'sooner');
    expect([obligations.next(), obligations.overdue(20)]).toEqual([20, 'sooner']);
    expect([...obligations.open()].map(({ about }) => about)).toEqual(['later', 'sooner']);
  });

  it('agree with a list that is searched', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const obligations = createObligations<string>();
        const list = new Map<string, number>();
        for (const [key, dueAt] of steps) {
          if (dueAt === undefined) {
            obligations.settle(key);
            list.delete(key);
          } else {
            obligations.make(key, dueAt, key);
            list.set(key, dueAt);
          }
          expect(obligations.next()).toBe(list.size === 0 ? undefined : Math.min(...list.values()));
        }
      }),
      { seed: 7 },
    );
  });
});
