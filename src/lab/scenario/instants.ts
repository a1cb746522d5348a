/** RFC 3339 instants as milliseconds since the epoch. Our own reading: hosts differ on fractions and roll impossible dates over. */

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** undefined if the text is no instant; fractions below a millisecond are cut off. */
export function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  // Years below 100 would be read as 19xx; nobody starts a cluster then.
  if (year < 100 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) - (parts[8] === '-' ? -offset : offset);
}

/** `2024-03-01T00:00:00Z`, with milliseconds only where there are some. */
export const formatInstant = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
