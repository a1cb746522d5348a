/**
 * Durations. Go's syntax has int64 nanoseconds (configuration files, `metav1.Duration`); the syntax of scenarios has whole milliseconds,
 * with days and without signs. Models: Go 1.18 time.ParseDuration, Duration.String.
 */
import { scratch } from '../../engine/index.ts';
import { bad, good, memoised, type Parsed } from './texts.ts';
import { quoteTime } from './go-scalars.ts';

const LIMIT = 1n << 63n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const TERM = scratch(/([0-9]*)(\.[0-9]*)?([^0-9.]*)/y);

/** Parses a Go duration such as `1h30m` or `-1.5s` into nanoseconds. */
export function parseGoDuration(text: string): Parsed<bigint> {
  const invalid = bad(`time: invalid duration ${quoteTime(text)}`);
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return good(0n);
  if (unsigned === '') return invalid;
  let sum = 0n;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < unsigned.length) {
    const match = TERM.exec(unsigned);
    const [, whole = '', fraction = '', name = ''] = match ?? [];
    if (whole === '' && fraction.length < 2) return invalid;
    const digits = whole.replace(/^0+/, '');
    if (digits.length > 19) return invalid;
    const count = BigInt(digits);
    if (count > LIMIT) return invalid;
    if (name === '') return bad(`time: missing unit in duration ${quoteTime(text)}`);
    const unit = UNITS.get(name);
    if (unit === undefined) return bad(`time: unknown unit ${quoteTime(name)} in duration ${quoteTime(text)}`);
    if (count > LIMIT / unit) return invalid;
    sum += count * unit + fractionOf(fraction.slice(1), unit);
    if (sum > LIMIT) return invalid;
  }
  if (negative) return good(-sum);
  return sum === LIMIT ? invalid : good(sum);
}

/** A fraction of a unit, truncated to whole nanoseconds in floating point as upstream does; digits beyond an int64 are ignored. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (LIMIT - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Prints nanoseconds as Go does: `1h30m0s`, `1.5s`, `1µs`. */
export function formatGoDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const sign = ns < 0n ? '-' : '';
  const size = ns < 0n ? -ns : ns;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `value / 10^places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}

const SPANS: ReadonlyMap<string, number> = new Map(Object.entries({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }));
const SPAN = scratch(/([0-9]+)(?:\.([0-9]+))?(ms|[smhd])/y);

function readSpan(text: string): Parsed<number> {
  const wrong = bad(
    `${JSON.stringify(text)} is not a duration: expected numbers with units ms, s, m, h or d, such as 500ms, 1h30m or 400d`,
  );
  if (text === '0') return good(0);
  if (text === '') return wrong;
  let ms = 0;
  SPAN.lastIndex = 0;
  for (let at = 0; at < text.length; at = SPAN.lastIndex) {
    const match = SPAN.exec(text);
    if (match === null) return wrong;
    const [, whole = '0', fraction = '', name = ''] = match;
    const unit = SPANS.get(name) ?? 1;
    // The multiplication comes first: both are whole numbers, so an exact result stays exact.
    const part = Number(whole + fraction) * unit;
    const scale = Number(`1${'0'.repeat(fraction.length)}`);
    if (!Number.isSafeInteger(part) || part % scale !== 0)
      return bad(`${JSON.stringify(text)} is not a whole number of milliseconds; time here is counted in those`);
    ms += part / scale;
  }
  return Number.isSafeInteger(ms) ? good(ms) : wrong;
}

/**
 * Parses a duration of a scenario into milliseconds: `500ms`, `1h30m`, `1.5s`, `400d`. Whole milliseconds only, never negative. Results are
 * cached.
 */
export const parseDurationMs: (text: string) => Parsed<number> = memoised(readSpan, 256);

const MOST_DAYS = Math.floor(Number.MAX_SAFE_INTEGER / 86_400_000);

/**
 * What is expected instead of a text that is no duration: a shorter one, or one of whole milliseconds, where it has the form of one;
 * `otherwise` where it has not, or is one that is not wanted, such as 0s.
 */
export function expectedDuration(text: string, otherwise: string): string {
  if (parseDurationMs(text).value !== undefined || !/^(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhd]))+$/.test(text)) return otherwise;
  return text.includes('.') ? 'a duration of whole milliseconds' : `a shorter duration: this is too large, ${MOST_DAYS}d is the most`;
}

/**
 * Prints milliseconds as a scenario duration that parses to the same number: `1h30m`, `400d` for whole days, `1500ms` where there are parts
 * of a second.
 */
export function formatDurationMs(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatDurationMs(-ms)}`;
  if (ms % 1_000 !== 0) return `${ms}ms`;
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000}d`;
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(ms / 3_600_000), 'h'],
    [Math.floor(ms / 60_000) % 60, 'm'],
    [(ms / 1_000) % 60, 's'],
  ];
  return parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
}
