import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson, RawNumber } from '../../../src/schema/shape/index.ts';

const refused = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('parseJson', () => {
  it.each(['{}', '[]', '"a\\u00e9\\n"', 'null', '[1,-2,{"a":[true,false,null]}]', ' { "a" : "b" } '])(
    'reads %s as JSON.parse does',
    (text) => {
      expect(parseJson(text).value).toEqual(JSON.parse(text));
    },
  );

  it.each(['15.0', '1e3', '9007199254740993', '-0'])('keeps the text of %s', (text) => {
    const { value } = parseJson(text);
    expect(value).toBeInstanceOf(RawNumber);
    expect((value as RawNumber).text).toBe(text);
    expect(JSON.stringify(value)).toBe(JSON.stringify(Number(text)));
  });

  it('merges duplicate keys and names them', () => {
    expect(parseJson('{"metadata":{"name":"a","labels":{"x":"1"}},"metadata":{"name":"b"}}')).toEqual({
      value: { metadata: { name: 'b', labels: { x: '1' } } },
      duplicates: ['metadata'],
    });
    expect(parseJson('{"a":[{"b":1,"b":2}]}').duplicates).toEqual(['a[0].b']);
  });

  it('keeps __proto__ a plain key', () => {
    const value = parseJson('{"__proto__":{"polluted":1}}').value as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('polluted' in value).toBe(false);
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['bad', "invalid character 'b' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['tru', 'unexpected end of JSON input'],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\n"', "invalid character '\\n' in string literal"],
  ])('refuses %j as Go does', (text, message) => {
    expect(refused(text)).toBe(message);
  });

  it('reads deeply nested documents', () => {
    expect(refused('['.repeat(20_000))).toBe('exceeded max depth');
  });
});
