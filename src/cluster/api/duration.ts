/** Go durations: `1h30m`, `500ms`. Parsed exactly, to 64-bit nanoseconds, with Go's error texts; printed as Go prints them. Models: Go 1.18 time.ParseDuration, Duration.String. */

export type ParsedDuration = { readonly ns: bigint; readonly error?: undefined } | { readonly error: string };

const UNIT_NS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek mu
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 2n ** 63n;
const PART = /^(\d*)(?:(\.)(\d*))?/;

/** The nanoseconds of a text such as `1h30m` or `-1.5s`, or Go's text for what is wrong with it. */
export function parseDuration(text: string): ParsedDuration {
  const invalid = { error: `time: invalid duration ${quote(text)}` };
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return { ns: 0n };
  if (rest === '') return invalid;
  let total = 0n;
  while (rest !== '') {
    const [number = '', whole = '', , fraction = ''] = PART.exec(rest) ?? [];
    if (whole === '' && fraction === '') return invalid;
    rest = rest.slice(number.length);
    const unitName = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unitName === '') return { error: `time: missing unit in duration ${quote(text)}` };
    if (whole !== '' && BigInt(whole) > LIMIT) return invalid;
    const unit = UNIT_NS.get(unitName);
    if (unit === undefined) return { error: `time: unknown unit ${quote(unitName)} in duration ${quote(text)}` };
    rest = rest.slice(unitName.length);
    const part = BigInt(whole === '' ? 0 : whole) * unit + fractionOf(fraction, unit);
    total += part;
    if (total > LIMIT) return invalid;
  }
  if (negative) return { ns: -total };
  return total === LIMIT ? invalid : { ns: total };
}

/** `0.333` of an hour, with the rounding of Go's floating-point step; digits beyond 64 bits are dropped. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (LIMIT - 1n) / 10n || next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(ns: bigint): string {
  if (ns === 0n) return '0s';
  const sign = ns < 0n ? '-' : '';
  const size = ns < 0n ? -ns : ns;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The same for milliseconds, the unit of the virtual clock. */
export const formatDurationMs = (ms: number): string => formatDuration(BigInt(ms) * 1_000_000n);

function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return text.slice(0, -digits) + (fraction === '' ? '' : `.${fraction}`);
}

/** Package time's own quoting: bytes outside printable ASCII as `\xNN`. */
function quote(text: string): string {
  let out = '"';
  for (const byte of new TextEncoder().encode(text)) {
    if (byte === 0x22 || byte === 0x5c) out += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x80) out += `\\x${byte.toString(16).padStart(2, '0')}`;
    else out += String.fromCharCode(byte);
  }
  return `${out}"`;
}
