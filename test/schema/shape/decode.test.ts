import { describe, expect, it } from 'vitest';
import {
  any,
  asGiven,
  atomicList,
  bool,
  decode,
  DecodeError,
  decodeLasting,
  filled,
  int32,
  intOrString,
  list,
  map,
  obj,
  ptr,
  quantity,
  RawNumber,
  req,
  str,
  time,
  always,
  amount,
  bytes,
} from '../../../src/schema/shape/index.ts';

const inner = obj('Inner', { count: int32, name: req(str()), flag: ptr(bool) });
const shape = obj('Outer', {
  name: str(),
  policy: filled(str('Policy'), 'Always'),
  limit: ptr(int32),
  inner,
  always: always(inner),
  items: list(inner),
  names: always(list(str())),
  labels: map(str()),
  size: ptr(quantity),
  share: ptr(intOrString),
  at: always(time),
  data: bytes,
  parts: atomicList(obj('Part', { amounts: map(amount) })),
});

const refused = (value: unknown): string => {
  try {
    decode(shape, value);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('decode', () => {
  it('fills `always` fields, applies defaults, drops empty values', () => {
    expect(decode(shape, { name: '', limit: 0, inner: {}, items: [], labels: {} })).toEqual({
      policy: 'Always',
      limit: 0,
      inner: { name: '' },
      always: { name: '' },
      names: null,
      at: null,
    });
  });

  it('puts fields in published order and map keys in theirs', () => {
    const made = decode(shape, { labels: { b: '1', a: '2' }, name: 'x' }) as Record<string, unknown>;
    expect(Object.keys(made).slice(0, 2)).toEqual(['name', 'policy']);
    expect(Object.keys(made['labels'] as object)).toEqual(['a', 'b']);
  });

  it('returns a canonical value by reference', () => {
    const canonical = decode(shape, { name: 'x', inner: { name: 'i' }, size: '1024Ki' });
    expect(decode(shape, canonical)).toBe(canonical);
  });

  it('keeps canonical parts of a value that has to be rebuilt', () => {
    const canonical = decode(shape, { items: [{ name: 'a' }] }) as { readonly items: unknown };
    expect((decode(shape, { ...canonical, zz: 1 }) as { readonly items: unknown }).items).toBe(canonical.items);
  });

  it('writes quantities and times in their canonical form', () => {
    expect(decode(shape, { size: 1024, at: '2024-03-01T01:00:00.9+01:00', parts: [{ amounts: { cpu: '0.0001' } }] })).toMatchObject({
      size: '1024',
      at: '2024-03-01T00:00:00Z',
      parts: [{ amounts: { cpu: '1m' } }],
    });
    const rounded = (amount: string) =>
      (
        decode(shape, { size: '1', parts: [{ amounts: { a: amount } }] }) as {
          readonly parts: readonly { readonly amounts: { readonly a: string } }[];
        }
      ).parts[0]?.amounts.a;
    expect(['-1.00001', '100n', '2Ei', '1.5Ei', '9E', '0.5Gi', '7.999Ei', '5k'].map(rounded)).toEqual([
      '-1001m',
      '1m',
      '2Ei',
      '1536Pi',
      '9E',
      '512Mi',
      '9222219115350168961024m',
      '5k',
    ]);
  });

  it('drops unknown fields, `__proto__` included', () => {
    const made = decode(shape, JSON.parse('{"name":"x","zz":1,"__proto__":{"policy":"Evil"},"labels":{"__proto__":"a"}}')) as {
      readonly labels: object;
    };
    expect(made).toMatchObject({ name: 'x', policy: 'Always' });
    expect(Object.hasOwn(made.labels, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(made.labels)).toBe(Object.prototype);
  });

  it.each([
    [{ limit: 'x' }, 'json: cannot unmarshal string into Go struct field Outer.limit of type int32'],
    [{ limit: 1.5 }, 'json: cannot unmarshal number 1.5 into Go struct field Outer.limit of type int32'],
    [{ limit: new RawNumber('15.0') }, 'json: cannot unmarshal number 15.0 into Go struct field Outer.limit of type int32'],
    [{ limit: 2147483648 }, 'json: cannot unmarshal number 2147483648 into Go struct field Outer.limit of type int32'],
    [{ name: 7 }, 'json: cannot unmarshal number into Go struct field Outer.name of type string'],
    [{ policy: {} }, 'json: cannot unmarshal object into Go struct field Outer.policy of type v1.Policy'],
    [{ items: [{ name: true }] }, 'json: cannot unmarshal bool into Go struct field Inner.items.name of type string'],
    [{ items: 'x' }, 'json: cannot unmarshal string into Go struct field Outer.items of type []v1.Inner'],
    [{ labels: { a: 1 } }, 'json: cannot unmarshal number into Go struct field Outer.labels of type string'],
    [{ labels: [] }, 'json: cannot unmarshal array into Go struct field Outer.labels of type map[string]string'],
    [{ at: 5 }, 'json: cannot unmarshal number into Go struct field Outer.at of type string'],
    [{ at: 'yesterday' }, 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"'],
    [{ size: 'x' }, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    [{ data: 'a' }, 'illegal base64 data at input byte 0'],
    ['x', 'json: cannot unmarshal string into Go value of type v1.Outer'],
  ])('reports errors in the words of Go: %j', (value, message) => {
    expect(refused(value)).toBe(message);
  });

  it('reports the first of several mismatches, and decodes the rest', () => {
    expect(refused({ name: 1, limit: 'x' })).toContain('Outer.name');
    expect(refused({ limit: 'x', name: 1 })).toContain('Outer.limit');
  });

  it('caches nothing of a failure', () => {
    refused({ name: 1 });
    expect(decode(shape, { name: 'x' })).toMatchObject({ name: 'x' });
  });

  it('keeps empty maps of the input for error texts', () => {
    const made = decode(shape, { labels: {} }) as { readonly labels?: unknown };
    expect(made.labels).toBeUndefined();
    expect(asGiven(made).labels).toEqual({});
  });

  it('caches only frozen values', () => {
    const shared = obj('Shared', { name: str(), inner }, { memo: true });
    const mine = { name: 'a', inner: { name: 'i' } };
    expect(decode(shared, mine)).toBe(mine);
    mine.name = '';
    expect(decode(shared, mine)).toEqual({ inner: { name: 'i' } });
    mine.name = 'b';
    // A lasting value is recognised by identity the next time, so it is frozen.
    expect(decodeLasting(shared, mine)).toBe(mine);
    expect(() => {
      mine.inner.name = 'j';
    }).toThrow(TypeError);
    expect(decodeLasting(shared, mine)).toBe(mine);
  });

  it('freezes the result and not the input', () => {
    const part = obj('Part', { name: str(), policy: filled(str(), 'Always') }, { memo: true });
    const whole = obj('Whole', { part, parts: list(part) }, { memo: true });
    const mine = { part: { name: 'a' }, parts: [{ name: 'b', policy: 'Never' }] };
    const made = decodeLasting(whole, mine) as { readonly part: object; readonly parts: readonly object[] };
    expect([made, made.part, made.parts, made.parts[0]].every(Object.isFrozen)).toBe(true);
    mine.part.name = 'c';
    expect(decodeLasting(whole, mine)).toEqual({ part: { name: 'c', policy: 'Always' }, parts: [{ name: 'b', policy: 'Never' }] });
    // A frozen value is the same at every read.
    const frozen = Object.freeze({ name: 'd' });
    expect(decodeLasting(part, frozen)).toBe(decodeLasting(part, frozen));
    expect(decodeLasting(whole, { part: made.part })).toEqual({ part: made.part });
  });

  it('caches no subtree of a refused value', () => {
    const part = obj('Part', { name: str() }, { memo: true });
    const mine = { part: { name: 'a' }, limit: 'x' };
    expect(() => decodeLasting(obj('Whole', { part, limit: int32 }), mine)).toThrow(DecodeError);
    expect(Object.isFrozen(mine.part)).toBe(false);
  });

  it('computes dependent defaults once, from the decoded members', () => {
    let asked = 0;
    const dependent = obj(
      'Dependent',
      { first: str(), policy: filled(str(), 'Always'), copy: str(), empty: list(str()) },
      {
        complete({ first, policy, copy, empty }) {
          asked += 1;
          return copy === undefined ? { copy: `${String(first)} ${String(policy)} ${String(empty)}`, first: undefined } : undefined;
        },
      },
    );
    const made = decode(dependent, { zz: 1, empty: [], first: 'x' });
    expect(asked).toBe(1);
    expect(made).toEqual({ first: 'x', policy: 'Always', copy: 'x Always undefined' });
    expect(Object.keys(made as object)).toEqual(['first', 'policy', 'copy']);
    expect(decode(dependent, made)).toBe(made);
  });

  it.each([[5], [40]])('sorts the keys of a map of %d', (count) => {
    const keys = Array.from({ length: count }, (_, at) => `k${(at * 7) % count}x`);
    expect(Object.keys(decode(map(str()), Object.fromEntries(keys.map((key) => [key, '']))) as object)).toEqual(
      [...keys].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it('decodes null bytes in a map as empty bytes', () => {
    expect(decode(map(bytes), { a: null, b: 'QQ==' })).toEqual({ a: '', b: 'QQ==' });
  });

  describe('of free-form values', () => {
    const free = obj('Free', { data: any });
    const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : { a: nested(levels - 1, [inner]) });

    it('reads every member once, however deep a number lies', () => {
      const made = decode(free, { data: nested(200, new RawNumber('1.0')) });
      expect(JSON.stringify(made)).toContain('[1]');
    });

    it('returns a value that needs no change by reference', () => {
      const data = { a: [1, { b: 'c' }], __proto__: null };
      expect((decode(free, { data }) as { readonly data: unknown }).data).toBe(data);
    });

    it.each([
      [new RawNumber('1e400'), 'json: cannot unmarshal number 1e400 into Go struct field Free.data of type float64'],
      [nested(501, 1), 'exceeded max depth'],
    ])('refuses values that cannot be stored', (data, message) => {
      expect(() => decode(free, { data })).toThrow(message);
    });
  });
});
