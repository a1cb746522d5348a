/**
 * Time zones: loading by name as Go's `time.LoadLocation` does, and the offset from UTC at any instant in whole milliseconds. The rules of
 * each zone come from the host's `Intl`. They are read once for every year and kept as a list of transitions, so that a conversion costs a
 * comparison or two. Models: Go 1.18 time.LoadLocation. Simplified: the process-local zone is UTC; `right/` zones do not count leap
 * seconds. A host with older zone data may differ for dates whose rules have changed since; runs in Node and in a browser agree as far as
 * their zone data agree.
 */
import { memo } from '../../engine/index.ts';
import { ZONE_AREAS, ZONE_NAMES } from './zone-names.ts';

export interface Zone {
  /** The name as given by the caller. */
  readonly name: string;
  /** Local time minus UTC at the instant `at` (milliseconds since the epoch), in milliseconds. */
  offsetAt(at: number): number;
}

const DAY_MS = 86_400_000;

export const UTC: Zone = Object.freeze({ name: 'UTC', offsetAt: () => 0 });

/** Names that mean UTC here. */
const LIKE_UTC: ReadonlySet<string> = new Set(['', 'UTC', 'Local']);

/** The longest path that a system opens, minus the folder that contains the zones. */
const LONGEST_NAME = 4000;

/** The offset functions of the loaded zones, by id. */
const loaded = memo(new Map<string, Zone['offsetAt']>());

/** Files beside the zones on a usual machine that are not zones. */
const OTHER_FILES: ReadonlySet<string> = new Set([
  'iso3166.tab',
  'leap-seconds.list',
  'leapseconds',
  'tzdata.zi',
  'zone.tab',
  'zone1970.tab',
]);
const LOCAL_LINKS: Readonly<Record<string, string>> = { Factory: 'UTC', localtime: 'UTC', posixrules: 'America/New_York' };

/** Returns the zone of that exact name, or Go's error text. */
export function loadLocation(name: string): { readonly zone: Zone; readonly error?: undefined } | { readonly error: string } {
  if (LIKE_UTC.has(name)) return { zone: UTC };
  // A name is the path of a file: a longer one cannot be opened.
  if (name.length > LONGEST_NAME) return { error: `unknown time zone ${name.slice(0, LONGEST_NAME)}…` };
  if (name.startsWith('/') || name.startsWith('\\') || name.includes('..')) return { error: 'time: invalid location name' };

  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > 1 && (parts[0] === 'posix' || parts[0] === 'right')) parts.shift();
  const file = parts.join('/');
  if (ZONE_AREAS.has(file) || file === '' || file === 'posix' || file === 'right') return { error: 'is a directory' };
  if (OTHER_FILES.has(file)) return { error: 'malformed time zone information' };
  const isFolder = name.endsWith('/') || name.endsWith('/.');
  const id = LOCAL_LINKS[file] ?? file;
  if (!ZONE_NAMES.has(id)) return { error: goesThroughZone(parts) ? 'not a directory' : `unknown time zone ${name}` };
  if (isFolder) return { error: 'not a directory' };

  // The cache is keyed by zone, not by name: a zone has any number of names (`Europe//Berlin`).
  let offsetAt = loaded.get(id);
  if (offsetAt === undefined) {
    const offsetNow = hostOffsets(id);
    if (offsetNow === undefined) return { error: `unknown time zone ${name}` };
    loaded.set(id, (offsetAt = cached(offsetNow)));
  }
  return { zone: Object.freeze({ name, offsetAt }) };
}

function goesThroughZone(parts: readonly string[]): boolean {
  for (let length = 1; length < parts.length; length++) if (ZONE_NAMES.has(parts.slice(0, length).join('/'))) return true;
  return false;
}

/** Caches the transitions of every year that is queried. */
function cached(offsetOf: (at: number) => number): (at: number) => number {
  const years = new Map<number, readonly Span[]>();
  const last = memo<{ span: Span | undefined }>({ span: undefined });
  return (at) => {
    const { span: known } = last;
    if (known !== undefined && at >= known.from && at < known.until) return known.offset;
    const year = new Date(at).getUTCFullYear();
    let spans = years.get(year);
    if (spans === undefined) years.set(year, (spans = spansOf(year, offsetOf)));
    last.span = spans.find(({ until }) => at < until);
    return last.span?.offset ?? offsetOf(at);
  };
}

/** A part of one year with one offset: `from` is included, `until` is not. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

/** The step between queries to the host: since 1965 no zone has kept an offset for less than a week. */
const STEP_MS = 3 * DAY_MS;

function spansOf(year: number, offsetOf: (at: number) => number): readonly Span[] {
  const spans: Span[] = [];
  const end = startOfYear(year + 1);
  let from = startOfYear(year);
  let offset = offsetOf(from);
  for (let asked = from; asked < end;) {
    const later = Math.min(asked + STEP_MS, end);
    if (offsetOf(later) === offset) {
      asked = later;
      continue;
    }
    asked = firstWithout(offset, asked, later, offsetOf);
    if (asked >= end) break;
    spans.push({ from, until: asked, offset });
    from = asked;
    offset = offsetOf(from);
  }
  spans.push({ from, until: end, offset });
  return spans;
}

/** The first whole second in (low, high] whose offset differs. */
function firstWithout(offset: number, low: number, high: number, offsetOf: (at: number) => number): number {
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetOf(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** Undefined: the host does not have the zone. The locale is fixed, so that only zone data may differ. */
function hostFormat(id: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

/** The host's offset at an instant; undefined: the host does not have the zone. */
function hostOffsets(id: string): ((at: number) => number) | undefined {
  const format = hostFormat(id);
  if (format === undefined) return undefined;
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  };
}
