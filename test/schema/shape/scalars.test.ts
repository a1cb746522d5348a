/** What each type accepts and stores at its edges, and the words in which it refuses: those of encoding/json. */
import { describe, expect, it } from 'vitest';
import * as shape from '../../../src/schema/shape/index.ts';

const raw = (text: string) => new shape.RawNumber(text);
const { bool, bytes, int32, int64, intOrString, microTime, quantity, str, time, any, amount } = shape;
const float64 = { type: 'float64' } as const;

/** What a field of this schema is stored as, or why its value is refused. */
const stored = (schema: shape.Schema, value: unknown): unknown => {
  try {
    return (shape.decode(shape.obj('Outer', { of: shape.ptr(schema) }), { of: value }) as { readonly of?: unknown }).of;
  } catch (error) {
    if (error instanceof shape.DecodeError) return error.message;
    throw error;
  }
};
const refusal = (what: string, type: string) => `json: cannot unmarshal ${what} into Go struct field Outer.of of type ${type}`;

describe('scalars', () => {
  it.each<[type: string, schema: shape.Schema, cases: readonly (readonly [value: unknown, stored: unknown])[]]>([
    [
      'string',
      str(),
      [
        ['', ''],
        ['a', 'a'],
        [1, refusal('number', 'string')],
        [true, refusal('bool', 'string')],
        [[], refusal('array', 'string')],
        [{}, refusal('object', 'string')],
        [null, undefined],
      ],
    ],
    [
      'named string',
      str('Policy'),
      [
        ['a', 'a'],
        [raw('1.0'), refusal('number', 'v1.Policy')],
      ],
    ],
    [
      'boolean',
      bool,
      [
        [true, true],
        [false, false],
        ['true', refusal('string', 'bool')],
        [1, refusal('number', 'bool')],
      ],
    ],
    [
      'int32',
      int32,
      [
        [0, 0],
        [raw('-0'), 0],
        [2147483647, 2147483647],
        [-2147483648, -2147483648],
        [2147483648, refusal('number 2147483648', 'int32')],
        [-2147483649, refusal('number -2147483649', 'int32')],
        [1.5, refusal('number 1.5', 'int32')],
        [raw('1.0'), refusal('number 1.0', 'int32')],
        [raw('1e2'), refusal('number 1e2', 'int32')],
        ['1', refusal('string', 'int32')],
      ],
    ],
    [
      'int64',
      int64,
      [
        [raw('-0'), 0],
        [2147483648, 2147483648],
        [9007199254740991, 9007199254740991],
        [2 ** 63, 2 ** 63],
        [2 ** 64, refusal('number 18446744073709552000', 'int64')],
        [raw('9007199254740993'), raw('9007199254740993')],
        [raw('9223372036854775807'), raw('9223372036854775807')],
        [raw('9223372036854775808'), refusal('number 9223372036854775808', 'int64')],
        [raw('1.0'), refusal('number 1.0', 'int64')],
        [true, refusal('bool', 'int64')],
      ],
    ],
    [
      'float64',
      float64,
      [
        [1.5, 1.5],
        [raw('1.0'), 1],
        [raw('1e400'), refusal('number 1e400', 'float64')],
        ['1', refusal('string', 'float64')],
      ],
    ],
    [
      'int or string',
      intOrString,
      [
        ['50%', '50%'],
        [5, 5],
        [raw('-0'), 0],
        [1.5, refusal('number 1.5', 'int32')],
        [2147483648, refusal('number 2147483648', 'int32')],
        [true, refusal('bool', 'int32')],
      ],
    ],
    [
      'quantity',
      quantity,
      [
        ['1', '1'],
        ['1024Ki', '1Mi'],
        [1500, '1500'],
        [raw('1.50'), '1500m'],
        ['0.0001', '100u'],
        [true, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
      ],
    ],
    [
      'amount',
      amount,
      [
        ['0.0001', '1m'],
        ['-1500u', '-2m'],
        ['1', '1'],
      ],
    ],
    [
      'time',
      time,
      [
        ['2024-03-01T01:00:00+01:00', '2024-03-01T00:00:00Z'],
        ['0001-01-01T00:00:00Z', undefined],
        [5, refusal('number', 'string')],
      ],
    ],
    [
      'microTime',
      microTime,
      [
        ['2024-03-01T00:00:00.500000Z', '2024-03-01T00:00:00.500000Z'],
        [{}, refusal('object', 'string')],
      ],
    ],
    [
      'any',
      any,
      [
        ['a', 'a'],
        [raw('1.0'), 1],
        [raw('9007199254740993'), raw('9007199254740993')],
        [
          [1, raw('2.0')],
          [1, 2],
        ],
        [
          { a: raw('1e1'), b: [raw('9007199254740993')] },
          { a: 10, b: [raw('9007199254740993')] },
        ],
      ],
    ],
  ])('%s', (_, schema, cases) => {
    for (const [value, expected] of cases) expect([value, stored(schema, value)]).toStrictEqual([value, expected]);
  });
});

describe('bytes', () => {
  it.each([
    ['', ''],
    ['YQ==', 'YQ=='],
    ['YWI=', 'YWI='],
    ['YWJj', 'YWJj'],
    ['YWJjYQ==', 'YWJjYQ=='],
    ['YW\nJj\r\n', 'YWJj'],
    ['YQ\n==', 'YQ=='],
    ['YQ=\n=\r', 'YQ=='],
  ])('%j are stored as %j', (text, expected) => {
    expect(stored(bytes, text)).toBe(expected);
  });

  it.each([
    ['Y', 0],
    ['YQ', 0],
    ['YWJjY', 4],
    ['Y===', 1],
    ['=', 0],
    ['YQ=', 3],
    ['YWJj=', 4],
    ['YQ===', 4],
    ['YWI==', 4],
    ['YQ==YQ==', 4],
    ['Y*==', 1],
    ['YWJj YWJj', 4],
    ['YW_-', 2],
  ])('%j are wrong at byte %d', (text, at) => {
    expect(stored(bytes, text)).toBe(`illegal base64 data at input byte ${at}`);
  });

  it('are a text', () => {
    expect(stored(bytes, 5)).toBe(refusal('number', '[]uint8'));
  });
});

it('words for values are those of Go', () => {
  const given = [1, raw('1.0'), true, 'a', [], {}, null];
  expect(given.map((value) => shape.jsonWord(value, false))).toEqual(['number', 'number', 'bool', 'string', 'array', 'object', 'object']);
  expect([shape.jsonWord(1.5, true), shape.jsonWord(raw('1.0'), true), shape.jsonWord('a', true)]).toEqual([
    'number 1.5',
    'number 1.0',
    'string',
  ]);
});

it('the zero of a type is what Go encodes', () => {
  const types = ['string', 'duration', 'boolean', 'int32', 'int64', 'float64', 'intOrString', 'quantity', 'time', 'list', 'any'] as const;
  expect(types.map(shape.zeroOfType)).toEqual(['', '', false, 0, 0, 0, 0, '0', null, null, null]);
});

it('nothing is what omitempty drops', () => {
  const nothing = (schema: shape.Schema, ...values: readonly unknown[]) => values.map((value) => shape.isNothing(schema, value));
  expect(nothing(str(), '', 'a', null, undefined)).toEqual([true, false, true, true]);
  expect(nothing(int32, 0, 1)).toEqual([true, false]);
  expect(nothing(bool, false, true)).toEqual([true, false]);
  expect(nothing(shape.list(str()), [], ['a'])).toEqual([true, false]);
  expect(nothing(shape.map(str()), {}, { a: '' })).toEqual([true, false]);
  expect(nothing(shape.obj('A', {}), {}, null)).toEqual([false, true]);
});
