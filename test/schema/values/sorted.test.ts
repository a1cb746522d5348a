/** Sorting with comparisons that are orders, and with some that are none. */
import { describe, expect, it } from 'vitest';
import { placeAmong, sortedBy } from '../../../src/schema/values/index.ts';

/** Numbers that look random: the same every time. */
function numbers(count: number, below: number): readonly number[] {
  let state = 7;
  return Array.from({ length: count }, () => (state = (state * 48_271) % 2_147_483_647) % below);
}

describe('a sorted list', () => {
  it.each([0, 1, 2, 63, 64, 65, 1000])('of %i is in order, and leaves alike ones as they stood', (count) => {
    const list = numbers(count, 20).map((value, at) => ({ value, at }));
    const kept = [...list];
    const sorted = sortedBy(list, (a, b) => a.value - b.value);
    expect(sorted).toEqual([...list].sort((a, b) => a.value - b.value || a.at - b.at));
    expect(list).toEqual(kept);
  });

  it.each([
    ['in order already', [1, 2, 3, 4]],
    ['the wrong way round', [4, 3, 2, 1]],
  ])('that stands %s', (_, list) => {
    expect(sortedBy(list, (a, b) => a - b)).toEqual([1, 2, 3, 4]);
  });

  it('comes out as ever where the comparison goes round in a circle', () => {
    // Each goes before the two that follow it on a dial of five, which no host has to sort in any way.
    const onDial = (a: number, b: number): number => [0, -1, -1, 1, 1][(b - a + 5) % 5] ?? 0;
    expect(sortedBy([2, 0, 3, 1, 4], onDial)).toEqual([4, 1, 3, 0, 2]);
    expect(sortedBy(numbers(12, 5), onDial)).toEqual([2, 2, 2, 2, 3, 3, 4, 4, 0, 0, 1, 1]);
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
