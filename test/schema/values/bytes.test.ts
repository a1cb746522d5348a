/** Texts as Go has them: in bytes, in base64, in quotes; and numbers of 64 bits. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

describe('UTF-8', () => {
  /** The first and the last code point of each length, and those beside the surrogates. */
  const POINTS = [0, 0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x1_0000, 0x1f600, 0x10_ffff];
  it.each(POINTS)('of code point %d', (point) => {
    const text = String.fromCodePoint(point);
    expect(values.utf8(point)).toEqual([...Buffer.from(text)]);
    expect([values.byteLength(text), values.byteLength(`a${text}${text}b`)]).toEqual([
      Buffer.byteLength(text),
      2 * Buffer.byteLength(text) + 2,
    ]);
  });

  it.each([
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\ud800a',
    '\ud800\ud800',
    '\udc00\ud800',
    'a\ud83d',
    '\ud83d\ude00',
    '\udbff\udfff',
    '\ud800\udc00',
    '\ud800\ue000',
  ])('of %j has a replacement for half a character', (text) => {
    expect(values.byteLength(text)).toBe(Buffer.byteLength(text));
  });

  it('has the replacement in place of a surrogate', () => {
    for (const point of [0xd800, 0xdbff, 0xdc00, 0xdfff]) expect(values.utf8(point)).toEqual([0xef, 0xbf, 0xbd]);
  });

  it('orders texts by bytes', () => {
    const ordered = ['', 'A', 'a', 'aa', 'b', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10000}a', '\u{1f600}'];
    expect(ordered.toReversed().toSorted(values.compareText)).toEqual(ordered);
    expect([
      values.compareText('a', 'a'),
      values.compareText('a', 'b'),
      values.compareText('b', 'a'),
      values.compareText('a', 'ab'),
    ]).toEqual([0, -1, 1, -1]);
  });
});

describe('base64', () => {
  it.each(['', 'a', 'ab', 'abc', 'abcd', 'ÿ\u0000é', '\u{1f600}?>'])('of %j', (text) => {
    const base64 = Buffer.from(text).toString('base64');
    expect([values.base64OfText(text), values.textOfBase64(base64)]).toEqual([base64, text]);
    expect([...values.bytesOfBase64(base64)]).toEqual([...Buffer.from(text)]);
    expect(values.byteLengthOfBase64(base64)).toBe(Buffer.byteLength(text));
  });

  it('has whole groups of its digits, with one or two equal signs at the end', () => {
    const given = ['YQ==', 'YWI=', 'YWJj', '+/+/', '', 'YQ=', 'YQ', 'YWJjZ', 'Y===', '=YWJ', 'YW=J', 'YQ==YQ==', 'YW-_', ' YQ='];
    expect(given.filter(values.isBase64)).toEqual(['YQ==', 'YWI=', 'YWJj', '+/+/']);
  });
});

describe('quotes', () => {
  it.each([
    ['plain ~ !#[]', '"plain ~ !#[]"'],
    ['"\\', '"\\"\\\\"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['é\u{1f600}', '"é\u{1f600}"'],
    ['\u00a0\u200b\u2028\ue000\uffff', '"\\u00a0\\u200b\\u2028\\ue000\\uffff"'],
    ['\u{10000}\u{e0001}\u{10ffff}', '"\u{10000}\\U000e0001\\U0010ffff"'],
    ['\ud800x\udfff', '"\ufffdx\ufffd"'],
  ])('of %j', (text, quoted) => {
    expect(values.quote(text)).toBe(quoted);
  });

  it.each([
    ['plain ~', '"plain ~"'],
    ['"\\ \u007f', '"\\"\\\\ \u007f"'],
    ['\u0000\u001f\n', '"\\x00\\x1f\\x0a"'],
    ['\u0080é\u{1f600}', '"\\xc2\\x80\\xc3\\xa9\\xf0\\x9f\\x98\\x80"'],
  ])('of %j in errors about time', (text, quoted) => {
    expect(values.quoteTime(text)).toBe(quoted);
  });

  it('of lists are those of a slice', () => {
    expect([values.goStrings(undefined), values.goStrings([]), values.goStrings(['a', '"'])]).toEqual([
      '[]string(nil)',
      '[]string(nil)',
      '[]string{"a", "\\""}',
    ]);
  });

  it('are not around scalars in errors', () => {
    const given = ['a "b"', 1.5, 10n, true, null, undefined, new values.RawNumber('1.0'), { a: [1] }];
    expect(given.map(values.goScalar)).toEqual(['a "b"', '1.5', '10', 'true', 'null', '<nil>', '1.0', '{"a":[1]}']);
  });
});

describe('integers of 64 bits', () => {
  it.each<[text: string, value: bigint | undefined]>([
    ['0', 0n],
    ['-0', 0n],
    ['+7', 7n],
    ['-0007', -7n],
    [`${'0'.repeat(30)}1`, 1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', undefined],
    ['-9223372036854775808', -(2n ** 63n)],
    ['-9223372036854775809', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
    ['-', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    [' 1', undefined],
    ['1 ', undefined],
  ])('%j', (text, value) => {
    expect(values.parseInt64(text)).toBe(value);
  });

  it('have the errors of Atoi', () => {
    expect(['12', '-3', '9223372036854775808', 'x', ''].map(values.atoi)).toEqual([
      { value: 12 },
      { value: -3 },
      { error: 'strconv.Atoi: parsing "9223372036854775808": value out of range' },
      { error: 'strconv.Atoi: parsing "x": invalid syntax' },
      { error: 'strconv.Atoi: parsing "": invalid syntax' },
    ]);
  });

  it('keep their text where a number of JavaScript is not exact', () => {
    const texts = [
      '9007199254740992',
      '9007199254740993',
      '-9007199254740993',
      '9223372036854775807',
      '9223372036854775808',
      '1.5',
      '100000000000000.5',
      '1e16',
      '123',
    ];
    expect(texts.filter((text) => values.isLong(new values.RawNumber(text)))).toEqual([
      '9007199254740993',
      '-9007199254740993',
      '9223372036854775807',
    ]);
    expect([values.isLong('9007199254740993'), values.isLong(9007199254740992)]).toEqual([false, false]);
    const long = new values.RawNumber('9007199254740993');
    expect([String(long), JSON.stringify([long]), Number(long)]).toEqual(['9007199254740993', '[9007199254740992]', 9007199254740992]);
  });
});

describe('shares of a total', () => {
  it('are rounded up or down', () => {
    const shares = (value: number | string) => [values.scaledIntOrPercent(value, 10, true), values.scaledIntOrPercent(value, 10, false)];
    expect([shares(3), shares('25%'), shares('0%'), shares('-25%')]).toEqual([
      [{ value: 3 }, { value: 3 }],
      [{ value: 3 }, { value: 2 }],
      [{ value: 0 }, { value: 0 }],
      [{ value: -2 }, { value: -3 }],
    ]);
    expect(['25', 'x%', '%'].map((text) => values.scaledIntOrPercent(text, 10, true).error)).toEqual([
      'invalid value for IntOrString: invalid type: string is not a percentage',
      'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
      'invalid value for IntOrString: invalid value "%": strconv.Atoi: parsing "": invalid syntax',
    ]);
  });

  it('of a StatefulSet are percentages wherever their sign is', () => {
    expect([4, '25', '%25', '2%5%', 'x'].map((value) => values.legacyIntOrPercent(value, 10, true))).toEqual([
      { value: 4 },
      { value: 3 },
      { value: 3 },
      { value: 3 },
      { error: 'invalid value for IntOrString: invalid value "x": strconv.Atoi: parsing "x": invalid syntax' },
    ]);
  });
});

describe('a parser that remembers', () => {
  const counted = (limit: number) => {
    const calls: string[] = [];
    return { calls, parse: values.memoised((text) => ({ text, call: calls.push(text) }), limit) };
  };

  it('reads each text once, and all again when it is full', () => {
    const { calls, parse } = counted(2);
    const first = parse('a');
    expect([parse('a') === first, parse('b').text, parse('a') === first, calls.join()]).toEqual([true, 'b', true, 'a,b']);
    expect([parse('c').text, parse('a') === first, calls.join()]).toEqual(['c', false, 'a,b,c,a']);
  });

  it('does not keep long texts', () => {
    const { calls, parse } = counted(9);
    for (const length of [256, 256, 257, 257]) parse('x'.repeat(length));
    expect(calls.map((text) => text.length)).toEqual([256, 257, 257]);
  });
});

it('a noun has its number, and a text that is no JSON has no value', () => {
  expect([0, 1, 2].map((count) => values.plural(count, 'node'))).toEqual(['0 nodes', '1 node', '2 nodes']);
  expect([values.jsonIn('{"a":1}'), values.jsonIn('{')]).toEqual([{ a: 1 }, undefined]);
});

describe('the distance of two names', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'ABC', 1.5],
    ['abc', 'acb', 1],
    ['abcd', 'badc', 2],
    ['ab', 'xba', 2],
    ['abc', 'cab', 2],
    ['kitten', 'sitting', 3],
    ['a', '', 1],
    ['', 'ab', 2],
  ])('%j and %j: %d', (a, b, distance) => {
    expect([values.editDistance(a, b), values.editDistance(b, a)]).toEqual([distance, distance]);
  });

  it('is counted to a limit', () => {
    expect([
      values.editDistance('abc', 'abcde', 2),
      values.editDistance('abc', 'abcdef', 2),
      values.editDistance('abc', 'xyz', 2),
      values.editDistance('abc', 'xyc', 2),
    ]).toEqual([2, 3, 3, 2]);
  });

  it('is at most a third of the name, or one names the start of the other', () => {
    const near = (word: string, ...candidates: readonly string[]) => values.nearest(word, candidates);
    expect([near('abcdef', 'abcdxy'), near('abcdef', 'abcxyz'), near('ab', 'ax'), near('ab', 'xy')]).toEqual([
      'abcdxy',
      undefined,
      'ax',
      undefined,
    ]);
    expect([near('back', 'backoffLimit'), near('ba', 'backoffLimit'), near('backoffLimit', 'back'), near('BACK', 'backoffLimit')]).toEqual([
      'backoffLimit',
      undefined,
      'back',
      'backoffLimit',
    ]);
    expect([near('rep', 'replicasX', 'replicas'), near('rep', 'replicas', 'replicasX')]).toEqual(['replicas', 'replicas']);
  });
});
