/** Durations at the edges of their ranges: those of Go in nanoseconds, and those of scenarios in milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  expectedDuration,
  formatDurationMs,
  formatGoDuration,
  parseDurationMs,
  parseGoDuration,
} from '../../../src/schema/values/index.ts';

describe('a duration of Go', () => {
  it.each<[text: string, ns: bigint]>([
    ['0', 0n],
    ['+0', 0n],
    ['-0', 0n],
    ['1.s', 1_000_000_000n],
    ['.5s', 500_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['+1h2m3s4ms5us6ns', 3_723_004_005_006n],
    ['1µs', 1_000n],
    ['1μs', 1_000n],
    ['1h1h', 7_200_000_000_000n],
    ['0.0000000001s', 0n],
    ['000000000000000000000001ns', 1n],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
    ['9223372036854775.807us', 9_223_372_036_854_775_807n],
    ['2562047h47m16.854775807s', 9_223_372_036_854_775_807n],
    ['-2562047h47m16.854775808s', -9_223_372_036_854_775_808n],
    ['153722867m', 9_223_372_020_000_000_000n],
    ['0.9223372036854775807s', 922_337_203n],
    ['0.99999999999999999999999s', 1_000_000_000n],
  ])('%s is %d nanoseconds', (text, ns) => {
    expect(parseGoDuration(text)).toEqual({ value: ns });
  });

  it.each([
    '',
    '+',
    '-',
    '.s',
    '-.s',
    'é',
    '+-1s',
    '9223372036854775808ns',
    '-9223372036854775809ns',
    '99999999999999999999ns',
    '10000000000000000000ns',
    '2562047h47m16.854775808s',
    '2562048h',
    '3000000h',
    '153722868m',
    '9223372036854775807ns1ns',
  ])('%j is invalid', (text) => {
    expect(parseGoDuration(text)).toEqual({ error: `time: invalid duration "${text === 'é' ? String.raw`\xc3\xa9` : text}"` });
  });

  it.each([
    ['1', 'missing unit in duration "1"'],
    ['1h1', 'missing unit in duration "1h1"'],
    ['1x', 'unknown unit "x" in duration "1x"'],
    ['1S', 'unknown unit "S" in duration "1S"'],
    ['1 s', 'unknown unit " s" in duration "1 s"'],
    ['1s ', 'unknown unit "s " in duration "1s "'],
    ['1d', 'unknown unit "d" in duration "1d"'],
  ])('%j has no known unit', (text, error) => {
    expect(parseGoDuration(text)).toEqual({ error: `time: ${error}` });
  });

  it.each<[ns: bigint, text: string]>([
    [0n, '0s'],
    [1n, '1ns'],
    [999n, '999ns'],
    [1_000n, '1µs'],
    [1_001n, '1.001µs'],
    [999_999n, '999.999µs'],
    [1_000_000n, '1ms'],
    [1_500_000n, '1.5ms'],
    [999_999_999n, '999.999999ms'],
    [1_000_000_000n, '1s'],
    [1_100_000_000n, '1.1s'],
    [59_999_999_999n, '59.999999999s'],
    [60_000_000_000n, '1m0s'],
    [61_500_000_000n, '1m1.5s'],
    [3_599_000_000_000n, '59m59s'],
    [3_600_000_000_000n, '1h0m0s'],
    [3_661_000_000_001n, '1h1m1.000000001s'],
    [-1n, '-1ns'],
    [-1_500n, '-1.5µs'],
    [-90_000_000_000n, '-1m30s'],
    [-9_223_372_036_854_775_808n, '-2562047h47m16.854775808s'],
  ])('%d nanoseconds are printed as %s', (ns, text) => {
    expect(formatGoDuration(ns)).toBe(text);
  });
});

describe('a duration of a scenario', () => {
  it.each<[text: string, ms: number]>([
    ['0', 0],
    ['0s', 0],
    ['1m1m', 120_000],
    ['1.5d', 129_600_000],
    ['0.001s', 1],
    ['104249991d', 9_007_199_222_400_000],
    ['9007199254740991ms', Number.MAX_SAFE_INTEGER],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDurationMs(text)).toEqual({ value: ms });
  });

  it.each(['', '1', 's', '1.5', '1 s', '-1s', '1e3s', '1s1', 'x1s', '.5s', '1.s', '104249991d999999999h'])('%j is none', (text) => {
    expect(parseDurationMs(text)).toEqual({
      error: `${JSON.stringify(text)} is not a duration: expected numbers with units ms, s, m, h or d, such as 500ms, 1h30m or 400d`,
    });
  });

  it.each([
    ['1.0005s', 'a duration of whole milliseconds'],
    ['0.5ms', 'a duration of whole milliseconds'],
    ['104249992d', 'a shorter duration: this is too large, 104249991d is the most'],
    ['9007199254740992ms', 'a shorter duration: this is too large, 104249991d is the most'],
  ])('%s is not counted in milliseconds: %s is expected', (text, expected) => {
    expect(parseDurationMs(text).error).toBe(`"${text}" is not a whole number of milliseconds; time here is counted in those`);
    expect(expectedDuration(text, 'a duration')).toBe(expected);
  });

  it('that has the form of none is expected to be one', () => {
    for (const text of ['', 'soon', '1x', 'x1s', '1s ', '-1s']) expect(expectedDuration(text, 'a duration')).toBe('a duration');
  });

  it.each<[ms: number, text: string]>([
    [0, '0s'],
    [1, '1ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_500, '1500ms'],
    [61_000, '1m1s'],
    [3_600_000, '1h'],
    [3_661_000, '1h1m1s'],
    [86_400_000, '1d'],
    [86_461_000, '24h1m1s'],
    [90_000_000, '25h'],
    [172_800_000, '2d'],
    [-1, '-1ms'],
    [-1_000, '-1s'],
  ])('%d milliseconds are printed as %s', (ms, text) => {
    expect(formatDurationMs(ms)).toBe(text);
  });
});
