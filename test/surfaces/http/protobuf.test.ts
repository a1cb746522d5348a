/** Messages in protobuf: each type of a field, and what is wrong with bytes that are no message. */
import { describe, expect, it } from 'vitest';
import {
  any,
  bool,
  bytes,
  field,
  int32,
  int64,
  intOrString,
  list,
  map,
  microTime,
  obj,
  quantity,
  RawNumber,
  str,
  time,
} from '../../../src/schema/shape/index.ts';
import { decodeProtobuf } from '../../../src/surfaces/http/protobuf/index.ts';
import { readMessage } from '../../../src/surfaces/http/protobuf/message.ts';

const utf8 = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const varint = (value: bigint): number[] => (value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]);
const number = (at: number, value: number | bigint): number[] => [...varint(BigInt(at << 3)), ...varint(BigInt.asUintN(64, BigInt(value)))];
const part = (at: number, ...contents: readonly (readonly number[])[]): number[] => {
  const all = contents.flat();
  return [...varint(BigInt((at << 3) | 2)), ...varint(BigInt(all.length)), ...all];
};
const text = (at: number, value: string): number[] => part(at, utf8(value));

const inner = obj('Inner', { name: field(1, str()), count: field(2, int32) });
const shape = obj('Outer', {
  text: field(1, str()),
  flag: field(2, bool),
  small: field(3, int32),
  large: field(4, int64),
  data: field(5, bytes),
  amount: field(6, quantity),
  at: field(7, time),
  exact: field(8, microTime),
  either: field(9, intOrString),
  raw: field(10, any),
  inner: field(11, inner),
  texts: field(12, list(str())),
  numbers: field(13, list(int64)),
  inners: field(14, list(inner)),
  labels: field(15, map(str())),
  byName: field(16, map(inner)),
  lists: field(17, map(list(str()))),
  ratio: field(18, { type: 'float64' }),
  window: field(19, { type: 'duration' }),
});
const read = (...fields: readonly (readonly number[])[]): unknown => readMessage(shape, { left: 1000 }, Uint8Array.from(fields.flat()));
const ofTime = (seconds: number | bigint, nanos?: number): number[] => [
  ...number(1, seconds),
  ...(nanos === undefined ? [] : number(2, nanos)),
];

describe('a field', () => {
  it.each<[string, readonly number[], object]>([
    ['a text', text(1, 'é'), { text: 'é' }],
    ['an empty text', text(1, ''), { text: '' }],
    ['true', number(2, 1), { flag: true }],
    ['any number but 0 as true', number(2, 7), { flag: true }],
    ['false', number(2, 0), { flag: false }],
    ['a number', number(3, 300), { small: 300 }],
    ['a negative number', number(3, -1), { small: -1 }],
    ['the largest exact number', number(4, 9007199254740991n), { large: 9007199254740991 }],
    ['a larger one', number(4, 9007199254740993n), { large: new RawNumber('9007199254740993') }],
    ['the smallest one', number(4, -9223372036854775808n), { large: new RawNumber('-9223372036854775808') }],
    ['bytes', part(5, [0, 255, 16]), { data: 'AP8Q' }],
    ['an amount', part(6, text(1, '100m')), { amount: '100m' }],
    ['no amount', part(6), { amount: '' }],
    ['an amount among others', part(6, number(2, 1), text(1, '1Gi')), { amount: '1Gi' }],
    ['a time', part(7, ofTime(1709251200, 5)), { at: '2024-03-01T00:00:00Z' }],
    ['no time', part(7), { at: null }],
    ['the epoch', part(7, ofTime(0)), { at: '1970-01-01T00:00:00Z' }],
    ['a time before the epoch', part(7, ofTime(-1)), { at: '1969-12-31T23:59:59Z' }],
    ['an exact time', part(8, ofTime(1709251200, 123_456_789)), { exact: '2024-03-01T00:00:00.123456Z' }],
    ['an exact time of a few microseconds', part(8, ofTime(1709251200, 7_000)), { exact: '2024-03-01T00:00:00.000007Z' }],
    ['no exact time', part(8), { exact: null }],
    ['a number where a text may be', part(9, number(1, 0), number(2, 80), text(3, '')), { either: 80 }],
    ['a text where a number may be', part(9, number(1, 1), number(2, 80), text(3, 'http')), { either: 'http' }],
    ['nothing of both', part(9), { either: 0 }],
    ['JSON', part(10, text(1, '{"a":[1]}')), { raw: { a: [1] } }],
    ['no JSON', part(10), { raw: null }],
    ['a message', part(11, text(1, 'n'), number(2, 3)), { inner: { name: 'n', count: 3 } }],
    ['an empty message', part(11), { inner: {} }],
    ['a message of unknown fields', part(11, text(9, 'n'), number(100, 3)), { inner: {} }],
    ['a list of texts', [...text(12, 'a'), ...text(12, 'b')], { texts: ['a', 'b'] }],
    ['a list of numbers', [...number(13, 1), ...number(13, -2)], { numbers: [1, -2] }],
    ['a packed list of numbers', part(13, varint(1n), varint(300n), varint(BigInt.asUintN(64, -1n))), { numbers: [1, 300, -1] }],
    ['a packed list after a number', [...number(13, 9), ...part(13, varint(1n))], { numbers: [9, 1] }],
    ['an empty packed list', part(13), { numbers: [] }],
    ['a list of messages', [...part(14, text(1, 'a')), ...part(14)], { inners: [{ name: 'a' }, {}] }],
    ['a map of texts', [...part(15, text(1, 'a'), text(2, 'b')), ...part(15, text(1, 'c'), text(2, 'd'))], { labels: { a: 'b', c: 'd' } }],
    ['an entry without a value', part(15, text(1, 'a')), { labels: { a: '' } }],
    ['an entry without a key', part(15, text(2, 'b')), { labels: { '': 'b' } }],
    ['an entry with its value first', part(15, text(2, 'b'), text(1, 'a')), { labels: { a: 'b' } }],
    ['an entry with more fields', part(15, text(1, 'a'), text(3, 'x'), text(2, 'b')), { labels: { a: 'b' } }],
    ['a map of messages', part(16, text(1, 'a'), part(2, number(2, 1))), { byName: { a: { count: 1 } } }],
    ['a message that is not there', part(16, text(1, 'a')), { byName: { a: undefined } }],
    ['a fraction', [...varint(BigInt((18 << 3) | 1)), 0, 0, 0, 0, 0, 0, 0x04, 0xc0], { ratio: -2.5 }],
    ['a fraction of another length', [...varint(BigInt((18 << 3) | 5)), 0, 0, 0, 0x40], { ratio: 0 }],
    ['a duration', part(19, number(1, 90_000_000_000n)), { window: '1m30s' }],
    ['a negative duration', part(19, number(1, -1)), { window: '-1ns' }],
    ['no duration', part(19), { window: '0s' }],
    ['the last of two values', [...text(1, 'a'), ...text(1, 'b')], { text: 'b' }],
    ['a field that it does not know', [...text(99, 'x'), ...number(98, 1), ...text(1, 'a')], { text: 'a' }],
  ])('is read: %s', (_, sent, expected) => {
    expect(read(sent)).toEqual(expected);
  });

  it('called __proto__ is a key as any other', () => {
    const { labels } = read(part(15, text(1, '__proto__'), text(2, 'x'))) as { readonly labels: object };
    expect([Object.keys(labels), Object.getPrototypeOf(labels)]).toEqual([['__proto__'], Object.prototype]);
  });

  it('of fixed length is skipped', () => {
    expect(read([((99 << 3) & 127) | 128 | 1, 6, 1, 2, 3, 4, 5, 6, 7, 8], text(1, 'a'))).toEqual({ text: 'a' });
    expect(read([...varint(BigInt((99 << 3) | 5)), 1, 2, 3, 4], text(1, 'a'))).toEqual({ text: 'a' });
  });
});

describe('bytes that are no message are refused', () => {
  const MAGIC = [0x6b, 0x38, 0x73, 0];
  const find = (kind: string, apiVersion: string) => (kind === 'K' && apiVersion === 'v1' ? shape : undefined);
  const envelope = (message: readonly number[], type: readonly number[] = [...text(1, 'v1'), ...text(2, 'K')]) => [
    ...MAGIC,
    ...part(1, type),
    ...part(2, message),
  ];
  const decoded = (sent: readonly number[]): unknown => {
    try {
      return decodeProtobuf(Uint8Array.from(sent), find).value;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const unreadable = (why: string) => `the body cannot be read as protobuf: ${why}`;

  it.each<[string, readonly number[], string]>([
    ['a number where a text is', number(1, 5), 'a number where field 1 holds bytes'],
    ['a text where a number is', text(3, 'x'), 'bytes where field 3 holds a number'],
    ['a number where a message is', number(11, 5), 'a number where field 11 holds bytes'],
    ['a field with the number 0', [2, 0], 'a field with the number 0'],
    ['a group', [(1 << 3) | 3], 'a field of wire type 3'],
    ['an unknown wire type', [(1 << 3) | 7], 'a field of wire type 7'],
    ['a text that ends early', [(1 << 3) | 2, 5, 97], 'unexpected EOF'],
    ['a number that ends early', [3 << 3, 128], 'unexpected EOF'],
    ['fixed bytes that end early', [(1 << 3) | 1, 1, 2, 3], 'unexpected EOF'],
    ['a number of more than ten bytes', [3 << 3, ...Array.from({ length: 10 }, () => 255), 1], 'a number of more than 64 bits'],
    ['a raw value that is not JSON', part(10, text(1, '{')), 'a raw value that is not JSON'],
  ])('%s', (_, message, why) => {
    expect(decoded(envelope(message))).toBe(unreadable(why));
  });

  it('with the values that they may have', () => {
    const many = (count: number): readonly number[] => Array.from({ length: count }, () => text(12, '')).flat();
    // Two fields of the envelope, and two of the type, are values, too.
    expect((decoded(envelope(many(15_996))) as { readonly texts: readonly string[] }).texts).toHaveLength(15_996);
    expect(decoded(envelope(many(15_997)))).toBe(
      'Request entity too large: limit is 16000 values (members and items); divide it into several objects',
    );
    const packed = (count: number) =>
      part(
        13,
        Array.from({ length: count }, () => 1),
      );
    expect((decoded(envelope(packed(15_995))) as { readonly numbers: readonly number[] }).numbers).toHaveLength(15_995);
    expect(decoded(envelope(packed(15_996)))).toContain('limit is 16000 values');
    // An entry is one value, and two more while it is read.
    const entries = (count: number) => Array.from({ length: count }, () => part(15, text(1, 'a'), text(2, 'b'))).flat();
    expect(decoded(envelope(entries(15_994)))).toMatchObject({ labels: { a: 'b' } });
    expect(decoded(envelope(entries(15_995)))).toContain('limit is 16000 values');
    const json = (count: number) => part(10, text(1, `[${Array.from({ length: count }, () => '1').join(',')}]`));
    expect((decoded(envelope(json(15_000))) as { readonly raw: readonly number[] }).raw).toHaveLength(15_000);
    expect(decoded(envelope(json(16_000)))).toContain('limit is 16000 values');
  });

  it('the envelope says version and kind', () => {
    expect(decoded(envelope(text(1, 'x')))).toEqual({ apiVersion: 'v1', kind: 'K', text: 'x' });
    expect(decoded(envelope(text(1, 'x'), [...text(1, 'v2'), ...text(2, 'K')]))).toEqual({ apiVersion: 'v2', kind: 'K' });
    expect(decoded(envelope(text(1, 'x'), []))).toEqual({ apiVersion: '', kind: '' });
    expect(
      decoded([...MAGIC, ...part(2, text(1, 'x')), ...part(1, number(1, 1), text(1, 'v1'), text(2, 'K'), text(3, 'x')), ...number(2, 1)]),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      text: 'x',
    });
    expect(decoded([...MAGIC, ...part(1, text(1, 'v1'), text(2, 'K'))])).toEqual({ apiVersion: 'v1', kind: 'K' });
  });

  it('and messages in messages are limited', () => {
    const nested: { type: 'object'; fields: Record<string, unknown> } = { type: 'object', fields: {} };
    nested.fields['in'] = { ...nested, fields: nested.fields, wire: 1 };
    const deep = (levels: number): readonly number[] => (levels === 0 ? [] : part(1, deep(levels - 1)));
    const depth = (levels: number): unknown => {
      try {
        return JSON.stringify(readMessage(nested as never, { left: 1000 }, Uint8Array.from(deep(levels)))).split('{').length - 2;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([depth(3), depth(100), depth(101)]).toEqual([3, 100, 'exceeded max depth']);
  });
});
