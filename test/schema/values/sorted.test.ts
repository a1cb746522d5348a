/** Sorting with comparisons that are orders, and with some that are not. */
import { describe, expect, it } from 'vitest';
import { placeAmong, sortedBy } from '../../../src/schema/values/index.ts';

/** Pseudo-random numbers, the same at every call. */
function numbers(count: number, below: number): readonly number[] {
  let state = 7;
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647) % below);
}

describe('a sorted list', () => {
  it.each([0, 1, 2, 63, 64, 65, 1000])('of %i items is in order, and equal ones keep their order', (count) => {
    const list = numbers(count, 20).map((value, at) => ({ value, at }));
    const kept = [...list];
    const sorted = sortedBy(list, (a, b) => a.value - b.value);
    expect(sorted).toEqual([...list].sort((a, b) => a.value - b.value || a.at - b.at));
    expect(list).toEqual(kept);
  });

  it.each([
    ['in order already', [1, 2, 3, 4]],
    ['descending', [4, 3, 2, 1]],
  ])('that is %s', (_, list) => {
    expect(sortedBy(list, (a, b) => a - b)).toEqual([1, 2, 3, 4]);
  });

  it('is the same on every host where the comparison is cyclic', () => {
    // Each number comes before the next two on a circle of five, so there is no defined sorted order.
    const onCircle = (a: number, b: number): number => [0, -1, -1, 1, 1][(b - a + 5) % 5] ?? 0;
    expect(sortedBy([2, 0, 3, 1, 4], onCircle)).toEqual([4, 1, 3, 0, 2]);
    expect(sortedBy(numbers(12, 5), onCircle)).toEqual([2, 2, 2, 2, 3, 3, 4, 4, 0, 0, 1, 1]);
  });
});

it.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 3],
  [5, 4],
])('the place of %i among 1, 3, 3 and 4 is that of the first that is not below it: %i', (wanted, place) => {
  expect(placeAmong([1, 3, 3, 4], wanted)).toBe(place);
});
