/** YAML as the API writes it, byte for byte as go-yaml does, and what a parser reads of it. */
import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { RawNumber } from '../../../src/schema/shape/index.ts';
import { toYaml } from '../../../src/surfaces/http/answer/yaml.ts';
import { jsonText, plainJson } from '../../../src/surfaces/http/answer/json.ts';

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

describe('a value', () => {
  it.each<[unknown, string]>([
    [{}, '{}\n'],
    [[], '[]\n'],
    ['get', 'get\n'],
    ['1', '"1"\n'],
    [null, 'null\n'],
    ['a\nb', lines('|-', '  a', '  b')],
    [{ b: 1, a: true, c: null, d: undefined, e: 1.5 }, lines('a: true', 'b: 1', 'c: null', 'e: 1.5')],
    [{ list: [], map: {}, inner: { x: {} } }, lines('inner:', '  x: {}', 'list: []', 'map: {}')],
    [{ list: [1, 'a', null] }, lines('list:', '- 1', '- a', '- null')],
    [{ list: [{ b: 1, a: [2] }, { c: {} }] }, lines('list:', '- a:', '  - 2', '  b: 1', '- c: {}')],
    [{ a: { list: [{ x: { z: 1 } }] } }, lines('a:', '  list:', '  - x:', '      z: 1')],
    [{ list: [[1, [2]], [], {}] }, lines('list:', '- - 1', '  - - 2', '- []', '- {}')],
    [[{ a: 1 }], lines('- a: 1')],
    [{ k: new RawNumber('9223372036854775807') }, lines('k: 9223372036854775807')],
    [{ 'a: b': 1, '': 2, true: 3, 'x y': 4, y: 5, n: 6 }, lines('"": 2', "'a: b': 1", '"n": 6', '"true": 3', 'x y: 4', '"y": 5')],
  ])('%j is %j', (value, expected) => {
    expect(toYaml(value)).toBe(expected);
  });

  it.each<[string, string]>([
    ['', '""'],
    ['plain text', 'plain text'],
    ['a-b', 'a-b'],
    ["it's", "it's"],
    ['true', '"true"'],
    ['yes', '"yes"'],
    ['on', '"on"'],
    ['null', '"null"'],
    ['~', '"~"'],
    ['1', '"1"'],
    ['1.5', '"1.5"'],
    ['0x1f', '"0x1f"'],
    ['1e3', '"1e3"'],
    ['.inf', '".inf"'],
    ['<<', '"<<"'],
    ['=', '"="'],
    ['12:30', '"12:30"'],
    ['-1:30:59', '"-1:30:59"'],
    ['12:60', '12:60'],
    ['12:3.5', '"12:3.5"'],
    ['1:', "'1:'"],
    ['2024-03-01', '"2024-03-01"'],
    ['2024-3-1', '"2024-3-1"'],
    ['2024-03-01T00:00:00Z', '"2024-03-01T00:00:00Z"'],
    ['2024-03-01 00:00:00', '"2024-03-01 00:00:00"'],
    ['2024-03-01T', '2024-03-01T'],
    ['2024-03-011', '2024-03-011'],
    ['x2024-03-01', 'x2024-03-01'],
    ['- a', "'- a'"],
    ['-', "'-'"],
    ['-a', '-a'],
    ['? a', "'? a'"],
    [': a', "': a'"],
    ['?a', '?a'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['a:', "'a:'"],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    ['#a', "'#a'"],
    ['[a]', "'[a]'"],
    ['{a}', "'{a}'"],
    ['a, b', 'a, b'],
    [',a', "',a'"],
    ['&a', "'&a'"],
    ['*a', "'*a'"],
    ['!a', "'!a'"],
    ['|a', "'|a'"],
    ['>a', "'>a'"],
    ["'a", "'''a'"],
    ['"a', `'"a'`],
    ['%a', "'%a'"],
    ['@a', "'@a'"],
    ['`a', "'`a'"],
    ['--- a', "'--- a'"],
    ['... a', "'... a'"],
    [' a', "' a'"],
    ['a ', "'a '"],
    ['a\tb', 'a\tb'],
    ['a\u0001b', String.raw`"a\x01b"`],
    ['\u0000\u0007\b\u001b\f\v\r"\\', String.raw`"\0\a\b\e\f\v\r\"\\"`],
    ['a\u007f', String.raw`"a\x7F"`],
    ['a\ufeffb', String.raw`"a\uFEFFb"`],
    ['é ☃', 'é ☃'],
  ])('the text %j is %s', (text, expected) => {
    expect(toYaml({ k: text })).toBe(`k: ${expected}\n`);
  });

  it.each<[string, readonly string[]]>([
    ['a\nb', ['k: |-', '  a', '  b']],
    ['a\nb\n', ['k: |', '  a', '  b']],
    ['a\nb\n\n', ['k: |+', '  a', '  b', '']],
    ['a\n\nb', ['k: |-', '  a', '', '  b']],
    ['\n', ['k: |2+', '']],
    ['\na', ['k: |2-', '', '  a']],
    [' a\nb', ['k: |2-', '   a', '  b']],
    ['a \nb', [String.raw`k: "a \nb"`]],
    ['a\nb ', [String.raw`k: "a\nb "`]],
    ['a\t\nb', [String.raw`k: "a\t\nb"`]],
    ['a\u0001\nb', [String.raw`k: "a\x01\nb"`]],
  ])('the text %j of several lines is %j', (text, expected) => {
    expect(toYaml({ k: text })).toBe(lines(...expected));
    expect(parse(toYaml({ k: text }), { version: '1.1' })).toEqual({ k: text });
  });

  it('a key is one line', () => {
    expect(toYaml({ 'a\nb': 1 })).toBe(lines(String.raw`"a\nb": 1`));
    const long = 'word '.repeat(30).trim();
    expect(toYaml({ [long]: 1 })).toBe(lines(`${long}: 1`));
  });
});

describe('a long text', () => {
  const word = (count: number, letter = 'x'): string => letter.repeat(count);

  it('goes on below after the first space beyond 80 columns', () => {
    // `k: ` and 77 characters are 80 columns, where a space may still stand.
    expect(toYaml({ k: `${word(77)} y z` })).toBe(lines(`k: ${word(77)} y`, '  z'));
    expect(toYaml({ k: `${word(78)} y z` })).toBe(lines(`k: ${word(78)}`, '  y z'));
    expect(toYaml({ a: { k: `${word(76)} y` } })).toBe(lines('a:', `  k: ${word(76)}`, '    y'));
    expect(toYaml({ a: [`${word(79)} y`] })).toBe(lines('a:', `- ${word(79)}`, '  y'));
    expect(toYaml({ k: `${word(78)} ${word(79, 'y')} z` })).toBe(lines(`k: ${word(78)}`, `  ${word(79, 'y')}`, '  z'));
  });

  it('is not divided at several spaces, unless it is in double quotes', () => {
    expect(toYaml({ k: `${word(78)}  y z` })).toBe(lines(`k: ${word(78)}  y`, '  z'));
    expect(toYaml({ k: `${word(78)}\u0001  y` })).toBe(lines(`k: "${word(78)}\\x01`, '  \\ y"'));
    expect(toYaml({ k: `- ${word(78)} y z` })).toBe(lines(`k: '- ${word(78)}`, "  y z'"));
    expect(toYaml({ k: `#${word(80)} ` })).toBe(lines(`k: '#${word(80)} '`));
  });

  it('counts its escapes', () => {
    expect(toYaml({ k: `'${word(74)}' y z` })).toBe(lines(`k: '''${word(74)}''`, "  y z'"));
  });
});

describe('a parser reads', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...' \n\t:-#\'"ab1,[]{}&*!|>%@`~=<?\\é\u0001') }),
    fc.constantFrom('yes', 'No', '0o7', '1_000', '+1', '0b1', '.5', 'NaN', 'x '.repeat(60), `${'y'.repeat(90)} z  w`),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));

  it('what was written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), value, { minKeys: 1 }), (written) => {
        expect(parse(toYaml(written), { version: '1.1', merge: false })).toEqual({ ...written });
      }),
      { numRuns: 400 },
    );
  });
});

describe('JSON', () => {
  it('has the escapes of Go, and integers with all their digits', () => {
    expect(jsonText({ a: '<&>\u2028\u2029\b\f"\\\n', b: 1 })).toBe(
      String.raw`{"a":"\u003c\u0026\u003e\u2028\u2029\u0008\u000c\"\\\n","b":1}`,
    );
    expect(jsonText({ a: [1] }, true)).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(jsonText({ a: '\\b', b: String.raw`\\f` })).toBe(String.raw`{"a":"\\b","b":"\\\\f"}`);
    const long = {
      n: new RawNumber('-9223372036854775808'),
      text: '9223372036854775807',
      mark: '##',
      list: [new RawNumber('9007199254740993')],
    };
    expect(jsonText(long)).toBe('{"n":-9223372036854775808,"text":"9223372036854775807","mark":"##","list":[9007199254740993]}');
    expect(jsonText({ n: new RawNumber('9007199254740993') }, true)).toBe('{\n  "n": 9007199254740993\n}');
    expect(jsonText({ text: '1234567890123456' })).toBe('{"text":"1234567890123456"}');
  });

  it('is read back as plain values, with its long integers', () => {
    expect(plainJson({ a: 1, b: undefined, c: { toJSON: () => 'd' } })).toEqual({ a: 1, c: 'd' });
    const read = plainJson({ n: new RawNumber('9007199254740993'), text: '9007199254740993' }) as {
      readonly n: unknown;
      readonly text: unknown;
    };
    expect(jsonText(read)).toBe('{"n":9007199254740993,"text":"9007199254740993"}');
  });
});
