import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIndexSet } from '../../../../src/controlplane/controllers/job/index-set.ts';
import { firstPendingIndexes, toIntervals } from '../../../../src/controlplane/controllers/job/indexes.ts';

describe('index sets', () => {
  /** Indexes are dense around the borders of blocks. */
  const index = fc.oneof(fc.nat(5000), fc.constantFrom(0, 1022, 1023, 1024, 1025, 2047, 2048, 2049, 99_999));
  const step = fc.record({ add: fc.boolean(), at: index });

  it('agree with a set after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(index), fc.array(step, { maxLength: 200 }), fc.nat(40), fc.nat(5000), (initial, steps, count, completions) => {
        const model = new Set(initial);
        const set = createIndexSet(toIntervals(initial));
        for (const { add, at } of steps) {
          expect(add ? set.add(at) : set.remove(at)).toBe(model.has(at) !== add);
          if (add) model.add(at);
          else model.delete(at);
          expect(set.has(at)).toBe(add);
        }
        expect(set.size).toBe(model.size);
        expect(set.highest ?? -1).toBe(Math.max(-1, ...model));
        expect(set.intervals()).toEqual(toIntervals(model));
        expect(set.firstFree(count, completions)).toEqual(firstPendingIndexes(count, toIntervals(model), [], completions));
      }),
    );
  });

  it('keep the list of intervals until they change', () => {
    const set = createIndexSet(toIntervals([1, 2]));
    const before = set.intervals();
    set.add(2);
    expect(set.intervals()).toBe(before);
    set.add(3);
    expect(set.intervals()).toEqual([{ first: 1, last: 3 }]);
  });
});
