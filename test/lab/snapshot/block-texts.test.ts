/** Which texts the quick reader of YAML reads, and how; the others it leaves to the other reader, with which it agrees. */
import { describe, expect, it } from 'vitest';
import { readBlockYaml } from '../../../src/lab/snapshot/block-yaml.ts';
import { readYaml } from '../../../src/schema/yaml/index.ts';

const valuesIn = (text: string): readonly unknown[] | undefined => readBlockYaml(text)?.map(({ value }) => value);
/** The value of one document, which the other reader reads likewise. */
const valueOf = (text: string): unknown => {
  const [value, ...others] = valuesIn(text) ?? ['declined'];
  expect(others).toEqual([]);
  if (value !== 'declined') expect(readYaml(text, 'x').documents.map(({ plain }) => plain)).toEqual([value]);
  return value;
};
const reads = (cases: readonly (readonly [text: string, value: unknown])[]) =>
  it.each(cases.map(([text, value]) => [text, value] as const))('%j', (text, value) => {
    expect(valueOf(text)).toStrictEqual(value);
  });

describe('mappings and lists', () => {
  reads([
    ['a: b', { a: 'b' }],
    ['# c\na: b\n\n  # d\nc: d\n# e\n', { a: 'b', c: 'd' }],
    ['a:\n  b: c\nd: e\n', { a: { b: 'c' }, d: 'e' }],
    ['a:\nb: 1\nc:', { a: null, b: 1, c: null }],
    ['a:\n- b\n- c: d\n  e: f\ng: h\n', { a: ['b', { c: 'd', e: 'f' }], g: 'h' }],
    ['a:\n  - b\n  -\n    c: d\n  -\n  - - e\n    - f\n', { a: ['b', { c: 'd' }, null, ['e', 'f']] }],
    ['- a\n-  b: c\n   d: e\n', ['a', { b: 'c', d: 'e' }]],
    ['-\n- a\n', [null, 'a']],
    ['a:\n # x\n  b: 1\n', { a: { b: 1 } }],
    ['a:\n  b:\n    c: 1\n  d: 2\n', { a: { b: { c: 1 }, d: 2 } }],
    ['a: {}\nb: []\nc: {} \n', { a: {}, b: [], c: {} }],
    ['\na: b\n', { a: 'b' }],
    ['a:\n  --- b\nc: d ---\ne: --- f\n', { a: '--- b', c: 'd ---', e: '--- f' }],
  ]);

  it('a repeated key has its last value', () => {
    expect(valuesIn('a: b\na: c\n')).toEqual([{ a: 'c' }]);
  });

  it('documents are apart by a line of three dashes', () => {
    expect(valuesIn('---\na: 1\n---\n\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
    expect([valuesIn(''), valuesIn('# c\n'), valuesIn('---\n---\n')]).toEqual([[], [], []]);
    expect(valuesIn('a:\n---\nb: 2\n')).toEqual([{ a: null }, { b: 2 }]);
    expect(valuesIn('---a: 1\n')).toEqual([{ '---a': 1 }]);
  });

  it('have the lines of documents and of the items of their list', () => {
    const placesIn = (text: string) => readBlockYaml(text)?.map(({ line, items }) => [line, items]);
    expect(placesIn('kind: List\nitems:\n- a: 1\n\n  b: 2\n- a: 2\n-\n  a: 3\n')).toEqual([[1, [3, 6, 7]]]);
    expect(placesIn('other:\n- a\nitems:\n- - b\n  - c\n- d\n')).toEqual([[1, [4, 6]]]);
    expect(placesIn('x: 1\n---\n# c\nitems:\n  - a: 1\n---\na:\n  items:\n  - b\n')).toEqual([
      [1, []],
      [4, [5]],
      [7, []],
    ]);
  });

  it('may be a hundred and one deep', () => {
    const nested = (levels: number): string => Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
    expect([valuesIn(nested(101))?.length, valuesIn(nested(102))]).toEqual([1, undefined]);
  });
});

describe('keys', () => {
  reads([
    ['1: a\ntrue: b\n1.5: c\n', { '1': 'a', true: 'b', '1.5': 'c' }],
    ['"a b": 1\n\'it\'\'s\': 2\n"c:d": 3\na:b: 4\n', { 'a b': 1, "it's": 2, 'c:d': 3, 'a:b': 4 }],
    ['a b : 1\n', { 'a b': 1 }],
    ["'a: b': 1\na? b: 2\n", { 'a: b': 1, 'a? b': 2 }],
    ['k:{"t":"R"}:\n  .: {}\n', { 'k:{"t":"R"}': { '.': {} } }],
  ]);
});

describe('plain scalars', () => {
  reads([
    ['a: 1\nb: -2\nc: 1.5\nd: true\ne: null\nf: ~\ng: text\n', { a: 1, b: -2, c: 1.5, d: true, e: null, f: null, g: 'text' }],
    ['a: b#c\nb: b:c\nc: -b\nd: ?b\ne: a - b\n', { a: 'b#c', b: 'b:c', c: '-b', d: '?b', e: 'a - b' }],
    ['a: one\n  two\n  three\nb: 1\n', { a: 'one two three', b: 1 }],
    ['a: 1\n  2\n', { a: '1 2' }],
    ['- one\n  two\n- three\n', ['one two', 'three']],
    ['a: é\u{1f600}\n', { a: 'é\u{1f600}' }],
  ]);
});

describe('quoted scalars', () => {
  reads([
    ['a: "x"\nb: \'y\'\nc: ""\nd: \'\'\n', { a: 'x', b: 'y', c: '', d: '' }],
    ["a: 'it''s'\nb: 'a \\n'\nc: ''''\n", { a: "it's", b: 'a \\n', c: "'" }],
    ['a: "say \\"x\\""\n', { a: 'say "x"' }],
    ['a: "x\n  y"\nb: 1\n', { a: 'x y', b: 1 }],
    ['a: "x\n\n  y\n\n\n  z"\n', { a: 'x\ny\n\nz' }],
    ['a: "x\\\n  y\\\\\n  z"\n', { a: 'xy\\ z' }],
    ["a: 'x\\\n  y'\n", { a: 'x\\ y' }],
    ['- "a\n  b"\n', ['a b']],
    ["a: 'x\\'\nb: 1\n", { a: 'x\\', b: 1 }],
    ['a: "\\U0010FFFF"\n', { a: '\u{10ffff}' }],
    ['a: "\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\/\\\\\\N\\_\\L\\P"\n', { a: '\0\u0007\b\t\n\v\f\r\u001b /\\\u0085\u00a0\u2028\u2029' }],
    ['a: "\\x41\\u00e9\\U0001F600"\n', { a: 'Aé\u{1f600}' }],
    ['a: "b: c # d"\n', { a: 'b: c # d' }],
  ]);
});

describe('literal blocks', () => {
  reads([
    ['a: |\n  x\n  y\nb: 1\n', { a: 'x\ny\n', b: 1 }],
    ['a: |-\n  x\n  y\n\n\nb: 1\n', { a: 'x\ny', b: 1 }],
    ['a: |+\n  x\n\nb: 1\n', { a: 'x\n\n', b: 1 }],
    ['a: |\n  x\n\n\nb: 1\n', { a: 'x\n', b: 1 }],
    ['a: |2\n    x\n   y\n', { a: '  x\n y\n' }],
    ['a: |2-\n   x\nb: |-2\n   y\n', { a: ' x', b: ' y' }],
    ['a: |\n\n  x\n', { a: '\nx\n' }],
    ['a: |\n  x\n    y\n  z\n', { a: 'x\n  y\nz\n' }],
    ['a: |\n  # x\n  y: z\n  - "\n', { a: '# x\ny: z\n- "\n' }],
    ['a: |\nb: 1\n', { a: '', b: 1 }],
    ['- |\n  x\n- z\n', ['x\n', 'z']],
    ['a:\n  b: |\n    x\n  c: 1\n', { a: { b: 'x\n', c: 1 } }],
    ['a: |\n  x\n   \n  y\n', { a: 'x\n \ny\n' }],
    ['a:\n  b: |2\n      x\n', { a: { b: '  x\n' } }],
    ['a: |\n \n  x\n', { a: '\nx\n' }],
    ['b:\n  a: |\n    x\n \n    y\n', { b: { a: 'x\n\ny\n' } }],
  ]);
});

describe('what it leaves to the other reader', () => {
  it.each([
    'text\n',
    '"text"\n',
    '--- a\n',
    '--- # c\na: 1\n',
    'a: 1\n--- # c\n',
    'a:\n    b: 1\n  c: 2\n',
    'a: 1\n  b: 2\n',
    'a: 1\n  b #c\n',
    'a: 1\n  b:\n',
    '- a\nb: 1\n',
    'a: 1\n- b\n',
    'a: b #c\n',
    'a: b: c\n',
    'a: b:\n',
    'a: - b\n',
    'a: ? b\n',
    'a: -\n',
    ...[...'&*!%@`>,]}#{['].map((mark) => `a: ${mark}x\n`),
    'a: |x\n',
    'a: |0\n',
    'a: |+-\n',
    'a: |1+1x\n',
    'a: |12\n  x\n',
    'a: |1-1\n x\n',
    'a: "x\\\n\n  y"\n',
    'a: |x|2\n',
    'a: |\n    x\n  y\n',
    'a: {}\n  b: c\n',
    'x:\n  a: []\n    b: c\n  d: e\n',
    'a: .inf\n',
    'a: -.inf\n',
    'a: .nan\n',
    '.inf: a\n',
    '? : a\n',
    '\ufeffa: b\n',
    'a: b\u00a0\n',
    'a: \u2003b\n',
    'a: b\u2028\n',
    'a: {b: c}\n',
    '? a: b\n',
    '<<: a\n',
    '__proto__: a\n',
    '~: a\n',
    'a #b: c\n',
    '&a b: c\n',
    ': a\n',
    '"a"b: 1\n',
    '"a" : 1\n',
    '"a":1\n',
    'a: "x" y\n',
    'a: "x\n',
    'a: "x\ny"\n',
    'a: "x\n  #y"\n',
    'a: "\\q"\n',
    'a: "\\x4"\n',
    'a: "\\u12"\n',
    'a: "\\U00110000"\n',
    'a: |\n   \n  x\n',
    'a:\tb\n',
    'a: b\r\n',
    'a: \u0007\n',
    'a: \ud800\n',
    'a:\n  b\n  c: d\n',
  ])('%j', (text) => {
    expect(valuesIn(text)).toBeUndefined();
  });
});
