/** How problems of a file are shown: their place, their path, what was found, and their order. */
import { expect, it } from 'vitest';
import { formatProblem, inReadingOrder, joinPath, showValue, type Problem } from '../../../src/schema/yaml/index.ts';

const problem = (over: Partial<Problem>): Problem => ({
  file: 'a.yaml',
  line: 4,
  col: 7,
  path: '',
  expected: 'x',
  found: 'y',
  ...over,
});

it('a problem is one line', () => {
  expect(formatProblem(problem({}))).toBe('a.yaml:4:7: expected x, found y');
  expect(formatProblem(problem({ path: 'spec.titel', suggestion: '"title"' }))).toBe(
    'a.yaml:4:7: spec.titel: expected x, found y; did you mean "title"?',
  );
});

it.each<[path: string, step: string | number, joined: string]>([
  ['', 0, '[0]'],
  ['a', 12, 'a[12]'],
  ['', 'a', 'a'],
  ['a', 'b', 'a.b'],
  ['a[0]', '_b$-9', 'a[0]._b$-9'],
  ['a', '$ref', 'a.$ref'],
  ['a', 'b-', 'a.b-'],
  ['', 'b c', '["b c"]'],
  ['a', 'b.c', 'a["b.c"]'],
  ['a', '1b', 'a["1b"]'],
  ['a', '-b', 'a["-b"]'],
  ['a', 'é', 'a["é"]'],
  ['a', 'bé', 'a["bé"]'],
  ['a', '', 'a[""]'],
  ['a', '"', 'a["\\""]'],
])('%j with %j is %s', (path, step, joined) => {
  expect(joinPath(path, step)).toBe(joined);
});

const long = 'k'.repeat(60);

it.each<[value: unknown, shown: string]>([
  [undefined, 'nothing'],
  [null, 'null'],
  [true, 'true'],
  [0, '0'],
  [1.5, '1.5'],
  ['', '""'],
  ['a "b"', '"a \\"b\\""'],
  [long, `"${long}"`],
  [`${long}k`, `"${long}…"`],
  [[], 'an empty list'],
  [['a'], 'a list of 1'],
  [[[], []], 'a list of 2'],
  [{}, 'an empty mapping'],
  [{ a: {} }, 'a mapping with a'],
  [{ b: 1, a: 2, d: 3, c: 4 }, 'a mapping with b, a, d'],
  [{ [long]: 1, [`${long}k`]: 1 }, `a mapping with ${long}, ${long}…`],
])('%j is shown as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

it('problems are read by file, line and column', () => {
  const places = [
    ['b', 1, 1],
    ['a', 10, 1],
    ['a', 2, 9],
    ['a', 2, 10],
    ['B', 3, 1],
    ['a', 2, 1],
  ] as const;
  const given = places.map(([file, line, col]) => problem({ file, line, col }));
  expect(inReadingOrder(given).map(({ file, line, col }) => [file, line, col])).toEqual([
    ['B', 3, 1],
    ['a', 2, 1],
    ['a', 2, 9],
    ['a', 2, 10],
    ['a', 10, 1],
    ['b', 1, 1],
  ]);
  expect(given.map(({ file }) => file)).toEqual(places.map(([file]) => file));
});
