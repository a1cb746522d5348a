/** Query strings and their values as Go reads them. Models: net/url ParseQuery, apimachinery pkg/runtime/conversion.go. */
import { badRequest } from '../refusals.ts';

export type Query = ReadonlyMap<string, readonly string[]>;

const MOST_PARAMETERS = 1000;

/** Pairs that cannot be decoded, or contain a semicolon, are dropped silently. */
export function parseQuery(search: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of search.split('&').slice(0, MOST_PARAMETERS)) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const key = unescaped(at < 0 ? pair : pair.slice(0, at));
    const value = unescaped(at < 0 ? '' : pair.slice(at + 1));
    if (key === undefined || value === undefined) continue;
    const values = query.get(key);
    if (values === undefined) query.set(key, [value]);
    else values.push(value);
  }
  return query;
}

function unescaped(text: string): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  return decodePercent(text.replaceAll('+', ' '));
}

/** Decodes percent escapes as UTF-8; invalid bytes become U+FFFD, as in JSON. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return Buffer.from(
      text
        .replace(/[^\x00-\x7f]/g, (char) => encodeURIComponent(char))
        .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8');
  }
}

export const firstOf = (query: Query, name: string): string | undefined => query.get(name)?.[0];

/** Everything except `0` and `false` is true, including the empty text. */
export function flagOf(query: Query, name: string): boolean | undefined {
  const value = firstOf(query, name)?.toLowerCase();
  return value === undefined ? undefined : value !== '0' && value !== 'false';
}

const INT64 = 1n << 63n;

/** Returns an integer; refuses other texts with Go's error. */
export function integerOf(query: Query, name: string): number | undefined {
  const value = firstOf(query, name);
  if (value === undefined) return undefined;
  if (!/^[-+]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  const number = BigInt(value.replace(/^\+/, ''));
  if (number >= INT64 || number < -INT64) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  return Number(number);
}

/** Parses like strconv.ParseBool; undefined for other texts. */
export function booleanText(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (/^(?:1|t|T|true|TRUE|True)$/.test(value)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(value) ? false : undefined;
}
