/** Errors of fields, and which values are the same. */
import { describe, expect, it } from 'vitest';
import {
  driverNameErrors,
  duplicate,
  type FieldError,
  inclusiveRange,
  internal,
  notFound,
  notSupported,
  ofEach,
  ofNewItems,
  repeatedErrors,
  sameValue,
  soleMemberErrors,
  tooLong,
  tooMany,
  validateOnce,
} from '../../../../src/apiserver/machinery/index.ts';
import { lines, SUBDOMAIN } from './causes.ts';

describe('errors', () => {
  it("have upstream's words", () => {
    expect(
      lines([
        notSupported('f', 'x', ['a', 'b']),
        notSupported('f', 'x', []),
        duplicate('f', 'x'),
        notFound('f', 'x'),
        internal('f', 'broke'),
        tooLong('f', 'x', 3),
        tooMany('f', 5, 3),
      ]),
    ).toEqual([
      'f NotSupported "x" supported values: "a", "b"',
      'f NotSupported "x" ',
      'f Duplicate "x" ',
      'f NotFound "x" ',
      'f Internal - broke',
      'f TooLong "x" must have at most 3 bytes',
      'f TooMany 5 must have at most 3 items',
    ]);
    expect(inclusiveRange(2)).toBe('must be between 0 and 2, inclusive');
  });

  it('are at the index of an item, of all items or of new ones', () => {
    const judge = (item: string, path: string): readonly FieldError[] => (item === 'bad' ? [duplicate(path, item)] : []);
    expect(lines(ofEach(['bad', 'good', 'bad'], 'f', judge))).toEqual(['f[0] Duplicate "bad" ', 'f[2] Duplicate "bad" ']);
    expect([ofEach(undefined, 'f', judge), ofEach(null, 'f', judge)]).toEqual([[], []]);
    const kept = ['bad', 'x'];
    expect([
      lines(ofNewItems([...kept, 'bad'], kept, 'f', judge)),
      lines(ofNewItems(kept, kept, 'f', judge)),
      lines(ofNewItems(kept, undefined, 'f', judge)),
      ofNewItems(null, kept, 'f', judge),
    ]).toEqual([['f[2] Duplicate "bad" '], [], ['f[0] Duplicate "bad" '], []]);
    expect([
      lines(repeatedErrors(['a', 'b', 'a', 'a'], 'f')),
      repeatedErrors(['a'], 'f'),
      repeatedErrors(null, 'f'),
      repeatedErrors(undefined, 'f'),
      lines(
        repeatedErrors(
          [{ k: 1 }, { k: 1 }],
          'f',
          ({ k }) => String(k),
          (field) => notFound(field, 'k'),
        ),
      ),
    ]).toEqual([['f[2] Duplicate "a" ', 'f[3] Duplicate "a" '], [], [], [], ['f[1] NotFound "k" ']]);
  });

  it('of a struct with one member are about the first, and further ones', () => {
    const shape = {
      names: ['a', 'b', 'c'] as const,
      most: 'one at most',
      none: 'one is needed',
      spelt: { b: 'bee' },
      besides: 'c' as const,
    };
    const of = (value: object) =>
      lines(soleMemberErrors<'a' | 'b' | 'c'>(value, 'f', shape, (name, path, isSole) => [internal(path, `${name} ${isSole}`)]));
    expect([of({}), of({ a: 1 }), of({ c: 1, b: 1 }), of({ a: 1, b: 1, c: 1 })]).toEqual([
      ['f Required - one is needed'],
      ['f.a Internal - a true'],
      ['f.b Internal - b true', 'f.c Internal - c true'],
      ['f.a Internal - a true', 'f.bee Forbidden - one at most', 'f.b Internal - b false', 'f.c Internal - c true'],
    ]);
  });

  it('of the names of drivers', () => {
    expect(
      ['a.B', '', 'a_b', 'a'.repeat(63), 'a'.repeat(64)].map((name) =>
        lines(driverNameErrors(name, 'f')).map((each) => each.replace(/a{60,}/, 'aa…')),
      ),
    ).toEqual([
      [],
      ['f Required - ', `f Invalid "" ${SUBDOMAIN}`],
      [`f Invalid "a_b" ${SUBDOMAIN}`],
      [],
      ['f TooLong "aa…" must have at most 63 bytes'],
    ]);
  });
});

describe('values are the same', () => {
  it('by their members, whatever their order, and whether absent or undefined', () => {
    const same: readonly (readonly [unknown, unknown])[] = [
      [1, 1],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [{ a: undefined }, {}],
      [{}, { a: undefined }],
      [[], []],
      [null, null],
      [[{ a: 1 }], [{ a: 1 }]],
    ];
    const other: readonly (readonly [unknown, unknown])[] = [
      [1, '1'],
      [{}, []],
      [[], {}],
      [null, {}],
      [{}, null],
      [{ a: 1 }, {}],
      [{}, { a: 1 }],
      [{ a: 1 }, { b: 1 }],
      [[1], [1, 2]],
      [
        [1, 2],
        [2, 1],
      ],
      [
        { a: 1, b: undefined },
        { a: 1, b: 2 },
      ],
      [undefined, {}],
      [1, {}],
    ];
    expect(same.map(([a, b]) => sameValue(a, b))).toEqual(same.map(() => true));
    expect(other.map(([a, b]) => sameValue(a, b))).toEqual(other.map(() => false));
  });

  it('are judged once where they are frozen and valid', () => {
    const calls: string[] = [];
    const context = (domain: string) => ({ names: { domain } }) as never;
    const judged = (part: object, name: string, found: readonly FieldError[] = [], domain = 'k8s.io', also?: string) => {
      const errors = validateOnce(part, context(domain), () => (calls.push(name), [...found]), also);
      return errors.length;
    };
    const [frozen, thawed, bad] = [Object.freeze({}), {}, Object.freeze({})];
    const results = [
      judged(frozen, 'a'),
      judged(frozen, 'b'),
      judged(frozen, 'c', [], 'orch.io'),
      judged(frozen, 'd', [], 'k8s.io', 'gate'),
      judged(frozen, 'e', [], 'k8s.io', 'gate'),
      judged(thawed, 'f'),
      judged(thawed, 'g'),
      judged(bad, 'h', [duplicate('f', 1)]),
      judged(bad, 'i', [duplicate('f', 1)]),
    ];
    expect([calls, results]).toEqual([
      ['a', 'c', 'd', 'f', 'g', 'h', 'i'],
      [0, 0, 0, 0, 0, 0, 0, 1, 1],
    ]);
  });
});
