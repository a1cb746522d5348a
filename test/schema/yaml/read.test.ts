import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatYaml } from '../../../src/schema/yaml/index.ts';
import { formatProblem, resolvePlain, positionOf, readYaml } from '../../../src/schema/yaml/index.ts';
import { YAML_LIMITS } from '../../../src/schema/yaml/read.ts';

const read = (text: string) => readYaml(text, 'f').documents.map((document) => document.plain);
const problems = (text: string) => readYaml(text, 'f').problems.map(formatProblem);

describe('plain scalars have the types of YAML 1.1', () => {
  it.each([
    ['0644', 420],
    ['0o644', 420],
    ['0x1F', 31],
    ['0b101', 5],
    ['-0x10', -16],
    ['1_000', 1000],
    ['08', 8],
    ['09.5', 9.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['+7', 7],
    ['-0', 0],
    ['yes', true],
    ['on', true],
    ['y', true],
    ['True', true],
    ['no', false],
    ['OFF', false],
    ['n', false],
    ['~', null],
    ['', null],
    ['Null', null],
    ['1:30', '1:30'],
    ['2024-03-01', '2024-03-01'],
    ['2024-03-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['yEs', 'yEs'],
    ['0x', '0x'],
    ['-', '-'],
    ['.', '.'],
    ['1.2.3', '1.2.3'],
    ['8Gi', '8Gi'],
    ['0xfffffffffffffffff', '0xfffffffffffffffff'],
    ['18446744073709551616', 18446744073709552000],
    ['1e999', '1e999'],
    ['nullable', 'nullable'],
  ])('%s', (text, value) => {
    expect(resolvePlain(text)).toStrictEqual(value);
  });

  it('quoted scalars are texts', () => {
    expect(read('a: "0644"\nb: \'yes\'\nc: |\n  no\nd: !!str 5\ne: !!int "5"')).toEqual([{ a: '0644', b: 'yes', c: 'no\n', d: '5', e: 5 }]);
  });

  it('keys become texts as in JSON', () => {
    expect(read('2: a\n0644: b\non: c')).toEqual([{ 2: 'a', 420: 'b', true: 'c' }]);
  });
});

describe('documents', () => {
  it('are read one after the other, without empty ones', () => {
    expect(read('---\n# nothing\n---\na: 1\n---\n---\nb: 2\n...\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('keep the positions of values', () => {
    const [document] = readYaml('a:\n  b: [1, x]\n', 'f').documents;
    const a = document?.shape === 'map' ? document.entries.get('a')?.value : undefined;
    const b = a?.shape === 'map' ? a.entries.get('b')?.value : undefined;
    const x = b?.shape === 'list' ? b.items[1] : undefined;
    expect(x === undefined ? undefined : positionOf(x)).toEqual({ file: 'f', line: 2, col: 10 });
  });

  it('merge mappings; existing keys win', () => {
    expect(read('base: &base { p: 1, q: 2 }\nother: &other { q: 3, r: 4 }\na:\n  <<: [*base, *other]\n  p: 0\n')).toEqual([
      { base: { p: 1, q: 2 }, other: { q: 3, r: 4 }, a: { p: 0, q: 2, r: 4 } },
    ]);
  });
});

describe('malicious texts', () => {
  it('keys such as __proto__ are data', () => {
    const [value] = read('__proto__: { polluted: true }\nconstructor: 1\n') as [Record<string, unknown>];
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['a: 1\nb: 2\na: 3\n', 'f:3:1: a: expected each key once, found "a" again (first at line 1)'],
    ['1: a\n0x1: b\n', 'f:2:1: ["1"]: expected each key once, found "1" again (first at line 1)'],
    ['a: *b\n', 'f:1:4: a: expected an alias of an anchor above it, found *b'],
    ['a: &a [*a]\n', 'f:1:8: a[0]: expected an alias of a finished value, found *a inside itself'],
    ['? [a]\n: 1\n', 'f:1:3: expected a text as key, found a list of 1'],
    ['a: .nan\n', 'f:1:4: a: expected a number that JSON can hold, found .nan'],
    ['a: !foo 1\n', 'f:1:9: a: expected a tag of JSON values (!!str, !!int, !!float, !!bool, !!null), found !foo "1"'],
    ['a: [1,\nb: 2\n', 'f:1:4: expected a ] that closes this [, found none'],
  ])('%j', (text, message) => {
    expect(problems(text)).toEqual([message]);
  });

  it('nesting is bounded', () => {
    for (const text of ['['.repeat(200_000), '- '.repeat(100_000), '{a: '.repeat(50_000)])
      expect(problems(text)).toEqual([expect.stringContaining(`expected at most ${YAML_LIMITS.depth} levels of nesting`)]);
  });

  it('the expansion of aliases is bounded', () => {
    const lines = Array.from(
      { length: 20 },
      (_, level) => `a${level}: &a${level} [${Array.from({ length: 10 }, () => (level === 0 ? '1' : `*a${level - 1}`)).join(', ')}]`,
    );
    expect(problems(lines.join('\n'))).toEqual([
      expect.stringMatching(/expected at most \d+ values in a file, aliases expanded, found more/),
    ]);
  });

  it('length is bounded', () => {
    expect(problems(' '.repeat(YAML_LIMITS.characters + 1))).toHaveLength(1);
  });

  it('no text makes it throw', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x ',
      '*x',
      '!!int ',
      '|',
      '>',
      '"',
      "'",
      '#',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '? ',
      '<<: ',
      '\t',
      '0644',
      'yes',
      '\\',
      '\u0000',
      '\ud800',
      '﻿',
      '@',
      '`',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        ),
        (text) => {
          const { documents, problems: found } = readYaml(text, 'f');
          for (const document of documents) JSON.stringify(document.plain);
          for (const { line, col } of found) expect(line > 0 && col > 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('writing', () => {
  it('round-trips any JSON value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'yes',
        '0644',
        '1:30',
        '',
        ' ',
        '<<',
        'null',
        '2024-03-01',
        'a: b',
        '- x',
        '# c',
        'a\nb',
        '\n',
        'a\n\n',
        ' a\n b',
        '...',
        '---',
        '0o7',
        '1_0',
        '+',
        '\r\n',
        '\u2028',
        '\u0085',
        '\u007f',
        '\u202e',
        '\ufffe',
        'key:',
        '*a',
        '%x',
        "'",
        '"',
        'x #y',
      ),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (sample) => {
        const written = formatYaml([sample]);
        expect({ problems: problems(written), read: read(written) }).toEqual({ problems: [], read: [[sample]] });
      }),
      { numRuns: 1_000 },
    );
  });
});
