/**
 * Instants as objects hold them: `Time` with whole seconds, `MicroTime` with six decimals, both in UTC. Inside the simulator an instant is
 * a whole number of milliseconds since the epoch. Models: v1.24 apimachinery pkg/apis/meta/v1 Time, MicroTime; Go 1.18 time.Parse.
 */
import { civilFromDays } from './calendar.ts';
import { unmarshalString } from './go-numbers.ts';
import { lastOf, memo } from '../../engine/index.ts';
import { good, memoised, type Parsed } from './parsed.ts';
import { readInstant, RFC3339, RFC3339_MICRO, type Instant } from './time-reader.ts';

const DAY = 86_400;
/** Seconds of the zero time, 0001-01-01: the API prints it as null. */
const ZERO_TIME = -62_135_596_800;

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

/** Returns the canonical text of a decoded `metav1.Time` (null for the zero time), or the decoder's error text. */
export const decodeTime = (value: unknown): Parsed<string | null> => decode(value, RFC3339, ({ seconds }) => `${secondsText(seconds)}Z`);

/** Returns the canonical text of a decoded `metav1.MicroTime`, which must have exactly six decimals, or the decoder's error text. */
export const decodeMicroTime = (value: unknown): Parsed<string | null> =>
  decode(value, RFC3339_MICRO, ({ seconds, nanos }) => `${secondsText(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`);

function decode(value: unknown, layout: typeof RFC3339, print: (instant: Instant) => string): Parsed<string | null> {
  if (value === null) return good(null);
  const text = unmarshalString(value);
  if (text.error !== undefined) return text;
  const parsed = readInstant(text.value, layout);
  if (parsed.error !== undefined) return parsed;
  const { seconds, nanos } = parsed.value;
  return good(seconds === ZERO_TIME && nanos === 0 ? null : print(parsed.value));
}
