import { describe, expect, it } from 'vitest';
import { loadLocation } from '../../../src/schema/schedule/zone.ts';
import { ZONE_NAMES } from '../../../src/schema/schedule/zone-names.ts';

const HOUR = 3_600_000;

const offsetHours = (name: string, at: string): number => {
  const location = loadLocation(name);
  if (location.error !== undefined) throw new Error(location.error);
  return location.zone.offsetAt(Date.parse(at)) / HOUR;
};

describe('time zones', () => {
  it('are found by their exact names, and refused in upstream’s words', () => {
    expect(
      Object.fromEntries(
        [
          'Europe/London',
          'US/Eastern',
          'posix/Asia/Tokyo',
          'right/UTC',
          '',
          'utc',
          'Europe/london',
          'America',
          'Europe/London/x',
          'Europe/London/',
          '../UTC',
          'a..b',
          '\\UTC',
          '+05:00',
        ].map((name) => [name, loadLocation(name).error]),
      ),
    ).toEqual({
      'Europe/London': undefined,
      'US/Eastern': undefined,
      'posix/Asia/Tokyo': undefined,
      'right/UTC': undefined,
      '': undefined,
      utc: 'unknown time zone utc',
      'Europe/london': 'unknown time zone Europe/london',
      '+05:00': 'unknown time zone +05:00',
      America: 'is a directory',
      'Europe/London/x': 'not a directory',
      'Europe/London/': 'not a directory',
      '../UTC': 'time: invalid location name',
      'a..b': 'time: invalid location name',
      '\\UTC': 'time: invalid location name',
    });
  });

  it('change their offset at the exact second', () => {
    expect(
      ['2022-03-13T06:59:59Z', '2022-03-13T07:00:00Z', '2022-11-06T05:59:59Z', '2022-11-06T06:00:00Z'].map((at) =>
        offsetHours('America/New_York', at),
      ),
    ).toEqual([-5, -4, -4, -5]);
    expect(['2022-04-02T14:59:59Z', '2022-04-02T15:00:00Z'].map((at) => offsetHours('Australia/Lord_Howe', at))).toEqual([11, 10.5]);
    expect(['2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z'].map((at) => offsetHours('Pacific/Apia', at))).toEqual([-10, 14]);
    expect(['2000-10-08T03:00:00Z', '2000-10-15T01:59:59Z', '2000-10-15T02:00:00Z'].map((at) => offsetHours('America/Recife', at))).toEqual(
      [-2, -2, -3],
    ); // one week of summer
  });

  it('have whole minutes on the other side of a new year and before the epoch', () => {
    expect(
      ['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00Z', '1969-07-20T20:17:40.5Z'].map((at) => offsetHours('Asia/Kolkata', at)),
    ).toEqual([5.5, 5.5, 5.5]);
  });

  it('are exactly those of the table that this host has rules for', () => {
    expect(ZONE_NAMES.size).toBe(597);
    for (const name of ZONE_NAMES) {
      let host: string | undefined;
      try {
        Intl.DateTimeFormat('en-US', { timeZone: name });
      } catch {
        host = `unknown time zone ${name}`; // its data are older than the table
      }
      expect([name, loadLocation(name).error]).toEqual([name, host]);
    }
  });
});

describe('many names of one zone', () => {
  it('share its cached transitions', () => {
    const offsetOf = (name: string): unknown => {
      const { zone } = loadLocation(name) as { readonly zone?: { readonly offsetAt: unknown } };
      return zone?.offsetAt;
    };
    expect(offsetOf('Pacific/Pitcairn')).toBeInstanceOf(Function);
    for (let slashes = 2; slashes <= 200; slashes++)
      expect(offsetOf(`Pacific${'/'.repeat(slashes)}Pitcairn`)).toBe(offsetOf('Pacific/Pitcairn'));
  });

  it('are no longer than a path', () => {
    expect(loadLocation(`Pacific${'/'.repeat(3_900)}Pitcairn`).error).toBeUndefined();
    expect(loadLocation(`Pacific${'/'.repeat(1_000_000)}Pitcairn`).error).toMatch(/^unknown time zone Pacific\/.{1,4000}…$/);
  });
});
