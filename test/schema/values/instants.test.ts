/** Texts of instants at the edges of each element, with the errors of Go's time.Parse. */
import { describe, expect, it } from 'vitest';
import { decodeMicroTime, decodeTime } from '../../../src/schema/values/index.ts';

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const mismatch = (text: string, rest: string, element: string, layout = LAYOUT) => ({
  error: `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${element}"`,
});
const outOfRange = (text: string, element: string) => ({ error: `parsing time "${text}": ${element} out of range` });

describe('a wrong character', () => {
  const TEXT = '2024-03-01T10:20:30.123456Z';
  /** The place of the text that is not read, and the element that does not match, for each place of a wrong character. */
  const STOPS: readonly (readonly [from: number, element: string])[] = [
    ...[0, 4, 4, 4].map((from) => [from, '2006'] as const),
    ...([
      [4, '-'],
      [5, '01'],
      [5, '01'],
      [7, '-'],
      [8, '02'],
      [8, '02'],
      [10, 'T'],
    ] as const),
    // An hour may have one digit.
    ...([
      [11, '15'],
      [12, ':'],
      [13, ':'],
      [14, '04'],
      [14, '04'],
      [16, ':'],
      [17, '05'],
      [17, '05'],
    ] as const),
  ];

  it.each(STOPS.map(([from, element], at) => [at, from, element] as const))('at %d stops both layouts', (at, from, element) => {
    const text = `${TEXT.slice(0, at)}x${TEXT.slice(at + 1)}`;
    expect(decodeTime(text)).toEqual(mismatch(text, text.slice(from), element));
    expect(decodeMicroTime(text)).toEqual(mismatch(text, text.slice(from), element, MICRO_LAYOUT));
  });

  it.each([19, 20, 21, 22, 23, 24, 25])('at %d is no fraction', (at) => {
    const text = `${TEXT.slice(0, at)}x${TEXT.slice(at + 1)}`;
    expect(decodeTime(text)).toEqual(mismatch(text, text.slice(at === 20 ? 19 : at), 'Z07:00'));
    expect(decodeMicroTime(text)).toEqual(mismatch(text, 'Z', '.000000', MICRO_LAYOUT));
  });
});

describe('an element', () => {
  it.each([
    ['2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '1900-02-29T00:00:00Z'],
    ['2023-02-28T00:00:00Z', '2024-02-30T00:00:00Z'],
    ['2024-04-30T00:00:00Z', '2024-04-31T00:00:00Z'],
    ['2024-06-30T00:00:00Z', '2024-06-31T00:00:00Z'],
    ['2024-09-30T00:00:00Z', '2024-09-31T00:00:00Z'],
    ['2024-11-30T00:00:00Z', '2024-11-31T00:00:00Z'],
    ['2024-01-31T00:00:00Z', '2024-01-32T00:00:00Z'],
    ['2024-12-31T23:59:59Z', '2024-01-00T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '2024-03-32T00:00:00Z'],
    ['0000-01-01T00:00:00Z', '0000-02-30T00:00:00Z'],
  ])('a month has its days: %s, not %s', (valid, invalid) => {
    expect(decodeTime(valid)).toEqual({ value: valid });
    expect(decodeTime(invalid)).toEqual(outOfRange(invalid, 'day'));
  });

  it.each([
    ['2024-00-01T00:00:00Z', 'month'],
    ['2024-13-01T00:00:00Z', 'month'],
    ['2024-12-31T24:00:00Z', 'hour'],
    ['2024-12-31T23:60:00Z', 'minute'],
    ['2024-12-31T23:59:60Z', 'second'],
  ])('%s is out of its range: %s', (text, element) => {
    expect([decodeTime(text), decodeMicroTime(text)]).toEqual([outOfRange(text, element), outOfRange(text, element)]);
  });

  it.each([
    ['', '', '2006'],
    ['202', '202', '2006'],
    ['2024', '', '-'],
    ['20240', '0', '-'],
    ['24-03-01T05:00:00Z', '3-01T05:00:00Z', '2006'],
    ['+024-03-01T05:00:00Z', '+024-03-01T05:00:00Z', '2006'],
    ['2024-3-01T05:00:00Z', '3-01T05:00:00Z', '01'],
    ['2024-03-1T05:00:00Z', '1T05:00:00Z', '02'],
    ['2024-03-01t05:00:00Z', 't05:00:00Z', 'T'],
    ['2024-03-01T05:0:00Z', '0:00Z', '04'],
    ['2024-03-01T05:00:0Z', '0Z', '05'],
    ['2024-03-01T05:00:00', '', 'Z07:00'],
    ['2024-03-01T05:00:00.Z', '.Z', 'Z07:00'],
    ['2024-03-01T05:00:00.-12345Z', '.-12345Z', 'Z07:00'],
    ['2024-03-01T05:00:00+0130', '+0130', 'Z07:00'],
    ['2024-03-01T05:00:00+01:3', '+01:3', 'Z07:00'],
    // A zone that fails late has taken its text already.
    ['2024-03-01T05:00:00*01:30', '', 'Z07:00'],
    ['2024-03-01T05:00:00+ab:30', '', 'Z07:00'],
    ['2024-03-01T05:00:00+01:ab', '', 'Z07:00'],
  ])('%j stops at %j', (text, rest, element) => {
    expect(decodeTime(text)).toEqual(mismatch(text, rest, element));
  });

  it('has no text behind the last one', () => {
    expect(decodeTime('2024-03-01T05:00:00Z ')).toEqual({ error: 'parsing time "2024-03-01T05:00:00Z ": extra text: " "' });
  });
});

it.each([
  ['2024-03-01T5:00:00Z', '2024-03-01T05:00:00Z'],
  ['2024-03-01T05:00:00+01:30', '2024-03-01T03:30:00Z'],
  ['2024-03-01T05:00:00-01:30', '2024-03-01T06:30:00Z'],
  ['2024-03-01T00:00:00+00:01', '2024-02-29T23:59:00Z'],
  ['2024-03-01T05:00:00+99:99', '2024-02-26T00:21:00Z'],
  ['2024-03-01T05:00:00++1:30', '2024-03-01T03:30:00Z'],
  ['2024-03-01T05:00:00.5Z', '2024-03-01T05:00:00Z'],
  ['2024-03-01T05:00:00,5Z', '2024-03-01T05:00:00Z'],
  ['2024-03-01T05:00:00.123456789Z', '2024-03-01T05:00:00Z'],
  ['2024-03-01T05:00:00.1234567891Z', '2024-03-01T05:00:00Z'],
  ['2024-03-01T05:00:00.12345678912345Z', '2024-03-01T05:00:00Z'],
  ['0001-01-01T00:00:00Z', null],
  ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00Z'],
  ['0001-01-01T00:00:01Z', '0001-01-01T00:00:01Z'],
])('%s is stored as %s', (text, stored) => {
  expect(decodeTime(text)).toEqual({ value: stored });
});

describe('six decimals', () => {
  it.each([
    ['2024-03-01T05:00:00.123456Z', '2024-03-01T05:00:00.123456Z'],
    ['2024-03-01T05:00:00.000001Z', '2024-03-01T05:00:00.000001Z'],
    ['2024-03-01T05:00:00,123456Z', '2024-03-01T05:00:00.123456Z'],
    ['2024-03-01T05:00:00.123456+01:00', '2024-03-01T04:00:00.123456Z'],
    ['2024-03-01T05:00:00.+12345Z', '2024-03-01T05:00:00.012345Z'],
    ['0001-01-01T00:00:00.000000Z', null],
    ['0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ])('%s is stored as %s', (text, stored) => {
    expect(decodeMicroTime(text)).toEqual({ value: stored });
  });

  it.each([
    ['2024-03-01T05:00:00Z', 'Z', '.000000'],
    ['2024-03-01T05:00:00.12345', '.12345', '.000000'],
    ['2024-03-01T05:00:00.12345Z', '', '.000000'],
    ['2024-03-01T05:00:00.1234567Z', '7Z', 'Z07:00'],
    ['2024-03-01T05:00:00.123456789Z', '789Z', 'Z07:00'],
  ])('%s has not six: it stops at %j', (text, rest, element) => {
    expect(decodeMicroTime(text)).toEqual(mismatch(text, rest, element, MICRO_LAYOUT));
  });

  it('have no sign', () => {
    const text = '2024-03-01T05:00:00.-12345Z';
    expect(decodeMicroTime(text)).toEqual(outOfRange(text, 'fractional second'));
  });
});
