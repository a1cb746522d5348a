/** The functions that upstream adds to CEL: their results, and what they cost on values that a client may send. */
import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { Exhausted, meter, withinBudget, withLibrary } from '../../../src/schema/cel/index.ts';

const environment = withLibrary(new Environment({ homogeneousAggregateLiterals: false }))
  .registerVariable('text', 'string')
  .registerVariable('items', 'list<dyn>')
  .registerVariable('other', 'dyn')
  .registerVariable('self', 'dyn');

function run(cel: string, values: object = {}, steps?: number): { readonly value: unknown; readonly spent: number } {
  const parsed = environment.parse(cel);
  const { error } = parsed.check();
  if (error !== undefined) throw error;
  meter(parsed.ast);
  return withinBudget(() => parsed({ text: '', items: [], other: 0n, self: null, ...values }) as unknown, steps);
}

it.each<readonly [string, unknown, unknown]>([
  ['self.isSorted()', [], true],
  ['self.isSorted()', [1n, 1n, 2n], true],
  ['self.isSorted()', [1n, 3n, 2n], false],
  ['self.min()', [2n, 1n, 3n], 1n],
  ['self.min()', ['b', 'a'], 'a'],
  ['self.min()', [], 'min called on empty list'],
  ['self.max()', [2n, 3n, 1n], 3n],
  ['self.max()', [], 'max called on empty list'],
  ['self.sum()', [], 0n],
  ['self.sum()', [1n, 2n, 3n], 6n],
  ['self.sum()', [1.5, 2], 3.5],
  ['self.indexOf(2)', [1n, 2n, 2n], 1n],
  ['self.lastIndexOf(2)', [1n, 2n, 2n], 2n],
  ['self.indexOf(5)', [1n], -1n],
  ['self.lastIndexOf(5)', [1n], -1n],
  ['self.charAt(0)', 'a😀c', 'a'],
  ['self.charAt(1)', 'a😀c', '😀'],
  ['self.charAt(3)', 'a😀c', ''],
  ['self.charAt(4)', 'a😀c', 'index out of range: 4'],
  ['self.charAt(-1)', 'a', 'index out of range: -1'],
  ['self.find("[0-9]+")', 'a12b3', '12'],
  ['self.find("[0-9]+")', 'ab', ''],
  ['self.findAll("[0-9]+")', 'a12b3', ['12', '3']],
  ['self.findAll("x")', 'ab', []],
  ['self.replace("he", "we")', 'hello hello', 'wello wello'],
  ['self.replace("he", "we", -1)', 'hello hello', 'wello wello'],
  ['self.replace("he", "we", 1)', 'hello hello', 'wello hello'],
  ['self.replace("he", "we", 0)', 'hello hello', 'hello hello'],
  ['self.replace("a", "$&")', 'banana', 'b$&n$&n$&'],
  ['self.replace("", "-")', 'a😀', '-a-😀-'],
  ['self.replace("", "-", 2)', 'ab', '-a-b'],
  // Lists, maps, dates and durations are equal by what they contain.
  ['self.indexOf([1])', [[2n], [1n], [1n]], 1n],
  ['self.lastIndexOf([1])', [[2n], [1n], [1n]], 2n],
  ['self.indexOf(1)', [[1n], 1n], 1n],
  ['self.indexOf({"a": 2})', [{ a: 1n }, { a: 2n }], 1n],
  ['self.indexOf(timestamp("2024-01-01T00:00:00Z"))', [null, new Date('2024-01-01T00:00:00Z')], 1n],
  ['self.map(x, duration(x)).indexOf(duration("60s"))', ['1s', '1m'], 1n],
])('%s', (cel, self, expected) => {
  let value: unknown;
  try {
    ({ value } = run(cel, { self }));
  } catch (error) {
    value = (error as Error).message.split('\n')[0];
  }
  expect(value).toEqual(expected);
});

describe('a function pays for what it reads', () => {
  const numbers = (count: number): readonly bigint[] => Array.from({ length: count }, (_, at) => BigInt(at));
  const twice = { items: [numbers(100)], other: [numbers(100)] };

  it.each<readonly [string, number, object]>([
    ['items == other', 205, twice],
    ['items != other', 205, twice],
    ['other in items', 105, twice],
    ['items.indexOf(other)', 116.625, { items: [numbers(100)], other: numbers(100) }],
    // A text or a number meets only the items themselves.
    ['other in items', 4, { ...twice, other: 1n }],
    ['items.indexOf(other)', 4.125, { ...twice, other: 1n }],
    ['items.isSorted()', 5.265625, { items: ['a'.repeat(64), 'b'] }],
    ['items.min() == items.max()', 185, { items: numbers(80) }],
    ["text.replace('a', 'bb')", 194.375, { text: 'a'.repeat(80) }],
  ])('%s: %d steps', (cel, steps, values) => {
    expect(run(cel, values).spent).toBe(steps);
  });

  it.each<readonly [string, object]>([
    ['items.all(x, items[0] == other)', { items: [numbers(2_000), ...numbers(2_000)], other: numbers(2_000) }],
    ['items.all(x, !(other in items))', { items: Array.from({ length: 2_000 }, () => ['a']), other: ['b'] }],
    ["text.findAll('(a.*c)|a').size() > 0", { text: 'a'.repeat(20_000) }],
    ["items.all(x, text.find('((a|b)*c){30}') == '')", { items: numbers(2_000), text: 'a'.repeat(2_000) }],
    ["text.replace('a', text).size() > 0", { text: 'a'.repeat(20_000) }],
    ['items.all(x, items.isSorted())', { items: Array.from({ length: 1_000 }, () => 'a'.repeat(6_400)) }],
  ])('%s ends', (cel, values) => {
    expect(() => run(cel, values, 1_000_000)).toThrow(Exhausted);
  });
});
