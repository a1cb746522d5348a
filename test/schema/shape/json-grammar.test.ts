/** JSON at the edges of its grammar, with the errors of Go's encoding/json; its limits, and keys that are there twice. */
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson, RawNumber, TooManyValues } from '../../../src/schema/shape/index.ts';

const END = 'unexpected end of JSON input';
const VALUE = 'looking for beginning of value';
const KEY = 'looking for beginning of object key string';

describe('malformed text', () => {
  it.each([
    '',
    ' \t\r\n ',
    '{',
    '[',
    '[1',
    '[1,',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '"a',
    '"\\',
    '"\\u',
    '"\\u00e',
    't',
    'nul',
    '-',
    '1.',
    '1e',
    '1e+',
    '1E-',
    '1.5e',
  ])('%j ends too early', (text) => {
    expect(() => parseJson(text)).toThrow(new JsonSyntaxError(END));
  });

  it.each([
    ['[1,]', ']', VALUE],
    ['[,]', ',', VALUE],
    ['{"a":}', '}', VALUE],
    ['+1', '+', VALUE],
    ['.5', '.', VALUE],
    ['Infinity', 'I', VALUE],
    ['NaN', 'N', VALUE],
    ['[1 2]', '2', 'after array element'],
    ['[1"]', '"', 'after array element'],
    ['[1.5.]', '.', 'after array element'],
    ['{"a":1,}', '}', KEY],
    ['{a:1}', 'a', KEY],
    ["{'a':1}", "\\'", KEY],
    ['{,}', ',', KEY],
    ['{"a" 1}', '1', 'after object key'],
    ['{"a":1;}', ';', 'after object key:value pair'],
    ['{"a":1}}', '}', 'after top-level value'],
    ['[]]', ']', 'after top-level value'],
    ['[1]\n\t\r x', 'x', 'after top-level value'],
    ['01', '1', 'after top-level value'],
    ['1.5.', '.', 'after top-level value'],
    ['1e5.', '.', 'after top-level value'],
    ['1e5e', 'e', 'after top-level value'],
    ['truex', 'x', 'after top-level value'],
    ['nulL', 'L', "in literal null (expecting 'l')"],
    ['falsy', 'y', "in literal false (expecting 'e')"],
    ['{"a":tru}', '}', "in literal true (expecting 'e')"],
    ['-a', 'a', 'in numeric literal'],
    ['1.e', 'e', 'after decimal point in numeric literal'],
    ['1ex', 'x', 'in exponent of numeric literal'],
    ['1.5E+x', 'x', 'in exponent of numeric literal'],
    ['1e+-1', '-', 'in exponent of numeric literal'],
    ['"a\n"', '\\n', 'in string literal'],
    ['"\u001f"', '\\x1f', 'in string literal'],
    ['"\\x"', 'x', 'in string escape code'],
    ['"\\u12"', '"', 'in \\u hexadecimal character escape'],
    ['"\\u12g4"', 'g', 'in \\u hexadecimal character escape'],
    ['"\\uG000"', 'G', 'in \\u hexadecimal character escape'],
    // Go reads bytes.
    ['é', 'Ã', VALUE],
    ['[1\u00a0]', 'Â', 'after array element'],
    ['\u{1f600}', 'ð', VALUE],
    ['\u0001', '\\x01', VALUE],
    ['\u007f', '\\x7f', VALUE],
    ['\\', '\\\\', VALUE],
  ])('%j: invalid character %s %s', (text, char, where) => {
    expect(() => parseJson(text)).toThrow(new JsonSyntaxError(`invalid character '${char}' ${where}`));
  });

  it('has an error of its own kind', () => {
    expect(new JsonSyntaxError('x').name).toBe('JsonSyntaxError');
  });
});

describe('well-formed text', () => {
  it.each([
    '""',
    '"\u007f \u2028"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"',
    '"a\\nb"',
    '[[],{},[{}]]',
    '\t[\n1\r,2 ]',
    '{"a":{"b":[1,{"c":null}]},"d":""}',
    '[true,false,null]',
  ])('%j is read as JSON.parse does', (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text) as unknown, duplicates: [] });
  });

  it('keeps the text of a number that prints in another way', () => {
    const numbers = ['0', '-1', '1.5', '0.1', '1e-7', '123456'];
    const kept = ['-0', '-0.0', '1.0', '1e3', '1E3', '1e21', '1e400', '9007199254740993', '123456789012345678'];
    expect(parseJson(`[${[...numbers, ...kept].join()}]`).value).toEqual([
      ...numbers.map(Number),
      ...kept.map((text) => new RawNumber(text)),
    ]);
  });
});

describe('limits', () => {
  it('of values count lists and objects, and no keys', () => {
    const text = '{"a":[1,2],"b":{}}';
    expect(parseJson(text, 5).value).toEqual({ a: [1, 2], b: {} });
    expect(() => parseJson(text, 4)).toThrow(TooManyValues);
    expect(new TooManyValues().name).toBe('TooManyValues');
  });

  it('of depth is 10000', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(() => parseJson(nested(10_000))).not.toThrow();
    expect(() => parseJson(nested(10_001))).toThrow(new JsonSyntaxError('exceeded max depth'));
  });
});

describe('a key that is there twice', () => {
  it.each<[text: string, value: unknown, duplicates: readonly string[]]>([
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['{"a":1,"a":null}', { a: null }, ['a']],
    ['{"a":{"b":1},"a":null}', { a: null }, ['a']],
    ['{"a":{"b":1},"a":{"c":2},"a":{"b":3}}', { a: { b: 3, c: 2 } }, ['a', 'a']],
    ['{"a":[1],"a":[2]}', { a: [2] }, ['a']],
    ['{"a":[1],"a":{"b":1}}', { a: { b: 1 } }, ['a']],
    ['{"a":{"b":{"c":1}},"a":{"b":{"d":2}}}', { a: { b: { c: 1, d: 2 } } }, ['a']],
    ['{"a":[{},{"b":{"c":1,"c":2}}]}', { a: [{}, { b: { c: 2 } }] }, ['a[1].b.c']],
    ['[{"a":1,"a":2}]', [{ a: 2 }], ['[0].a']],
    ['[[{"a":1,"a":2}]]', [[{ a: 2 }]], ['[0][0].a']],
  ])('%s', (text, value, duplicates) => {
    expect(parseJson(text)).toEqual({ value, duplicates });
  });

  it('is reported a hundred times', () => {
    const repeated = (count: number) => parseJson(`{${Array.from({ length: count + 1 }, () => '"a":1').join()}}`).duplicates.length;
    expect([repeated(99), repeated(100), repeated(101)]).toEqual([99, 100, 100]);
  });

  it('is an ordinary member, whatever its name', () => {
    const { value, duplicates } = parseJson('{"__proto__":{"a":1},"__proto__":{"b":2},"c":{"__proto__":1}}');
    expect(duplicates).toEqual(['__proto__']);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1,"b":2},"c":{"__proto__":1}}');
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual({
      value: { a: 1, b: 2 },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });
});
