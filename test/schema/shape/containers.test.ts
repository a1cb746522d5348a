/** Lists, maps and structs as they are stored: in their order, with zeros for what is unset, and by reference where nothing changes. */
import { describe, expect, it } from 'vitest';
import * as shape from '../../../src/schema/shape/index.ts';

const raw = (text: string) => new shape.RawNumber(text);
const { amount, bool, int32, intOrString, quantity, str } = shape;

describe('lists and maps', () => {
  const item = shape.obj('Item', { a: str(), n: int32 });
  it('have a zero in place of null, and keep what is canonical', () => {
    const made = shape.decode(shape.list(int32), [1, null, undefined, raw('-0')]);
    expect(made).toStrictEqual([1, 0, 0, 0]);
    expect(shape.decode(shape.list(int32), made)).toBe(made);
    expect(shape.decode(shape.list(item), [null, { a: 'x', zz: 1 }])).toEqual([{}, { a: 'x' }]);
    expect(shape.decode(shape.list(shape.list(str())), [['a'], null])).toEqual([['a'], null]);
    expect(shape.decode(shape.map(int32), { b: null, a: 1 })).toStrictEqual({ a: 1, b: 0 });
    expect(shape.decode(shape.map(bool), { a: null })).toEqual({ a: false });
    expect(shape.decode(shape.map(quantity), { a: null, b: '1024' })).toEqual({ a: '0', b: '1024' });
    expect(shape.decode(shape.map(intOrString), { a: undefined })).toEqual({ a: 0 });
  });

  it('of a frozen list are read once', () => {
    const frozen = Object.freeze([Object.freeze({ a: 'x' })]);
    expect(shape.decode(shape.list(item), frozen)).toBe(frozen);
    expect(shape.decode(shape.list(item), frozen)).toBe(frozen);
  });

  it('of other types are refused', () => {
    const refused = (schema: shape.Schema, value: unknown) => () => shape.decode(schema, value);
    expect(refused(shape.list(int32), {})).toThrow('json: cannot unmarshal object into Go value of type []int32');
    expect(refused(shape.map(int32), [])).toThrow('json: cannot unmarshal array into Go value of type map[string]int32');
    expect(refused(shape.map(int32, 'Counts'), raw('1.0'))).toThrow('json: cannot unmarshal number into Go value of type v1.Counts');
    expect(refused(item, raw('1.0'))).toThrow('json: cannot unmarshal number into Go value of type v1.Item');
    expect(refused(shape.obj('Spec', {}, { inPackage: 'v2' }), 'a')).toThrow('of type v2.Spec');
    expect(refused(shape.map(str('meta.Key')), { a: 1 })).toThrow('of type meta.Key');
  });

  it('sort their keys, and leave those that look like indexes where a host has them', () => {
    const sorted = (value: object) => Object.keys(shape.decode(shape.map(str()), value) as object);
    expect(sorted({ b: '', a: '', c: '' })).toEqual(['a', 'b', 'c']);
    const canonical = { 1: 'x', 10: 'y', a: 'z' };
    expect(shape.decode(shape.map(str()), canonical)).toBe(canonical);
    const other = { 2: 'x', 10: 'y', 0: 'z', '01': 'a', b: 'c' };
    expect(shape.decode(shape.map(str()), other)).toBe(other);
    const names = ['k12', 'k3', 'k1', 'k2', 'k10', 'k9', 'k8', 'k7', 'k6', 'k5', 'k4', 'k11', 'k0'];
    for (const count of [11, 12, 13]) {
      const some = names.slice(0, count);
      expect(sorted(Object.fromEntries(some.map((name) => [name, ''])))).toEqual(some.toSorted((a, b) => (a < b ? -1 : 1)));
    }
  });

  it('show an amount as it was given', () => {
    const made = shape.decode(shape.map(amount), { a: '1024Ki', b: 1500, c: '1' }) as Readonly<Record<string, string>>;
    expect(made).toEqual({ a: '1Mi', b: '1500', c: '1' });
    expect(['a', 'b', 'c', 'd'].map((name) => shape.amountAsGiven(made, name))).toEqual(['1024Ki', '1500', '1', '0']);
  });
});

describe('structs', () => {
  const { obj, filled, always, ptr, list, map, req } = shape;
  const outer = obj('Outer', {
    a: str(),
    b: int32,
    c: filled(str(), 'x'),
    d: always(list(str())),
    e: ptr(bool),
    f: map(str()),
    g: req(str()),
    h: always(ptr(str())),
  });

  it('have their members in their order, whatever that of the input', () => {
    const made = shape.decode(outer, { g: 'g', f: { z: '1' }, e: false, d: ['d'], b: 2, a: 'a', zz: 0 });
    expect(JSON.stringify(made)).toBe('{"a":"a","b":2,"c":"x","d":["d"],"e":false,"f":{"z":"1"},"g":"g","h":null}');
    expect(shape.decode(outer, made)).toBe(made);
    const some = { a: 'a', c: 'x', d: null, g: '', h: null };
    expect(JSON.stringify(shape.decode(outer, { ...some }))).toBe(JSON.stringify(some));
    expect(JSON.stringify(shape.decode(outer, { c: 'y', b: 1 }))).toBe('{"b":1,"c":"y","d":null,"g":"","h":null}');
    expect(JSON.stringify(shape.decode(outer, { b: 0, a: '', c: '', d: [], f: {}, h: '' }))).toBe('{"c":"x","d":null,"g":"","h":""}');
  });

  it('that are open keep other members, sorted, behind their own', () => {
    const open = obj('Open', { a: str(), b: filled(str(), 'x') }, { open: true });
    expect(JSON.stringify(shape.decode(open, { z: 1, y: undefined, b: 'b', a: 'a', c: [2] }))).toBe('{"a":"a","b":"b","c":[2],"z":1}');
    const kept = { a: 'a', b: 'b', z: 1 };
    expect(shape.decode(open, kept)).toEqual(kept);
    const odd = shape.decode(open, JSON.parse('{"__proto__":{"c":1}}')) as object;
    expect(JSON.stringify(odd)).toBe('{"b":"x","__proto__":{"c":1}}');
  });

  it('have fields that compute what is stored', () => {
    const coerced = obj('Coerced', { a: { ...str(), coerce: (value: unknown) => (typeof value === 'string' ? value : 'none') } });
    expect([shape.decode(coerced, { a: 5 }), shape.decode(coerced, { a: '' }), shape.decode(coerced, {})]).toEqual([
      { a: 'none' },
      { a: '' },
      {},
    ]);
  });

  it('show empty members as they were given, inside lists, too', () => {
    const made = shape.decode(obj('Whole', { all: list(outer) }), { all: [{ f: {}, d: [], c: 'x', g: '', h: null }] });
    expect(shape.asGiven(made)).toEqual({ all: [{ c: 'x', d: null, f: {}, g: '', h: null }] });
    expect([shape.asGiven('a'), shape.asGiven(null), shape.asGiven([1])]).toEqual(['a', null, [1]]);
  });
});
