/**
 * Parses an instant by one of two layouts and reports, as Go does, the element at which it failed. Models: Go 1.18 time.Parse for RFC 3339,
 * quirks included: one-digit hours are accepted, zone offsets are not range-checked, and an element that fails late has already consumed
 * its text.
 */
import { daysFromCivil, daysInMonth } from './calendar.ts';
import { quoteTime } from './go-print.ts';
import { bad, good, type Parsed } from './parsed.ts';

export interface Instant {
  /** Whole seconds since the epoch. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

interface Layout {
  readonly text: string;
  readonly micro: boolean;
}

export const RFC3339: Layout = { text: '2006-01-02T15:04:05Z07:00', micro: false };
export const RFC3339_MICRO: Layout = { text: '2006-01-02T15:04:05.000000Z07:00', micro: true };

/** Returns the instant of a text in a layout, or Go's error text. */
export function readInstant(text: string, layout: Layout): Parsed<Instant> {
  const fields = plain(text);
  if (fields !== undefined && inRange(fields) && (!layout.micro || text.length === MICRO_LENGTH)) return good(instant(fields));
  return new Reader(text, layout).read();
}

const MICRO_LENGTH = '2006-01-02T15:04:05.000000Z'.length;

/** Parses the most frequent form (two digits everywhere, UTC) without regular expressions, because decoding mostly meets this form. */
function plain(text: string): Fields | undefined {
  const end = text.length - 1;
  const fraction = Math.max(0, end - 20);
  if (
    end < 19 ||
    fraction > 9 ||
    text.charAt(4) !== '-' ||
    text.charAt(7) !== '-' ||
    text.charAt(10) !== 'T' ||
    text.charAt(13) !== ':' ||
    text.charAt(16) !== ':' ||
    text.charAt(end) !== 'Z'
  )
    return undefined;
  if (end > 19 && (fraction === 0 || text.charAt(19) !== '.')) return undefined;
  const number = (from: number, to: number): number => {
    let value = 0;
    for (let at = from; at < to; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return Number.NaN;
      value = value * 10 + digit;
    }
    return value;
  };
  const nanos = number(20, end) * (SCALES[fraction] ?? 1);
  // A NaN fails every comparison of `inRange`, except that of the year and the fraction.
  const year = number(0, 4);
  if (Number.isNaN(year) || Number.isNaN(nanos)) return undefined;
  return {
    year,
    month: number(5, 7),
    day: number(8, 10),
    hour: number(11, 13),
    minute: number(14, 16),
    second: number(17, 19),
    nanos,
    offset: 0,
  };
}

const SCALES: readonly number[] = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  offset: number;
}

const inRange = (f: Fields): boolean =>
  f.month >= 1 && f.month <= 12 && f.day >= 1 && f.day <= daysInMonth(f.year, f.month) && f.hour < 24 && f.minute < 60 && f.second < 60;

const instant = (f: Fields): Instant => ({
  seconds: daysFromCivil(f.year, f.month, f.day) * 86_400 + f.hour * 3600 + f.minute * 60 + f.second - f.offset,
  nanos: f.nanos,
});

const isDigit = (text: string, at: number): boolean => /[0-9]/.test(text.charAt(at));

/** Digits with an optional sign, as package `time` of Go reads them; an empty text is 0. */
const signed = (text: string): number | undefined => (/^[+-]?[0-9]*$/.test(text) ? Number(text.replace(/^[+-]$/, '0')) : undefined);

/** Why the parser stopped: an element that does not match the layout, or one out of its range. */
type Stop = { readonly element: string } | { readonly range: string };

class Reader {
  readonly #whole: string;
  readonly #layout: Layout;
  #rest: string;
  readonly #f: Fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0, nanos: 0, offset: 0 };

  constructor(text: string, layout: Layout) {
    this.#whole = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): Parsed<Instant> {
    const f = this.#f;
    const stop =
      this.#year() ??
      this.#literal('-') ??
      this.#pair('month', '01', true, (n) => n >= 1 && n <= 12) ??
      this.#literal('-') ??
      this.#pair('day', '02', true, () => true) ??
      this.#literal('T') ??
      this.#pair('hour', '15', false, (n) => n < 24) ??
      this.#literal(':') ??
      this.#pair('minute', '04', true, (n) => n < 60) ??
      this.#literal(':') ??
      this.#pair('second', '05', true, (n) => n < 60) ??
      this.#fraction() ??
      this.#zone();
    const subject = `parsing time ${quoteTime(this.#whole)}`;
    if (stop !== undefined && 'range' in stop) return bad(`${subject}: ${stop.range} out of range`);
    if (stop !== undefined)
      return bad(`${subject} as ${quoteTime(this.#layout.text)}: cannot parse ${quoteTime(this.#rest)} as ${quoteTime(stop.element)}`);
    if (this.#rest !== '') return bad(`${subject}: extra text: ${quoteTime(this.#rest)}`);
    return inRange(f) ? good(instant(f)) : bad(`${subject}: day out of range`);
  }

  #year(): Stop | undefined {
    const digits = this.#rest.slice(0, 4);
    if (digits.length < 4 || !isDigit(digits, 0)) return { element: '2006' };
    this.#rest = this.#rest.slice(4);
    if (!/^[0-9]{4}$/.test(digits)) return { element: '2006' };
    this.#f.year = Number(digits);
    return undefined;
  }

  #literal(char: string): Stop | undefined {
    if (!this.#rest.startsWith(char)) return { element: char };
    this.#rest = this.#rest.slice(1);
    return undefined;
  }

  #pair(
    name: 'month' | 'day' | 'hour' | 'minute' | 'second',
    element: string,
    fixed: boolean,
    fits: (n: number) => boolean,
  ): Stop | undefined {
    if (!isDigit(this.#rest, 0)) return { element };
    const width = isDigit(this.#rest, 1) ? 2 : 1;
    if (fixed && width === 1) return { element };
    const value = Number(this.#rest.slice(0, width));
    this.#rest = this.#rest.slice(width);
    if (!fits(value)) return { range: name };
    this.#f[name] = value;
    return undefined;
  }

  #fraction(): Stop | undefined {
    let width = 0;
    if (this.#layout.micro) width = 7;
    else if (/^[.,][0-9]/.test(this.#rest)) width = 1 + (/^[0-9]+/.exec(this.#rest.slice(1))?.[0].length ?? 0);
    if (width === 0) return undefined;
    const element = '.000000';
    if (this.#rest.length < width) return { element };
    const text = this.#rest.slice(0, width);
    this.#rest = this.#rest.slice(width);
    const digits = text.slice(1, 10);
    const value = text.startsWith('.') || text.startsWith(',') ? signed(digits) : undefined;
    if (value === undefined) return { element };
    if (value < 0) return { range: 'fractional second' };
    this.#f.nanos = value * Number(`1${'0'.repeat(9 - digits.length)}`);
    return undefined;
  }

  #zone(): Stop | undefined {
    const element = 'Z07:00';
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return undefined;
    }
    if (this.#rest.length < 6 || this.#rest.charAt(3) !== ':') return { element };
    const zone = this.#rest.slice(0, 6);
    this.#rest = this.#rest.slice(6);
    const hours = signed(zone.slice(1, 3));
    const minutes = signed(zone.slice(4, 6));
    const sign = zone.charAt(0);
    if (hours === undefined || minutes === undefined || (sign !== '+' && sign !== '-')) return { element };
    this.#f.offset = (hours * 3600 + minutes * 60) * (sign === '-' ? -1 : 1);
    return undefined;
  }
}
