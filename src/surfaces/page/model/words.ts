/** Short texts. */
import { formatSince, headline, lineParts, shortKey, whyOf, type Trace } from '../../../lab/trace/index.ts';

/** A duration in one unit: `1.5s`, `40s`, `3m`, `1.2h`. */
export function duration(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds > 0 && seconds < 0.1) return `${Math.abs(ms)}ms`;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10}s`;
  if (seconds < 120) return `${Math.round(seconds)}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`;
  return `${Math.round(seconds / 360) / 10}h`;
}

/** An instant since the start, without thousandths that are zero: `5s`, `1m30s`, `0.250s`. */
export const since = (ms: number): string => formatSince(ms).replace(/\.000s$/, 's');

/** The clock on a wall in a time zone: `02:30 31 Mar`; undefined: the browser knows no such zone. */
export function wallClock(at: number, zone: string): string | undefined {
  let format = clocks.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('en-GB', { ...CLOCK, timeZone: zone });
    } catch {
      return undefined;
    }
    clocks.set(zone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
  return `${part('hour')}:${part('minute')} ${part('day')} ${part('month')}`;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'short', hourCycle: 'h23' } as const;
const clocks = new Map<string, Intl.DateTimeFormat>();

export const many = (count: number, noun: string, plural = `${noun}s`): string => `${grouped(count)} ${count === 1 ? noun : plural}`;

/** A number with separated thousands, independent of the locale. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** A name of at most so many letters: both ends are kept, because they distinguish it from its siblings. */
export function fitting(name: string, most: number): string {
  if (name.length <= most) return name;
  const end = Math.max(1, Math.floor((most - 1) / 2));
  return `${name.slice(0, Math.max(1, most - 1 - end))}…${name.slice(-end)}`;
}

/** `Pod web-0`: the namespace `default` is left out. */
export const placeName = (kind: string, key: string): string => `${kind} ${shortKey(key)}`;

export interface Said {
  readonly time: string;
  readonly who: string;
  readonly what: string;
  readonly why: string;
}

/** What a process adds to its name when it holds a lease. */
const IDENTITY = /_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

export function sentenceOf(trace: Trace, step: number): Said | undefined {
  const entry = trace.entries[step - 1];
  const parts = lineParts(trace, step);
  if (entry === undefined || parts === undefined) return undefined;
  const about = parts.about === '' || entry.type === 'fault' || parts.what.includes(parts.about) ? '' : `${parts.about}: `;
  const what = (
    entry.type === 'write' && entry.change.kind !== 'Event' ? (headline(entry) ?? parts.what) : `${about}${parts.what}`
  ).replaceAll(IDENTITY, '');
  return {
    time: since(entry.at - trace.startAt),
    who: parts.who,
    what: what.startsWith(`${parts.who} `) ? what.slice(parts.who.length + 1) : what,
    why: parts.why === '' ? whyOf(trace, entry) : parts.why,
  };
}
