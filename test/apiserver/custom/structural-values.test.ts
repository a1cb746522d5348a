/** What is wrong with values of custom resources by their structural schemas. */
import { describe, expect, it } from 'vitest';
import { ruleErrors, type Structural } from '../../../src/apiserver/structural/index.ts';
import type { FieldError } from '../../../src/apiserver/machinery/index.ts';

const line = ({ type, field, value, detail }: FieldError): string => `${field} ${type} ${JSON.stringify(value) ?? '-'} ${detail}`;
const wrong = (value: unknown, schema: Structural): readonly string[] => ruleErrors(value, schema, 'f').map(line);
/** The values of a list that a schema refuses. */
const refused = (schema: Structural, ...values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => ruleErrors(value, schema, 'f').length > 0);

describe('a value', () => {
  it('has the type of its schema', () => {
    const values = [null, [], {}, 'x', 1, 1.5, true];
    for (const [type, fits] of Object.entries({
      array: [[]],
      object: [{}],
      string: ['x'],
      integer: [1],
      number: [1, 1.5],
      boolean: [true],
    }))
      expect(refused({ type }, ...values)).toEqual(
        values.filter((value) => !fits.some((fit) => JSON.stringify(fit) === JSON.stringify(value))),
      );
    expect(refused({ 'x-kubernetes-int-or-string': true }, ...values)).toEqual([null, [], {}, 1.5, true]);
    expect(refused({}, ...values)).toEqual([]);
    expect([
      wrong('x', { type: 'integer' }),
      wrong(1, { 'x-kubernetes-int-or-string': true }),
      wrong([], { 'x-kubernetes-int-or-string': true }),
      wrong(null, { type: 'string' }),
      wrong(null, { type: 'string', nullable: true }),
      wrong(undefined, { type: 'string' }),
    ]).toEqual([
      ['f TypeInvalid "string" f in body must be of type integer: "string"'],
      [],
      ['f TypeInvalid "array" f in body must be of type integer,string: "array"'],
      ['f TypeInvalid "null" f in body must be of type string: "null"'],
      [],
      [],
    ]);
    expect(refused({ type: 'integer', format: 'int32' }, 2147483647, 2147483648, -2147483648, -2147483649)).toEqual([
      2147483648, -2147483649,
    ]);
    expect(wrong(2147483648, { type: 'integer', format: 'int32' })).toEqual([
      'f TypeInvalid "int64" f in body must be of type int32: "int64"',
    ]);
  });

  it('is one of a closed set', () => {
    expect([wrong('a', { enum: ['a', 1] }), wrong(1, { enum: ['a', 1] }), wrong('1', { enum: ['a', 1] })]).toEqual([
      [],
      [],
      ['f NotSupported "1" supported values: "a", "1"'],
    ]);
  });

  it('of a text has a length and a pattern', () => {
    expect([
      wrong('ab', { minLength: 2, maxLength: 2, pattern: '^a' }),
      wrong('b', { minLength: 2, pattern: '^a' }),
      wrong('abc', { maxLength: 2 }),
      wrong('😀😀', { minLength: 2, maxLength: 2 }),
    ]).toEqual([
      [],
      ['f Invalid "b" f in body should be at least 2 chars long', 'f Invalid "b" f in body should match \'^a\''],
      ['f TooLong "abc" may not be longer than 2'],
      [],
    ]);
  });

  it('of a number has bounds', () => {
    const bounds = { minimum: 1, maximum: 3 };
    expect(refused(bounds, 0.9, 1, 3, 3.1)).toEqual([0.9, 3.1]);
    expect(refused({ ...bounds, exclusiveMinimum: true, exclusiveMaximum: true }, 1, 1.1, 2.9, 3)).toEqual([1, 3]);
    expect(refused({ multipleOf: 0.5 }, 1, 1.5, 1.25)).toEqual([1.25]);
    expect(refused({ multipleOf: 0 }, 1)).toEqual([]);
    expect([
      wrong(0, bounds),
      wrong(4, bounds),
      wrong(1, { minimum: 1, exclusiveMinimum: true }),
      wrong(3, { maximum: 3, exclusiveMaximum: true }),
      wrong(3, { multipleOf: 2 }),
    ]).toEqual([
      ['f Invalid 0 f in body should be greater than or equal to 1'],
      ['f Invalid 4 f in body should be less than or equal to 3'],
      ['f Invalid 1 f in body should be greater than 1'],
      ['f Invalid 3 f in body should be less than 3'],
      ['f Invalid 3 f in body should be a multiple of 2'],
    ]);
  });

  it('of a list has a size and distinct items', () => {
    const keyed: Structural = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object' } };
    expect([
      wrong([1], { minItems: 2 }),
      wrong([1, 2], { minItems: 2, maxItems: 2 }),
      wrong([1, 2, 3], { maxItems: 2 }),
      wrong([1, 'x'], { items: { type: 'integer' } }),
    ]).toEqual([
      ['f Invalid 1 f in body should have at least 2 items'],
      [],
      ['f TooMany 3 must have at most 2 items'],
      ['f[1] TypeInvalid "string" f[1] in body must be of type integer: "string"'],
    ]);
    expect([
      wrong([1, 1], {}),
      wrong([1, 1, { a: 1 }, { a: 1 }], { 'x-kubernetes-list-type': 'set' }),
      wrong([{ k: 1, v: 1 }, { k: 1, v: 2 }, { k: 2 }, {}], keyed),
    ]).toEqual([[], ['f[1] Duplicate 1 ', 'f[3] Duplicate {"a":1} '], ['f[1] Duplicate {"k":1} ']]);
  });

  it('of an object has members', () => {
    const schema: Structural = {
      properties: { a: { type: 'integer' }, b: { type: 'object', required: ['c'] } },
      required: ['a', 'x'],
      minProperties: 1,
      maxProperties: 2,
    };
    expect([
      wrong({ a: 1, x: 1 }, schema),
      wrong({ a: 'x', b: {}, c: 1 }, schema),
      wrong({}, schema),
      wrong({ z: 1 }, { additionalProperties: { type: 'string' } }),
      wrong({ z: 1 }, { additionalProperties: true }),
    ]).toEqual([
      [],
      [
        'f.x Required - ',
        'f TooMany 3 must have at most 2 items',
        'f.a TypeInvalid "string" f.a in body must be of type integer: "string"',
        'f.b.c Required - ',
      ],
      ['f.a Required - ', 'f.x Required - ', 'f Invalid 0 f in body should have at least 1 properties'],
      ['f.z TypeInvalid "integer" f.z in body must be of type string: "integer"'],
      [],
    ]);
    expect(ruleErrors({}, { required: ['a'] }, '').map(line)).toEqual(['a Required - ']);
  });

  it('fits its alternatives', () => {
    const [text, number] = [{ type: 'string' }, { type: 'integer' }];
    expect([
      wrong('x', { anyOf: [text, number] }),
      wrong(true, { anyOf: [text, number] }),
      wrong('x', { oneOf: [text, number] }),
      wrong('x', { oneOf: [text, text] }),
      wrong(true, { oneOf: [text, number] }),
      wrong('x', { allOf: [text, text] }),
      wrong('x', { allOf: [text, number] }),
      wrong(true, { allOf: [text, number] }),
      wrong('x', { not: text }),
      wrong(1, { not: text }),
    ]).toEqual([
      [],
      [
        '<nil> Invalid "" "f" must validate at least one schema (anyOf)',
        'f TypeInvalid "boolean" f in body must be of type string: "boolean"',
      ],
      [],
      ['<nil> Invalid "" "f" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
      [
        '<nil> Invalid "" "f" must validate one and only one schema (oneOf). Found none valid',
        'f TypeInvalid "boolean" f in body must be of type string: "boolean"',
      ],
      [],
      ['f TypeInvalid "string" f in body must be of type integer: "string"', '<nil> Invalid "" "f" must validate all the schemas (allOf)'],
      [
        'f TypeInvalid "boolean" f in body must be of type string: "boolean"',
        'f TypeInvalid "boolean" f in body must be of type integer: "boolean"',
        '<nil> Invalid "" "f" must validate all the schemas (allOf). None validated',
      ],
      ['<nil> Invalid "" "f" must not validate the schema (not)'],
      [],
    ]);
  });
});

describe('a format', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    [
      'date-time',
      ['2024-03-01T23:59:59Z', '2024-03-01t00:00:00.5+01:00'],
      [
        '2024-03-01',
        '2024-03-01T00:00:00',
        '2024-03-01T24:00:00Z',
        '2024-03-01T23:60:00Z',
        '2024-03-01T23:00:60Z',
        '2024-02-30T00:00:00Z',
        'x2024-03-01T00:00:00Z',
      ],
    ],
    [
      'date',
      ['2024-02-29', '2024-12-31'],
      ['2024-13-01', '2024-00-10', '2024-01-32', '2023-02-29', '2024-04-31', '24-01-01', '2024-01-01T', '2024-1-001'],
    ],
    [
      'duration',
      ['1h', '-1.5s', '1 h', '2 days', '3Weeks', '5 foo 1 hr', '1 MICROS'],
      // The last one takes minutes where each digit begins a match of its own.
      ['x', '5', 'h', '1 daz', '1 weak', '1 hrs', 'day 1', '1'.repeat(300_000)],
    ],
    [
      'uuid',
      ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
      ['123e4567', '123e4567-e89b-12d3-a456-42661417400g'],
    ],
    ['uuid3', ['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
    ['uuid4', ['123e4567e89b42d3a456426614174000'], ['123e4567-e89b-12d3-a456-426614174000', '4']],
    ['uuid5', ['123e4567-e89b-52d3-a456-426614174000'], ['123e4567-e89b-32d3-a456-426614174000']],
    ['ipv4', ['1.2.3.4'], ['1.2.3', '::1', '1.2.3.256']],
    ['ipv6', ['::1', '1:2::'], ['1.2.3.4', ':::']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    ['byte', ['YQ=='], ['YQ', '', '*']],
    ['hostname', ['a', 'A-1.b.'], ['-a', 'a..b', 'a_b', `${'a'.repeat(64)}.b`]],
    ['email', ['a@b'], ['a', '@b', 'a b@c', 'a@b@c']],
    ['mac', ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab'], ['01:23:45:67:89', '01:23-45:67:89:ab', '0123.4567']],
    ['uri', ['https://a/b', '/a', 'mailto:x'], ['a b', 'x']],
    ['unknown', ['anything'], []],
    ['toString', ['anything'], []],
  ])('%s', (format, good, bad) => {
    expect(refused({ format }, ...good, ...bad)).toEqual(bad);
    const [first] = bad;
    if (first !== undefined)
      expect(wrong(first, { format })).toEqual([
        `f Invalid ${JSON.stringify(first)} f in body must be of type ${format}: ${JSON.stringify(first)}`,
      ]);
  });
});
