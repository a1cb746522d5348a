import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarks } from '../../../src/lab/invariants/stateful-set/pods.ts';

describe('marks', () => {
  it('agree with a list of the marked ordinals', () => {
    const ordinal = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5_000 }), fc.constant(2 ** 40));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(ordinal, fc.boolean()), { maxLength: 60 }),
        fc.array(ordinal, { minLength: 1, maxLength: 8 }),
        (steps, asked) => {
          const marks = createMarks();
          const listed = new Set<number>();
          for (const [at, marked] of steps) {
            marks.set(at, marked);
            if (marked) listed.add(at);
            else listed.delete(at);
          }
          const sorted = [...listed].sort((a, b) => a - b);
          for (const at of asked) {
            expect(marks.below(at)).toBe(sorted.filter((one) => one < at).length);
            expect(marks.firstFrom(at)).toBe(sorted.find((one) => one >= at));
          }
          let free = 0;
          while (listed.has(free)) free++;
          expect(marks.firstFree()).toBe(free);
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });
});
