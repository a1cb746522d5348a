/**
 * RFC 3339 instants as milliseconds since the epoch. The parser is independent of the host, because hosts differ on fractions and on
 * impossible dates.
 */

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses an instant; undefined: the text is none. Fractions of a millisecond are truncated. */
export function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  // Date reads years below 100 as 19xx, so they are refused.
  if (year < 100 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) - (parts[8] === '-' ? -offset : offset);
}

/** Formats an instant: `2024-03-01T00:00:00Z`, with milliseconds where there are any. */
export const formatInstant = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
