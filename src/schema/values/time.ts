/**
 * Instants as objects hold them: `Time` with whole seconds, `MicroTime` with six decimals, both in UTC. Inside the simulator an instant is
 * a whole number of milliseconds since the epoch. A text is read by one of two layouts, and what is wrong with it is reported as Go does,
 * with the element at which it failed. Models: v1.24 apimachinery pkg/apis/meta/v1 Time, MicroTime; Go 1.18 time.Parse for RFC 3339, quirks
 * included: one-digit hours are accepted, zone offsets are not range-checked, and an element that fails late has already consumed its text.
 */
import { lastOf, memo } from '../../engine/index.ts';
import { quoteTime } from './go-scalars.ts';
import { bad, good, memoised, type Parsed } from './texts.ts';

const DAY = 86_400;
const DAYS_IN_ERA = 146_097;

/** Days since 1970-01-01 in the proleptic Gregorian calendar, in plain integer arithmetic: no host clock, no locale. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years start in March here, so that the leap day comes last.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_IN_ERA + dayOfEra - 719_468;
}

/** The date of a number of days since 1970-01-01. */
export function civilFromDays(days: number) {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / DAYS_IN_ERA);
  const dayOfEra = shifted - era * DAYS_IN_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 };
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

const PAIRS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const pair = (n: number): string => PAIRS[n] ?? String(n);

/** The text of a day, `2024-03-01T`; consecutive calls are mostly for the same day. */
const dateText = lastOf((day: number): string => {
  const { year, month, day: dayOfMonth } = civilFromDays(day);
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${pair(month)}-${pair(dayOfMonth)}T`;
});

/** The text of a second, `2024-03-01T00:00:00`. */
function secondsText(second: number): string {
  const day = Math.floor(second / DAY);
  const rest = second - day * DAY;
  const minutes = Math.floor(rest / 60);
  return `${dateText(day)}${pair(Math.floor(minutes / 60))}:${pair(minutes % 60)}:${pair(rest % 60)}`;
}

/**
 * The number of cached seconds, each at the index of its lowest bits. Timestamps of an object and of its neighbours repeat a few seconds.
 */
const REMEMBERED = 64;
const seconds = memo(new Float64Array(REMEMBERED).fill(Number.NaN));
const times = memo(new Array<string>(REMEMBERED).fill(''));

/**
 * The latest instant at which a clock may start, in milliseconds since the epoch. RFC 3339 has no year 10000, and runs, skews and
 * certificates need years before it.
 */
export const LATEST_START_MS = Date.UTC(9800, 0, 1);

/** Returns an instant as `2024-03-01T00:00:00Z`, truncated to seconds. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  const place = second & (REMEMBERED - 1);
  if (seconds[place] !== second) {
    times[place] = `${secondsText(second)}Z`;
    seconds[place] = second;
  }
  return times[place] ?? '';
}

/** Returns an instant as `2024-03-01T00:00:00.123000Z`. */
export const formatMicroTime: (ms: number) => string = lastOf((ms) => {
  const second = Math.floor(ms / 1000);
  return `${secondsText(second)}.${String(Math.floor(ms) - second * 1000).padStart(3, '0')}000Z`;
});

interface Instant {
  /** Whole seconds since the epoch. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

const toMs = ({ seconds, nanos }: Instant): number => seconds * 1000 + Math.floor(nanos / 1_000_000);

/**
 * Returns the milliseconds since the epoch of a validated Time or MicroTime. Results are cached.
 * @throws {Error} on any other text.
 */
export const parseTime: (text: string) => number = /* @__PURE__ */ memoised((text) => {
  const parsed = readInstant(text, RFC3339);
  if (parsed.error !== undefined) throw new TypeError(parsed.error);
  return toMs(parsed.value);
}, 1024);

/** Returns the milliseconds since the epoch of a user's RFC 3339 text, truncated, or Go's error text. */
export function readTime(text: string): Parsed<number> {
  const parsed = readInstant(text, RFC3339);
  return parsed.error !== undefined ? parsed : good(toMs(parsed.value));
}

/** Returns the canonical text of a `metav1.Time` (null for the zero time), or Go's error text. */
export const decodeTime = (text: string): Parsed<string | null> => decode(text, RFC3339, ({ seconds }) => `${secondsText(seconds)}Z`);

/** Returns the canonical text of a `metav1.MicroTime`, which must have exactly six decimals, or Go's error text. */
export const decodeMicroTime = (text: string): Parsed<string | null> =>
  decode(text, RFC3339_MICRO, ({ seconds, nanos }) => `${secondsText(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`);

/** Seconds of the zero time, 0001-01-01: the API prints it as null. */
const ZERO_TIME = -62_135_596_800;

function decode(text: string, layout: Layout, print: (instant: Instant) => string): Parsed<string | null> {
  const parsed = readInstant(text, layout);
  if (parsed.error !== undefined) return parsed;
  const { seconds, nanos } = parsed.value;
  return good(seconds === ZERO_TIME && nanos === 0 ? null : print(parsed.value));
}

interface Layout {
  readonly text: string;
  readonly micro: boolean;
}

const RFC3339: Layout = { text: '2006-01-02T15:04:05Z07:00', micro: false };
const RFC3339_MICRO: Layout = { text: '2006-01-02T15:04:05.000000Z07:00', micro: true };
const MICRO_LENGTH = '2006-01-02T15:04:05.000000Z'.length;

function readInstant(text: string, layout: Layout): Parsed<Instant> {
  const fields = plain(text);
  if (fields !== undefined && inRange(fields) && (!layout.micro || text.length === MICRO_LENGTH)) return good(instant(fields));
  return new Reader(text, layout).read();
}

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
  const [month, day] = [number(5, 7), number(8, 10)];
  return { year, month, day, hour: number(11, 13), minute: number(14, 16), second: number(17, 19), nanos, offset: 0 };
}

/** The nanoseconds of the last of so many decimals. */
const SCALES: readonly number[] = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];

type Fields = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'nanos' | 'offset', number>;

const inRange = (f: Fields): boolean =>
  f.month >= 1 && f.month <= 12 && f.day >= 1 && f.day <= daysInMonth(f.year, f.month) && f.hour < 24 && f.minute < 60 && f.second < 60;

const instant = (f: Fields): Instant => ({
  seconds: daysFromCivil(f.year, f.month, f.day) * DAY + f.hour * 3600 + f.minute * 60 + f.second - f.offset,
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
    return inRange(this.#f) ? good(instant(this.#f)) : bad(`${subject}: day out of range`);
  }

  #take(width: number): string {
    const taken = this.#rest.slice(0, width);
    this.#rest = this.#rest.slice(width);
    return taken;
  }

  #year(): Stop | undefined {
    if (this.#rest.length < 4 || !isDigit(this.#rest, 0)) return { element: '2006' };
    const digits = this.#take(4);
    if (!/^[0-9]{4}$/.test(digits)) return { element: '2006' };
    this.#f.year = Number(digits);
    return undefined;
  }

  #literal(char: string): Stop | undefined {
    if (!this.#rest.startsWith(char)) return { element: char };
    this.#take(1);
    return undefined;
  }

  #pair(name: keyof Fields, element: string, fixed: boolean, fits: (n: number) => boolean): Stop | undefined {
    if (!isDigit(this.#rest, 0)) return { element };
    const width = isDigit(this.#rest, 1) ? 2 : 1;
    if (fixed && width === 1) return { element };
    const value = Number(this.#take(width));
    if (!fits(value)) return { range: name };
    this.#f[name] = value;
    return undefined;
  }

  #fraction(): Stop | undefined {
    const width = this.#layout.micro ? 7 : (/^[.,][0-9]+/.exec(this.#rest)?.[0].length ?? 0);
    if (width === 0) return undefined;
    const element = '.000000';
    if (this.#rest.length < width) return { element };
    const text = this.#take(width);
    const digits = text.slice(1, 10);
    const value = text.startsWith('.') || text.startsWith(',') ? signed(digits) : undefined;
    if (value === undefined) return { element };
    if (value < 0) return { range: 'fractional second' };
    this.#f.nanos = value * (SCALES[digits.length] ?? 1);
    return undefined;
  }

  #zone(): Stop | undefined {
    const element = 'Z07:00';
    if (this.#rest.startsWith('Z')) return this.#literal('Z');
    if (this.#rest.length < 6 || this.#rest.charAt(3) !== ':') return { element };
    const zone = this.#take(6);
    const hours = signed(zone.slice(1, 3));
    const minutes = signed(zone.slice(4, 6));
    const sign = zone.charAt(0);
    if (hours === undefined || minutes === undefined || (sign !== '+' && sign !== '-')) return { element };
    this.#f.offset = (hours * 3600 + minutes * 60) * (sign === '-' ? -1 : 1);
    return undefined;
  }
}
