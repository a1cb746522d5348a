import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newItems } from '../../src/engine/index.ts';

const lists = fc.array(fc.nat(3), { maxLength: 8 });

it('leaves out no more than the items that both lists have from an end, and all of these', () => {
  fc.assert(
    fc.property(lists, lists, (list, before) => {
      const { from, to } = newItems(list, before);
      const shift = before.length - list.length;
      expect(from).toBeLessThanOrEqual(to);
      expect(list.slice(0, from)).toEqual(before.slice(0, from));
      expect(list.slice(to)).toEqual(before.slice(to + shift));
      // What is between differs at both of its ends, where both lists have such items.
      if (from < to && from < to + shift)
        expect([list[from] !== before[from], list[to - 1] !== before[to + shift - 1]]).toEqual([true, true]);
    }),
  );
});

it('takes all for new without a former list', () => {
  expect(newItems([1, 2], undefined)).toEqual({ from: 0, to: 2 });
  expect(newItems([1, 2], null)).toEqual({ from: 0, to: 2 });
});
