import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAfter, parseSchedule, type Schedule } from '../../../src/schema/schedule/schedule.ts';
import { loadLocation } from '../../../src/schema/schedule/zone.ts';
import { oracleLines } from '../../support/oracle.ts';

interface Line {
  readonly id: string;
  readonly fn: string;
  readonly expr: string;
  readonly timeZone: string;
  readonly start: string;
  readonly next: readonly (string | null)[];
  readonly hang?: true;
  readonly error?: string;
  readonly panic?: string;
}
const lines = oracleLines('v1.24/api/cron.jsonl') as unknown as readonly Line[];

const schedule = (text: string): Schedule => {
  const parsed = parseSchedule(text);
  if (parsed.error !== undefined) throw new Error(parsed.error);
  return parsed.schedule;
};
const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString().replace('.000Z', 'Z'));

function firings(of: Schedule, start: number, count: number): (string | null)[] {
  const found: (string | null)[] = [];
  for (let at: number | undefined = start; at !== undefined && found.length < count;) {
    at = nextAfter(of, at);
    found.push(iso(at));
  }
  return found;
}

describe('schedules against the recorded grammar', () => {
  it('accept and refuse the same texts with the same errors', () => {
    for (const { id, fn, expr, error, panic } of lines) {
      if (fn !== 'parse') continue;
      const parsed = parseSchedule(expr);
      if (panic !== undefined) expect([id, parsed.error]).toEqual([id, expect.stringContaining(expr)]);
      else expect([id, parsed.error]).toEqual([id, error]);
    }
  });

  it('load the same zones', () => {
    for (const { id, fn, timeZone, error } of lines)
      if (fn === 'loadLocation') expect([id, loadLocation(timeZone).error]).toEqual([id, error]);
  });

  it('fire at the same instants, and skip a day that a zone left out', () => {
    const wrong: unknown[] = [];
    for (const { id, fn, expr, timeZone, start, next, hang } of lines) {
      if (fn !== 'next') continue;
      const of = schedule(timeZone === '' ? expr : `TZ=${timeZone} ${expr}`);
      const found = firings(of, Date.parse(start), 5);
      if (hang === true)
        expect([id, found.length, found[0]]).toEqual(
          timeZone === 'Pacific/Apia' && !expr.startsWith(',') ? [id, 5, expect.stringMatching(/^201[12]/)] : [id, 1, null],
        );
      else if (JSON.stringify(found) !== JSON.stringify(next)) wrong.push({ id, expr, timeZone, start, next, found });
    }
    expect(wrong).toEqual([]);
  });
});

describe('firing times', () => {
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Sydney');
  const field = (min: number, max: number): fc.Arbitrary<string> => {
    const range = fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const step = fc.tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max: 20 })).map(([of, by]) => `${of}/${by}`);
    const one = fc.integer({ min, max }).map(String);
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant('*') },
      fc.array(fc.oneof(one, range, step), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
    );
  };
  const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map((fields) => fields.join(' '));
  /** Instants around both changes of 2022 in each of the zones, and random ones. */
  const instant = fc.oneof(
    fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
    fc
      .constantFrom('2022-03-13', '2022-11-06', '2022-03-27', '2022-10-30', '2022-04-02', '2022-10-01')
      .chain((day) => fc.integer({ min: -DAY, max: DAY }).map((ms) => Date.parse(day) + ms)),
  );

  it('are strictly later, on a whole second, and monotonic', () => {
    fc.assert(
      fc.property(zone, expression, instant, fc.nat(10 * DAY), (timeZone, text, at, more) => {
        const of = schedule(`TZ=${timeZone} ${text}`);
        const next = nextAfter(of, at);
        if (next === undefined) return;
        expect(next).toBeGreaterThan(at);
        expect(next % 1000).toBe(0);
        const later = nextAfter(of, at + more);
        if (later !== undefined) expect(later).toBeGreaterThanOrEqual(next);
        if (at + more < next) expect(later).toBe(next);
      }),
    );
  });

  it('are the first minute whose local clock matches', () => {
    fc.assert(
      fc.property(zone, expression, instant, (timeZone, text, at) => {
        const next = nextAfter(schedule(`TZ=${timeZone} ${text}`), at);
        const end = Math.min(next ?? Infinity, at + 3 * DAY);
        // One comparison for each case: an `expect` for each minute would cost more than the check itself.
        const matching: number[] = [];
        for (let minute = (Math.floor(at / MINUTE) + 1) * MINUTE; minute <= end; minute += MINUTE)
          if (matches(text, timeZone, minute)) matching.push(minute);
        expect(matching.map(iso)).toEqual(next === undefined || next > end ? [] : [iso(next)]);
      }),
      { numRuns: 60 },
    );
  });

  it('end the search quickly for a schedule that never fires', () => {
    for (const text of ['0 0 31 2 *', '0 0 30 2 *', ', * * * *', '0 , * * *', '0 0 , * *', '0 0 31 4,6 ?'])
      expect([text, nextAfter(schedule(text), Date.UTC(2024, 0))]).toEqual([text, undefined]);
  });
});

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Computed directly from the host's calendar and the text, without the code under test. */
function matches(text: string, timeZone: string, at: number): boolean {
  let clock = clocks.get(timeZone);
  if (clock === undefined)
    clocks.set(
      timeZone,
      (clock = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        hourCycle: 'h23',
        weekday: 'short',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
      })),
    );
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const [minute = '', hour = '', dom = '', month = '', dow = ''] = text.split(' ');
  const has = (field: string, value: number, max: number): boolean =>
    field.split(',').some((entry) => {
      const [range = '', by] = entry.split('/');
      const [low, high = by === undefined ? low : String(max)] = range === '*' ? ['0', String(max)] : range.split('-');
      const from = range === '*' ? (max === 31 || max === 12 ? 1 : 0) : Number(low);
      return value >= from && value <= Number(high) && (value - from) % Number(by ?? 1) === 0;
    });
  const star = (field: string): boolean => field.split(',').some((entry) => entry === '*' || entry === '*/1');
  const inMonth = has(dom, Number(part['day']), 31);
  const inWeek = has(dow, ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part['weekday'] ?? ''), 6);
  return (
    has(minute, Number(part['minute']), 59) &&
    has(hour, Number(part['hour']), 23) &&
    has(month, Number(part['month']), 12) &&
    (star(dom) || star(dow) ? inMonth && inWeek : inMonth || inWeek)
  );
}

describe('the two day fields', () => {
  // The first of January 2024 is a Monday.
  const NEW_YEAR = Date.UTC(2024, 0, 1);
  it.each([
    ['0 0 * * 3', '2024-01-03', '2024-01-10'],
    ['0 0 5 * 3', '2024-01-03', '2024-01-05'],
    ['0 0 */1 * 3', '2024-01-03', '2024-01-10'],
    ['0 0 */2 * 4', '2024-01-03', '2024-01-04'],
    ['0 0 5 * */3', '2024-01-03', '2024-01-05'],
  ])('of %s must both match if one is a star, otherwise one is enough: a step of two or more is no star', (text, first, second) => {
    expect(firings(schedule(text), NEW_YEAR, 2)).toEqual([first, second].map((day) => `${day}T00:00:00Z`));
  });
});

it('has at most 1024 characters; longer ones are refused without parsing', () => {
  const long = `${'0-59/1,'.repeat(200_000)}0 * * * *`;
  expect(parseSchedule(long)).toEqual({ error: `expected at most 1024 characters, found ${long.length}` });
  expect(parseSchedule(`${'1,'.repeat(507)}1 * * * *`.padEnd(1024)).error).toBeUndefined();
  expect(parseSchedule(`${'1,'.repeat(507)}1 * * * *`.padEnd(1025)).error).toBe('expected at most 1024 characters, found 1025');
  const all = Array.from({ length: 60 }, (_, at) => at).join(',');
  expect(parseSchedule(`${all} * * * *`).error).toBeUndefined();
});
