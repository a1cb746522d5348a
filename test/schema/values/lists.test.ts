/** Lists, tables and copies: small functions with the same result on every host. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

it('what is empty, or zero, is left out', () => {
  expect([values.unlessEmpty([]), values.unlessEmpty([0]), values.unlessZero(0), values.unlessZero(-1)]).toEqual([
    undefined,
    [0],
    undefined,
    -1,
  ]);
  expect(values.present({ a: undefined, b: null, c: 0, d: '', e: undefined })).toStrictEqual({ b: null, c: 0, d: '' });
});

it('only an object with members is a mapping', () => {
  const given = [{}, { a: 1 }, [], null, undefined, 'a', 1, () => 1];
  expect(given.map(values.isMapping)).toEqual([true, true, false, false, false, false, false, false]);
  expect(given.map(values.membersOf)).toEqual([{}, { a: 1 }, {}, {}, {}, {}, {}, {}]);
});

it('a number that keeps its text is no mapping of JSON', () => {
  const given = [{}, [], null, 'a', new values.RawNumber('1.0'), undefined];
  expect(given.map(values.isJsonMapping)).toEqual([true, false, false, false, false, false]);
});

it('a member is set as an own one, whatever its key', () => {
  const map: Record<string, unknown> = {};
  for (const key of ['a', '__proto__', 'constructor', '__proto__']) values.put(map, key, { key });
  expect(Object.keys(map)).toEqual(['a', '__proto__', 'constructor']);
  expect(Object.getOwnPropertyDescriptor(map, '__proto__')).toEqual({
    value: { key: '__proto__' },
    enumerable: true,
    configurable: true,
    writable: true,
  });
  expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
});

it('members are found only where they are own', () => {
  expect([values.own({ a: 1 }, 'a'), values.own({ a: 1 }, 'b'), values.own({}, 'toString'), values.own(undefined, 'a')]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('tables', () => {
  it('of numbers keep no zero', () => {
    const numbers = new Map<string, number>();
    expect([values.bump(numbers, 'a'), values.bump(numbers, 'a', 2), values.bump(numbers, 'b', -1)]).toEqual([1, 3, -1]);
    expect([values.bump(numbers, 'a', -3), [...numbers]]).toEqual([0, [['b', -1]]]);
  });

  it('keep what was made for a key', () => {
    const table = new Map<string, object>();
    const made = values.keptIn(table, 'a', () => ({}));
    expect([values.keptIn(table, 'a', () => ({ other: true })) === made, table.get('a') === made]).toEqual([true, true]);
  });

  it('of lists and sets grow by member, and are gone when empty', () => {
    const lists = new Map<string, number[]>();
    for (const [key, item] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const)
      values.pushTo(lists, key, item);
    expect([...lists]).toEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ]);
    const sets = new Map<string, Set<number>>();
    for (const [key, member] of [
      ['a', 1],
      ['a', 2],
      ['b', 1],
    ] as const)
      values.addTo(sets, key, member);
    values.removeFrom(sets, 'a', 1);
    values.removeFrom(sets, 'b', 1);
    values.removeFrom(sets, 'c', 1);
    expect([...sets]).toEqual([['a', new Set([2])]]);
  });
});

it('lists are appended in order, and repeated values are noticed', () => {
  const into = [1];
  values.append(into, [2, 3], [], [4]);
  expect(into).toEqual([1, 2, 3, 4]);
  expect(['a', 'b', 'a', 'a', 'b', 'c'].map(values.repeats<string>())).toEqual([false, false, true, true, true, false]);
});

it('members are ordered by a list of names, the others by name behind them', () => {
  const name = (member: string): string => member;
  expect(values.inOrder(['z', 'b', 'a', 'second', 'first'], name, ['first', 'second', 'missing'])).toEqual([
    'first',
    'second',
    'a',
    'b',
    'z',
  ]);
  expect(values.inOrder(['b', 'B', 'a'], name, [])).toEqual(['B', 'a', 'b']);
});

it('the median is the upper of two middle numbers, as numbers are ordered', () => {
  const given = [10, 9, 100, 1];
  expect([values.median([]), values.median([5]), values.median([2, 1]), values.median(given), values.median([10, 9, 100])]).toEqual([
    undefined,
    5,
    2,
    10,
    10,
  ]);
  expect(given).toEqual([10, 9, 100, 1]);
});

it('binary search finds the first place that is not before', () => {
  const list = [1, 3, 3, 7];
  expect([0, 1, 2, 3, 4, 7, 8].map((wanted) => values.placeAmong(list, wanted))).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(values.placeAmong([], 1)).toBe(0);
});

it('versions are ordered by stage, then by number; other names by text', () => {
  const ordered = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'V1',
    'foo1',
    'foo10',
    'v0x',
    'v1gamma1',
    'v99999999999999999999',
  ];
  expect(ordered.toReversed().toSorted(values.compareVersions)).toEqual(ordered);
  expect([
    values.compareVersions('v1', 'v1'),
    values.compareVersions('x', 'x'),
    values.compareVersions('v1', 'x'),
    values.compareVersions('x', 'v1'),
  ]).toEqual([0, 0, -1, 1]);
});
