import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  civilFromDays,
  daysFromCivil,
  decodeMicroTime,
  decodeTime,
  formatMicroTime,
  formatTime,
  parseTime,
  readTime,
} from '../../../src/schema/values/index.ts';

const instants = fc.integer({ min: Date.parse('0001-01-02T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });

describe('instants', () => {
  it('are printed as the calendar says, cut to the second', () => {
    fc.assert(fc.property(instants, (ms) => formatTime(ms) === `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`));
  });

  it('are printed with six decimals of which three are kept', () => {
    fc.assert(fc.property(instants, (ms) => formatMicroTime(ms) === new Date(ms).toISOString().replace('Z', '000Z')));
  });

  it('round-trip through their text', () => {
    fc.assert(
      fc.property(instants, (ms) => parseTime(formatMicroTime(ms)) === ms && parseTime(formatTime(ms)) === Math.floor(ms / 1000) * 1000),
    );
  });

  it('do not depend on earlier calls', () => {
    expect([0, 999, 1000, 0, 86_400_000, 999].map(formatTime)).toEqual([
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:01Z',
      '1970-01-01T00:00:00Z',
      '1970-01-02T00:00:00Z',
      '1970-01-01T00:00:00Z',
    ]);
  });

  it('are read in any zone by readTime, which explains its refusals', () => {
    expect(readTime('2024-03-01T01:30:00.25+01:30')).toEqual({ value: Date.parse('2024-03-01T00:00:00.250Z') });
    expect(readTime('yesterday').error).toBe('parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"');
  });

  it('throw on a text that has not been validated', () => {
    expect(() => parseTime('soon')).toThrow('cannot parse "soon"');
  });

  it('are null at the zero time, as the API prints them', () => {
    expect([decodeTime('0001-01-01T00:00:00Z'), decodeMicroTime('0001-01-01T00:00:00.000000Z')]).toEqual([
      { value: null },
      { value: null },
    ]);
  });

  it.each([
    ['2024-03-01T24:00:00Z', 'parsing time "2024-03-01T24:00:00Z": hour out of range'],
    ['2024-03-01T00:00:00z', 'parsing time "2024-03-01T00:00:00z" as "2006-01-02T15:04:05Z07:00": cannot parse "z" as "Z07:00"'],
    ['2024-04-31T00:00:00Z', 'parsing time "2024-04-31T00:00:00Z": day out of range'],
    [
      'é024-04-30T00:00:00Z',
      'parsing time "\\xc3\\xa9024-04-30T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9024-04-30T00:00:00Z" as "2006"',
    ],
  ])('%s is refused with the reason', (text, error) => {
    expect(decodeTime(text)).toEqual({ error });
  });
});

describe('days', () => {
  it('count both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 4_000_000 }), (days) => {
        const { year, month, day } = civilFromDays(days);
        return daysFromCivil(year, month, day) === days;
      }),
    );
  });
});
