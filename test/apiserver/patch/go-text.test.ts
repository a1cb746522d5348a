import { describe, expect, it } from 'vitest';
import { goJson, goNumber, goSyntax, goText, goType, goValue } from '../../../src/apiserver/patch/go-text.ts';
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
  it('as JSON', () => expect(goJson({ b: '<&>', a: [{ z: 1, y: null }] })).toBe('{"a":[{"y":null,"z":1}],"b":"\\u003c\\u0026\\u003e"}'));
});
