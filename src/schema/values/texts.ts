/**
 * Texts: measured and sorted in UTF-8 bytes as Go does (JavaScript has UTF-16 units), in base64, parsed, and the nearest correct name for a
 * wrong one.
 */

/** Length in UTF-8 bytes; a lone surrogate counts as the replacement character that it becomes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** The UTF-8 bytes of one code point. */
export function utf8(point: number): readonly number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  if (point >= 0xd800 && point < 0xe000) return utf8(0xfffd);
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

/** Compares texts by their UTF-8 bytes: the order of the store's keys and of every sorted list upstream. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // Code points of surrogates are above every other unit, although their unit values are not.
    const xHigh = x >= 0xd800 && x < 0xe000;
    const yHigh = y >= 0xd800 && y < 0xe000;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

export const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes valid base64 as UTF-8; invalid UTF-8 becomes replacement characters. */
export const textOfBase64 = (base64: string): string => new TextDecoder().decode(bytesOfBase64(base64));

export function bytesOfBase64(base64: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const digit of base64.replaceAll('=', '')) {
    bits = ((bits << 6) | BASE64_DIGITS.indexOf(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return new Uint8Array(bytes);
}

/** Whether a text is non-empty base64 as RFC 4648 defines it, padding included. */
export const isBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** Returns the number of bytes that valid base64 stands for. */
export const byteLengthOfBase64 = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** Encodes a text, as UTF-8, in base64. */
export const base64OfText = (text: string): string => base64OfBytes(new TextEncoder().encode(text));

export function base64OfBytes(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The result of every parser: a value, or the error text for the user. Expected failures are values, not exceptions. */
export type Parsed<T> = { readonly value: T; readonly error?: undefined } | { readonly value?: undefined; readonly error: string };

export const good = <T>(value: T): Parsed<T> => ({ value });
export const bad = (error: string): { readonly value?: undefined; readonly error: string } => ({ error });

const LONGEST = 256;

/**
 * Caches the results of a pure parser. The cache is cleared when full, and skips long texts, so that it is bounded and equal on every host.
 */
export function memoised<T>(read: (text: string) => T, limit: number): (text: string) => T {
  const known = new Map<string, T>();
  // The times of one instant are read one after another.
  const last: { text: string | undefined; answer: T | undefined } = { text: undefined, answer: undefined };
  return (text) => {
    if (last.answer !== undefined && text === last.text) return last.answer;
    const before = known.get(text);
    const answer = before ?? read(text);
    if (text.length > LONGEST) return answer;
    if (before === undefined) {
      if (known.size >= limit) known.clear();
      known.set(text, answer);
    }
    last.text = text;
    last.answer = answer;
    return answer;
  };
}

/** The value of a JSON text; undefined: it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Damerau-Levenshtein distance (neighbouring letters may swap), where a difference in case costs half; it stops counting above `limit`. */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let before: number[] = [];
  let last: number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= to.length; j++) {
      const a = from.charAt(i - 1);
      const b = to.charAt(j - 1);
      const change = a === b ? 0 : a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a === to.charAt(j - 2) && from.charAt(i - 2) === b) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/**
 * Returns the candidate nearest to `word`; undefined: none is near enough. Near enough is about one wrong letter in three, or a name cut
 * short (`backoff` for `backoffLimit`). Among equally near ones the first in byte order wins, whatever their order.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let found: string | undefined;
  let started: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    if (candidate === word) return candidate;
    if (sharesStart(word, candidate) && (started === undefined || compareText(candidate, started) < 0)) started = candidate;
    const distance = editDistance(word, candidate, least);
    if (distance > least) continue;
    if (found === undefined || distance < least || compareText(candidate, found) < 0) found = candidate;
    least = distance;
  }
  return found ?? started;
}

const SHORTEST_START = 3;

function sharesStart(word: string, candidate: string): boolean {
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  return short.length >= SHORTEST_START && long.toLowerCase().startsWith(short.toLowerCase());
}

/** Returns `; did you mean "x"?` to append to an error text, or an empty text. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const name = nearest(word, candidates);
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`;
}

/** `1 node`, `2 nodes`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
