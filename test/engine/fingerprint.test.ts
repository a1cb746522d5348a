/** Fingerprints of plain data: equal for equal data, different for different data, and refused for values that are not data. */
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
  it('differ for different values, and are equal for equal ones', () => {
    expect(new Set(DIFFERENT.map(text)).size).toBe(DIFFERENT.length);
    expect(DIFFERENT.map((value) => text(structuredClone(value)))).toEqual(DIFFERENT.map(text));
    // A missing member counts as undefined.
    expect(text({ a: 1, b: undefined })).toBe(text({ a: 1 }));
    const many = Array.from({ length: 20_000 }, (_, at) => text({ metadata: { name: `pod-${at}` }, status: { count: at % 7 } }));
    expect(new Set(many).size).toBe(many.length);
  });

  it('refuse values that are not data, and name their path', () => {
    expect(() => of({ entries: [{ fit: () => true }] })).toThrow('entries.0.fit is a function, which is not plain data');
    expect(() => of(new Map([['a', new WeakMap()]]))).toThrow(NotData);
    expect(() => of(Symbol('a'))).toThrow('the value is a symbol');
  });

  it('use a fingerprint that is known already', () => {
    const known = { a: 1, b: 2 };
    const printer = createFingerprinter((record) => ('known' in record ? known : undefined));
    expect(printer.of({ known: 1 })).toBe(known);
    expect(printer.of([{ known: 1 }])).toEqual(printer.of([{ known: 2 }]));
  });

  it('are independent of order as a sum, and depend on it as a chain', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((each) => of(each));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three');
    expect(plus(plus(a, b), c)).toEqual(plus(c, plus(b, a)));
    expect(minus(plus(a, b), b)).toEqual(a);
    expect(minus(a, a)).toEqual(NOTHING);
    expect(chained(a, b)).not.toEqual(chained(b, a));
  });
});
