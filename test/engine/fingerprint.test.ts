/** Fingerprints of plain data: alike for the same data, otherwise for other data, and refused where something is no data. */
import { describe, expect, it } from 'vitest';
import { chained, createFingerprinter, fingerprintText, minus, NotData, NOTHING, plus } from '../../src/engine/index.ts';

const { of } = createFingerprinter();
const text = (value: unknown): string => fingerprintText(of(value));

const DIFFERENT: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.5,
  Infinity,
  '',
  '0',
  'a',
  'ab',
  [],
  [undefined],
  [[]],
  ['a', 'b'],
  ['b', 'a'],
  ['ab'],
  {},
  { a: 'b' },
  { b: 'a' },
  { a: { b: 1 } },
  { a: 1, b: 1 },
  new Map(),
  new Map([['a', 'b']]),
  new Map([['b', 'a']]),
  new Set(),
  new Set(['a', 'b']),
  new Set(['b', 'a']),
];

describe('fingerprints', () => {
  it('tell values apart, and take the same for the same', () => {
    expect(new Set(DIFFERENT.map(text)).size).toBe(DIFFERENT.length);
    expect(DIFFERENT.map((value) => text(structuredClone(value)))).toEqual(DIFFERENT.map(text));
    // What is not there is as good as undefined.
    expect(text({ a: 1, b: undefined })).toBe(text({ a: 1 }));
    const many = Array.from({ length: 20_000 }, (_, at) => text({ metadata: { name: `pod-${at}` }, status: { count: at % 7 } }));
    expect(new Set(many).size).toBe(many.length);
  });

  it('refuse what is no data, and say where it stands', () => {
    expect(() => of({ entries: [{ fit: () => true }] })).toThrow('entries.0.fit is a function, which is no data');
    expect(() => of(new Map([['a', new WeakMap()]]))).toThrow(NotData);
    expect(() => of(Symbol('a'))).toThrow('it is a symbol');
  });

  it('take the word of somebody who knows', () => {
    const known = { a: 1, b: 2 };
    const asked = createFingerprinter((record) => ('known' in record ? known : undefined));
    expect(asked.of({ known: 1 })).toBe(known);
    expect(asked.of([{ known: 1 }])).toEqual(asked.of([{ known: 2 }]));
  });

  it('add up in any order, and chain in theirs', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((each) => of(each));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three');
    expect(plus(plus(a, b), c)).toEqual(plus(c, plus(b, a)));
    expect(minus(plus(a, b), b)).toEqual(a);
    expect(minus(a, a)).toEqual(NOTHING);
    expect(chained(a, b)).not.toEqual(chained(b, a));
  });
});
