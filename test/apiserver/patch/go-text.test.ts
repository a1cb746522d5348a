import { describe, expect, it } from 'vitest';
import { goJson, goKind, goNumber, goSyntax, goText, goType, goValue, jsonKind } from '../../../src/apiserver/patch/go-text.ts';
import { RawNumber } from '../../../src/schema/shape/index.ts';
import { quote } from '../../../src/schema/values/index.ts';

describe('values as Go prints them', () => {
  it.each<[number, string]>([
    [0, '0'],
    [-0, '-0'],
    [1.5, '1.5'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [-2e100, '-2e+100'],
  ])('%d', (value, text) => expect(goNumber(value)).toBe(text));
  it.each<[unknown, string]>([
    [null, '<nil>'],
    ['a b', 'a b'],
    [[1, 'x', null], '[1 x <nil>]'],
    [{ b: [], a: { c: true } }, 'map[a:map[c:true] b:[]]'],
  ])('%j', (value, text) => expect(goValue(value)).toBe(text));
  it.each<[unknown, string]>([
    [null, '%!s(<nil>)'],
    [5, '%!s(int64=5)'],
    [1.5, '%!s(float64=1.5)'],
    [true, '%!s(bool=true)'],
    ['x', 'x'],
  ])('%j with %%s', (value, text) => expect(goText(value)).toBe(text));
  it.each<[unknown, string]>([
    [null, '<nil>'],
    [1, 'int64'],
    [1.5, 'float64'],
    [true, 'bool'],
    ['x', 'string'],
    [[], '[]interface {}'],
    [{}, 'map[string]interface {}'],
  ])('the type of %j', (value, text) => expect(goType(value)).toBe(text));
  it.each<[unknown, string]>([
    ['a"', '"a\\""'],
    [[1, null], '[]interface {}{1, interface {}(nil)}'],
    [{ a: 'b' }, 'map[string]interface {}{"a":"b"}'],
  ])('the syntax of %j', (value, text) => expect(goSyntax(value)).toBe(text));
  it.each<[string, string]>([
    ['a"\\', '"a\\"\\\\"'],
    ['\u0001\n\u007f', '"\\x01\\n\\x7f"'],
    ['é😀', '"é😀"'],
    ['\u200b\u2028', '"\\u200b\\u2028"'],
    ['\ud800', '"\ufffd"'],
  ])('%j quoted', (value, text) => expect(quote(value)).toBe(text));
  it.each<[unknown, string, string, string]>([
    [null, '<nil>', 'null', '<nil>'],
    [undefined, '<nil>', 'null', '<nil>'],
    [1, 'int64', 'number', 'float64'],
    [1.5, 'float64', 'number', 'float64'],
    [new RawNumber('9007199254740993'), 'int64', 'number', 'float64'],
    ['x', 'string', 'string', 'string'],
    [true, 'bool', 'bool', 'bool'],
    [[], 'slice', 'array', '[]interface {}'],
    [{}, 'map', 'object', 'map[string]interface {}'],
  ])('the kinds of %j', (value, ...kinds) => expect([goKind(value), jsonKind(value), goType(value, 'float')]).toEqual(kinds));
  it('keeps the digits of a long integer', () => {
    const long = new RawNumber('9007199254740993');
    expect([goValue([long]), goText(long), goSyntax(long)]).toEqual([
      '[9007199254740993]',
      '%!s(int64=9007199254740993)',
      '9007199254740993',
    ]);
  });
  it('as JSON', () => expect(goJson({ b: '<&>', a: [{ z: 1, y: null }] })).toBe('{"a":[{"y":null,"z":1}],"b":"\\u003c\\u0026\\u003e"}'));
});
