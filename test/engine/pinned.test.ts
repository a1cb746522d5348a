/** Digests, fingerprints and draws are compared between hosts, runs and versions: those of these values do not change. */
import { describe, expect, it } from 'vitest';
import {
  chained,
  createDigest,
  createFingerprinter,
  createRandom,
  fingerprintText,
  hashValue,
  minus,
  plus,
} from '../../src/engine/index.ts';

const numbers = (length: number): unknown => Array.from({ length }, (_, at) => at);
/** A list as a store has it: frozen, with frozen items. */
const objects = (length: number): readonly object[] =>
  Object.freeze(Array.from({ length }, (_, at) => Object.freeze({ name: `a-${at}`, at })));

describe('values', () => {
  it.each<[value: unknown, hash: string, fingerprint: string]>([
    [undefined, '68e31da4', 'd846b6e8d355bdb4'],
    [null, '1b873593', '2bb7be3217a01687'],
    [true, '2545f491', '72d1867c0688613b'],
    [false, '4f6cdd1d', 'b26aae8a717842a1'],
    [0, '01fce552', 'ff1256ad6a675703'],
    [1, 'fd0c8742', 'a040b72d7bfc4218'],
    [-1, 'ba427b2c', '6754b72d8b33b1f8'],
    [2147483647, 'a1f8dbed', '1249336de87f7d74'],
    [2147483648, 'cd24e2dd', '381dc5adb30f95d7'],
    [0.5, '71bc0596', 'dd3995ad7a58e03d'],
    [-1.5e300, '65da7898', 'f3c070d8540ee91b'],
    ['', '74141c20', 'e420a3a7ce72cbfa'],
    ['a', 'dc6dc9f1', '5824bbddae58b87d'],
    ['ab', 'f6fb5183', '9140a2161f324b24'],
    ['é\u{1f600}', 'da68ef00', '445092622482cfef'],
    [[], '04f8d29e', '51cf26c10bf95a5c'],
    [[1], '57157d9c', '87742acb3f8e4506'],
    [[1, 2], 'bd70d4de', '718dc9a94a5ed560'],
    [[[1], 2], '552155ed', 'd374f94d934b5721'],
    [{}, '7b2bf477', '7de2fd59c2297912'],
    [{ a: 1 }, '8c55ad34', 'c2aeb72324f3385b'],
    [{ a: 1, b: undefined, c: [{}] }, '166b5a70', 'd630818cb8b43f5d'],
    [numbers(15), '7372209e', '6e567c10f1514953'],
    [numbers(16), '5a4aed91', '91524f9f6471d6e9'],
    [objects(15), '97fd34fe', 'bc5db2a151c6af0a'],
    [objects(16), '711e4040', '1c6a66cd67a44177'],
  ])('%j', (value, hash, fingerprint) => {
    expect((hashValue(value) >>> 0).toString(16).padStart(8, '0')).toBe(hash);
    expect(fingerprintText(createFingerprinter().of(value))).toBe(fingerprint);
  });
});

describe('tables, and numbers that JSON cannot hold', () => {
  it.each<[value: unknown, ordered: string, unordered: string]>([
    [new Map(), '258eba1f7841fac6', '34588291ab5cb19d'],
    [new Map([['a', 1]]), 'a9efa1c69b8ceb86', '9f2e93e3815a8f1e'],
    [
      new Map<string, unknown>([
        ['a', 1],
        ['b', [2]],
      ]),
      '0596c4ef29ef9dfe',
      '429b927d5c04493d',
    ],
    [new Set(), '27f8a1e022d6cd55', '778ad0cbd3f29818'],
    [new Set(['a', 'b']), '4a987ed7cfcf2087', '052eb3f50a1019fb'],
    [-0, 'c7e656ad73eabce3', 'c7e656ad73eabce3'],
    [Number.NaN, 'e572266d0fb8b144', 'e572266d0fb8b144'],
  ])('%o', (value, ordered, unordered) => {
    expect(fingerprintText(createFingerprinter().of(value))).toBe(ordered);
    expect(fingerprintText(createFingerprinter(undefined, false).of(value))).toBe(unordered);
  });

  it('have a fingerprint without an order, too', () => {
    const of = (...entries: readonly (readonly [string, number])[]) => createFingerprinter(undefined, false).of(new Map(entries));
    expect(of(['a', 1], ['b', 2])).toEqual(of(['b', 2], ['a', 1]));
    expect(of(['a', 1], ['b', 2])).not.toEqual(of(['a', 2], ['b', 1]));
    const { of: ofSet } = createFingerprinter(undefined, false);
    expect(ofSet(new Set(['a', 'b']))).toEqual(ofSet(new Set(['b', 'a'])));
    expect(ofSet(new Set(['a']))).not.toEqual(ofSet(new Set(['b'])));
    expect(() => ofSet(new Map([['key', Symbol('a')]]))).toThrow('key is a symbol, which is not plain data');
    expect(() => ofSet([new WeakSet()])).toThrow('0 is a weak collection, which is not plain data');
  });
});

it('fingerprints of several values', () => {
  const { of } = createFingerprinter();
  const [a, b] = [of('a'), of('b')];
  expect([chained(), chained(a), chained(a, b), plus(a, b), minus(a, b)].map(fingerprintText)).toEqual([
    '36ceb90c0322a1ac',
    '33f8f29dba0efc6d',
    'acbe27e8175490d0',
    'd4dcb3b345f9d5f6',
    'db6cc40716b79b04',
  ]);
});

it('a digest of words, texts, values and revisions', () => {
  const digest = createDigest();
  const before = {
    kind: 'Pod',
    metadata: { name: 'p', n: 1, labels: { a: 'b' } },
    spec: { image: 'a' },
    status: { phase: 'Pending' },
    gone: 1,
  };
  const { gone: _, ...without } = before;
  const { metadata } = before;
  const long = objects(20);
  const steps: readonly (readonly [step: () => void, text: string])[] = [
    [() => {}, '74141c2022fb0745'],
    [() => digest.mixNumber(1), '702ecb9147c42c9f'],
    [() => digest.mixNumber(1.5), '5b57c71ae426c48a'],
    [() => digest.mixText('a'), 'c4ddc4e9a3b49d2a'],
    [() => digest.mixValue([1]), '4e141c7b8c6a390e'],
    [() => digest.mixRevision(undefined, before), '1698b62acffb8ff4'],
    [() => digest.mixRevision(before, before), 'ef53657c079fe789'],
    [() => digest.mixRevision(before, { ...before, metadata: { ...metadata, n: 2 }, gone: undefined }), '0e258489515ab72f'],
    [() => digest.mixRevision(before, { ...without, status: { phase: 'Running' }, more: [1] }), '142034712245637a'],
    [() => digest.mixRevision(before, { ...before, metadata: { ...metadata, labels: { a: 'c' } } }), 'e881c78344f989ec'],
    [() => digest.mixRevision({ a: { b: 1 } }, { a: [1] }), 'f0b20e9cf2fda46c'],
    [() => digest.mixRevision({ a: [1] }, { a: { b: 1 } }), '92537cc29f9716c7'],
    [() => digest.mixRevision(undefined, { list: long }), '3fc1c88eae4b5333'],
    [() => digest.mixRevision(undefined, { list: Object.freeze(long.toSpliced(3, 1)) }), 'be4e8c8c923bf2f2'],
  ];
  for (const [step, text] of steps) {
    step();
    expect(digest.text()).toBe(text);
  }
});

describe('a stream of random numbers', () => {
  it('draws these', () => {
    const stream = createRandom('x').stream('y');
    expect(stream.drawn()).toBe(false);
    expect([stream.fraction(), stream.below(10), stream.between(5, 7), stream.between(3, 3)]).toEqual([0.881696506170556, 3, 6, 3]);
    expect([stream.pick(['a', 'b', 'c']), stream.pick([])]).toEqual(['a', undefined]);
    expect([0, 1, 8, 9, 17].map((digits) => stream.hex(digits))).toEqual(['', 'c', 'ea0fb62b', '7a6afb6fb', '391f7b5a241c84df6']);
    expect([stream.text(0, 'ab'), stream.text(6, 'abc'), stream.drawn()]).toEqual(['', 'acbaac', true]);
    expect(stream.state()).toEqual({ c: 1017319, s0: 0.2386615858413279, s1: 0.16638279892504215, s2: 0.9097374293487519 });
  });

  it('has a state that counts where it has been drawn from', () => {
    const random = createRandom(1);
    expect([random.stream('b').below(2), random.stream('idle').drawn(), random.stream('a').below(2)]).toEqual([1, false, 0]);
    expect(random.states()).toEqual({
      b: { c: 1764082, s0: 0.144685112638399, s1: 0.9818229444790632, s2: 0.9744344078935683 },
      a: { c: 1519353, s0: 0.3494491146411747, s1: 0.14528892748057842, s2: 0.43536364077590406 },
    });
    expect(random.stream('idle').state()).toEqual(createRandom(1).stream('idle').state());
    expect(random.stream('a')).toBe(random.stream('a'));
  });
});
