import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aggregateText,
  asPrefix,
  byteLength,
  compareText,
  didYouMean,
  editDistance,
  formatDurationMs,
  ipBlockContains,
  isDns1123Subdomain,
  memoised,
  nearest,
  parseDurationMs,
  parseIp,
  problemBody,
  quote,
  formatIp,
} from '../../../src/schema/values/index.ts';

describe('the nearest right name', () => {
  it.each([
    ['complitions', ['completions', 'parallelism'], 'completions'],
    ['spce', ['spec', 'status'], 'spec'],
    ['pod', ['Node', 'Pod'], 'Pod'],
    ['backoff', ['backoffLimit', 'suspend'], 'backoffLimit'],
    ['zzz', ['spec', 'status'], undefined],
    ['ab', ['ad', 'ac'], 'ac'],
    ['spec', ['spce', 'spec'], 'spec'],
  ])('of %s among %j is %s', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
    expect(nearest(word, candidates.toReversed())).toBe(expected);
  });

  it('counts a swap of neighbours once', () => {
    expect([editDistance('ab', 'ba'), editDistance('a', 'A'), editDistance('', 'abc'), editDistance('abcdef', 'x', 2)]).toEqual([
      1, 0.5, 3, 3,
    ]);
  });

  it('is appended to a sentence, or is empty', () => {
    expect([didYouMean('kindd', ['kind']), didYouMean('x', ['metadata'])]).toEqual(['; did you mean "kind"?', '']);
  });
});

describe('scenario durations', () => {
  it.each([
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['400d', 34_560_000_000],
    ['1.5s', 1500],
    ['0', 0],
    ['0s', 0],
    ['0.001s', 1],
    ['1d12h', 129_600_000],
  ])('%s', (text, ms) => {
    expect(parseDurationMs(text)).toEqual({ value: ms });
  });

  it.each(['', '5', '-1s', '1s ', '1y', '1h 30m', 's', '1.s', '0.0001s', '99999999999d', 'P1D'])('%j is refused', (text) => {
    expect(parseDurationMs(text).error).toContain(JSON.stringify(text));
  });

  it('round-trip through their text', () => {
    fc.assert(fc.property(fc.nat(), (ms) => parseDurationMs(formatDurationMs(ms)).value === ms));
    expect([90_000, 86_400_000, 1500, 3_661_000].map(formatDurationMs)).toEqual(['1m30s', '1d', '1500ms', '1h1m1s']);
  });
});

describe('Go texts', () => {
  it('quote as %q does', () => {
    expect(['a"b\\', '\n\t\x01\x7f', 'é😀', '\u200b', '\ud800'].map(quote)).toEqual([
      '"a\\"b\\\\"',
      '"\\n\\t\\x01\\x7f"',
      '"é😀"',
      '"\\u200b"',
      '"\ufffd"',
    ]);
  });

  it('print problems as field errors', () => {
    expect(problemBody({ type: 'Invalid', field: 'f', value: 5, detail: 'too much' })).toBe('Invalid value: 5: too much');
    expect(problemBody({ type: 'Duplicate', field: 'f', value: 'a', detail: '' })).toBe('Duplicate value: "a"');
    expect(problemBody({ type: 'TooLong', field: 'f', value: 'aaaa', detail: 'must have at most 3 bytes' })).toBe(
      'Too long: must have at most 3 bytes',
    );
    expect([aggregateText(['a']), aggregateText(['a', 'b', 'a'])]).toEqual(['a', '[a, b]']);
  });
});

describe('texts as bytes', () => {
  const wide = fc.string({ unit: fc.constantFrom('a', 'z', 'é', '€', '\uffee', '😀', '𝒳') });
  it('have the length of their UTF-8 form', () => {
    const encoder = new TextEncoder();
    fc.assert(fc.property(wide, (text) => byteLength(text) === encoder.encode(text).length));
    expect(byteLength('\ud800')).toBe(3);
  });

  it('sort in the order of the store', () => {
    const order = (a: string, b: string): number => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    fc.assert(fc.property(wide, wide, (a, b) => compareText(a, b) === order(a, b)));
    expect(compareText('\uffee', '😀')).toBe(-1);
  });
});

describe('addresses', () => {
  it('round-trip through their text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const ip = parseIp(text);
        return ip !== undefined && parseIp(formatIp(ip))?.join() === ip.join();
      }),
    );
  });

  it('pass a block outside its exceptions', () => {
    const block = { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] };
    expect(['10.2.3.4', '10.1.2.3', '11.0.0.1', '::ffff:10.2.3.4', 'fd00::1', 'nonsense'].map((ip) => ipBlockContains(block, ip))).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(ipBlockContains({ cidr: '::/0' }, '2001:db8::1')).toBe(true);
  });
});

describe('names', () => {
  it('may end in a hyphen where more will follow', () => {
    const isPrefix = asPrefix(isDns1123Subdomain);
    expect([isPrefix('web-').length, isPrefix('web.').length, isPrefix('-').length]).toEqual([0, 1, 1]);
  });
});

describe('memory of readers', () => {
  it('is bounded and does not change answers', () => {
    let calls = 0;
    const twice = memoised((text) => {
      calls++;
      return text + text;
    }, 2);
    expect(['a', 'a', 'b', 'c', 'a', 'x'.repeat(300), 'x'.repeat(300)].map((text) => twice(text).length)).toEqual([
      2, 2, 2, 2, 2, 600, 600,
    ]);
    expect(calls).toBe(6);
  });
});
