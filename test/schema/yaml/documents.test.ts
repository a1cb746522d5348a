/** What is a document, a key, an alias and a merge; how much of a text is read. */
import { describe, expect, it } from 'vitest';
import { formatProblem, readYaml } from '../../../src/schema/yaml/index.ts';

const read = (text: string, options?: Parameters<typeof readYaml>[2]) => {
  const { documents, problems, tooMany } = readYaml(text, 'f', options);
  return [...documents.map(({ plain }) => plain), ...problems.map(formatProblem), ...(tooMany === true ? ['too many'] : [])];
};
const expectEach = (cases: readonly (readonly [text: string, read: readonly unknown[]])[]) =>
  it.each(cases)('%j', (text, expected) => {
    expect(read(text)).toStrictEqual(expected);
  });

describe('a document is empty where nothing is written', () => {
  expectEach([
    ['', []],
    ['# c', []],
    ['...', []],
    ['---\n---\n', []],
    ['""', ['']],
    ["''", ['']],
    ['--- |\n', ['']],
    ['~', [null]],
    ['a', ['a']],
    ['%YAML 1.2\n---\na: 1', [{ a: 1 }]],
    ['\ufeffa: 1\r\nb: "x\\ty"\r\n', [{ a: 1, b: 'x\ty' }]],
  ]);
});

describe('a missing value is null, a missing key is a problem', () => {
  expectEach([
    ['a:\nb: {c}\n? d\n', [{ a: null, b: { c: null }, d: null }]],
    ['- \n- a\n', [[null, 'a']]],
    ['[a: 1, b]\n', [[{ a: 1 }, 'b']]],
    [': 1\n', [{}, 'f:1:1: expected a text as key, found null']],
    [
      '{a: 1, ? {} : 2, ? [b] : 3}\n',
      [{ a: 1 }, 'f:1:10: expected a text as key, found an empty mapping', 'f:1:20: expected a text as key, found a list of 1'],
    ],
    ['? *x\n: 1\nb: 2\n', ['f:1:3: expected an alias of an anchor above it, found *x']],
  ]);

  it('has its place behind its colon', () => {
    const [document] = readYaml('a:\nb: &x\n', 'f').documents;
    const places =
      document?.shape === 'map'
        ? [...document.entries.values()].map(({ value }) => [value.start, value.shape === 'scalar' && value.end])
        : [];
    expect(places).toEqual([
      [2, 2],
      [8, 8],
    ]);
  });
});

describe('an alias stands for the last value of its anchor', () => {
  expectEach([
    ['a: &x 1\nb: *x\nc: &x 2\nd: *x\n', [{ a: 1, b: 1, c: 2, d: 2 }]],
    ['? &k a\n: *k\n', [{ a: 'a' }]],
    [
      'a: &x !q 1\nb: *x\n',
      [expect.stringContaining('f:1:10: a: expected a tag'), 'f:2:4: b: expected an alias of an anchor above it, found *x'],
    ],
    ['a: &x 1\n---\nb: *x\n', [{ a: 1 }, expect.stringContaining('f:3:4:')]],
  ]);
});

describe('a merge adds the members that are not there', () => {
  expectEach([
    ['<<: {a: 1, b: 1}\nb: 2\n', [{ b: 2, a: 1 }]],
    ['<<: [{a: 1}, {a: 2, b: 2}]\n', [{ a: 1, b: 2 }]],
    ['<<: [{a: 1}, 2]\n', [{ a: 1 }, 'f:1:14: ["<<"]: expected mappings to merge, found 2']],
    ['<<: x\n', [{}, 'f:1:5: ["<<"]: expected mappings to merge, found "x"']],
    ["b: 1\n'<<': x\n", [{ b: 1, '<<': 'x' }]],
    ['"<<": {a: 1}\n', [{ '<<': { a: 1 } }]],
  ]);
});

describe('styles', () => {
  it('of scalars are plain, quoted or block', () => {
    const [document] = readYaml('- a\n- "b"\n- \'c\'\n- |\n  d\n- >\n  e\n', 'f').documents;
    const styles = document?.shape === 'list' ? document.items.map((item) => item.shape === 'scalar' && item.style) : [];
    expect(styles).toEqual(['plain', 'quoted', 'quoted', 'block', 'block']);
  });
});

describe('options', () => {
  it('the last value of a key counts where a client may repeat it', () => {
    expect(read('a: 1\nb: 3\na: 4', { repeatedKeys: 'last' })).toEqual([{ a: 4, b: 3 }]);
  });

  it('errors are those of the parser where a client expects them', () => {
    expect(read('a: b: c', { errors: 'parser' })).toEqual([
      'f:1:4: expected well-formed YAML, found Nested mappings are not allowed in compact mappings',
    ]);
  });
});

describe('limits', () => {
  it.each([
    ['[1, 2]\n', 3, [[1, 2]]],
    ['a: 1\n', 3, [{ a: 1 }]],
    ['a: &x [1, 2]\nb: *x\n', 10, [{ a: [1, 2], b: [1, 2] }]],
    ['a\n---\nb\n', 2, ['a', 'b']],
    ['# a\n# b\n# c\n# d\n# e\n1\n', 3, [1]],
  ])('%j has not more than %d values', (text, values, documents) => {
    expect(read(text, { mostValues: values })).toEqual(documents);
    expect(read(text, { mostValues: values - 1 }).at(-1)).toBe('too many');
  });

  it('the problem of too many values has the place of the first one', () => {
    const message = 'expected at most 2000000 values in a file, aliases expanded, found more';
    expect(read('- 1\n- a: 2\n- 3\n', { mostValues: 4 })).toEqual([`f:2:6: [1].a: ${message}`, 'too many']);
    expect(read('- &a [1]\n- *a\n', { mostValues: 5 })).toEqual([`f:2:3: [1]: ${message}`, 'too many']);
  });

  it.each([
    ['[', ']', 1],
    ['{a: ', '}', 4],
    ['- ', '', 2],
  ])('%j nests 100 levels deep', (open, close, width) => {
    const nested = (levels: number) => open.repeat(levels - 1) + (width === 1 ? '[]' : '1') + close.repeat(levels - 1);
    expect(readYaml(nested(100), 'f').problems).toEqual([]);
    expect(read(nested(101))).toEqual([`f:1:${100 * width + 1}: expected at most 100 levels of nesting, found more`]);
  });

  it('the first character can be a forbidden one', () => {
    expect(read('\u0007')).toEqual(['f:1:1: expected no control characters, found U+0007']);
  });
});
