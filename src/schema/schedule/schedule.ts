/**
 * Cron schedules: parsing of a CronJob's `spec.schedule`, and its next firing time. Models: robfig/cron v3 (ParseStandard,
 * SpecSchedule.Next, ConstantDelaySchedule.Next) as v1.24 uses it: five fields, descriptors, `@every`, a `TZ=` or `CRON_TZ=` prefix,
 * upstream's error texts.
 * Deviates where upstream crashes or loops indefinitely: a prefix with nothing after it is an error, and a day that a zone left out is
 * skipped.
 */
import { memoised, parseGoDuration } from '../values/index.ts';
import { DAYS_OF_MONTH, DAYS_OF_WEEK, type Field, FieldProblem, HOURS, MINUTES, MONTHS, parseField } from './field.ts';
import { loadLocation, UTC, type Zone } from './zone.ts';

export interface CalendarSchedule {
  readonly kind: 'calendar';
  readonly zone: Zone;
  readonly minute: Field;
  readonly hour: Field;
  readonly dayOfMonth: Field;
  readonly month: Field;
  readonly dayOfWeek: Field;
}

/** `@every`: a fixed interval after any given instant. */
export interface IntervalSchedule {
  readonly kind: 'interval';
  readonly everyMs: number;
}

export type Schedule = CalendarSchedule | IntervalSchedule;
export type ParsedSchedule = { readonly schedule: Schedule; readonly error?: undefined } | { readonly error: string };

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';

/** Go's unicode.IsSpace. */
const BLANK = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const BLANKS = new RegExp(BLANK, 'u');
const OUTER_BLANKS = new RegExp(`^${BLANK}|${BLANK}$`, 'gu');

/**
 * Returns the schedule, or upstream's text for what is wrong with it. Results are cached: the controller parses the same text at every
 * sync.
 */
export const parseSchedule: (text: string) => ParsedSchedule = memoised(parse, 1000);

/**
 * The maximum length of a schedule in characters. This limit is ours: upstream accepts any length and parses it again at every sync. A list
 * of all minutes takes 169 characters.
 */
const LONGEST = 1024;

function parse(text: string): ParsedSchedule {
  if (text === '') return { error: 'empty spec string' };
  if (text.length > LONGEST) return { error: `expected at most ${LONGEST} characters, found ${text.length}` };
  let rest = text;
  let zone = UTC;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const blank = text.indexOf(' ');
    if (blank < 0) return { error: `expected a blank and a schedule after the time zone: ${text}` };
    const name = text.slice(text.indexOf('=') + 1, blank);
    const location = loadLocation(name);
    if (location.error !== undefined) return { error: `provided bad location ${name}: ${location.error}` };
    zone = location.zone;
    rest = trim(text.slice(blank));
  }
  if (rest.startsWith('@')) return parseDescriptor(rest, zone);
  return parseFields(rest, zone);
}

const words = (text: string): readonly string[] => text.split(BLANKS).filter((word) => word !== '');

const trim = (text: string): string => text.replace(OUTER_BLANKS, '');

function parseDescriptor(text: string, zone: Zone): ParsedSchedule {
  const fields = DESCRIPTORS.get(text);
  if (fields !== undefined) return parseFields(fields, zone);
  if (!text.startsWith(EVERY)) return { error: `unrecognized descriptor: ${text}` };
  const duration = parseGoDuration(text.slice(EVERY.length));
  if (duration.error !== undefined) return { error: `failed to parse duration ${text}: ${duration.error}` };
  const seconds = duration.value / 1_000_000_000n;
  return { schedule: { kind: 'interval', everyMs: seconds < 1n ? 1000 : Number(seconds) * 1000 } };
}

function parseFields(text: string, zone: Zone): ParsedSchedule {
  const fields = words(text);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (
    fields.length !== 5 ||
    minute === undefined ||
    hour === undefined ||
    dayOfMonth === undefined ||
    month === undefined ||
    dayOfWeek === undefined
  ) {
    return { error: `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]` };
  }
  try {
    return {
      schedule: {
        kind: 'calendar',
        zone,
        minute: parseField(minute, MINUTES),
        hour: parseField(hour, HOURS),
        dayOfMonth: parseField(dayOfMonth, DAYS_OF_MONTH),
        month: parseField(month, MONTHS),
        dayOfWeek: parseField(dayOfWeek, DAYS_OF_WEEK),
      },
    };
  } catch (problem) {
    if (problem instanceof FieldProblem) return { error: problem.message };
    throw problem;
  }
}

/**
 * The first instant after `after` at which the schedule fires, both in milliseconds since the epoch; undefined: it does not fire within
 * five years.
 */
export function nextAfter(schedule: Schedule, after: number): number | undefined {
  const second = Math.floor(after / 1000) * 1000;
  if (schedule.kind === 'interval') return second + schedule.everyMs;
  if (schedule.minute.empty || schedule.hour.empty || schedule.month.empty) return undefined;
  return nextFiring(schedule, second + 1000);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Moves from `at` to the next match, coarse units first. It works on real instants, so a time in a repeated hour fires twice and a time in
 * a missing hour does not fire. The first step of a unit also resets the smaller units to their start; an overflow into a larger unit
 * starts the search again.
 */
function nextFiring(schedule: CalendarSchedule, at: number): number | undefined {
  const { zone, month, hour, minute } = schedule;
  let local = localOf(zone, at);
  const lastYear = local.getUTCFullYear() + 5;
  let aligned = false;
  const move = (to: number): void => {
    at = to;
    local = localOf(zone, at);
  };
  restart: for (;;) {
    if (local.getUTCFullYear() > lastYear) return undefined;
    while (month.allowed[local.getUTCMonth() + 1] !== true) {
      if (!aligned) move(instantOf(zone, local.getUTCFullYear(), local.getUTCMonth(), 1, 0));
      aligned = true;
      move(instantOf(zone, local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate(), timeOfDay(local)));
      if (local.getUTCMonth() === 0) continue restart;
    }
    while (!dayMatches(schedule, local)) {
      if (!aligned) move(instantOf(zone, local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), 0));
      aligned = true;
      move(nextDay(zone, at, local));
      if (local.getUTCDate() === 1) continue restart;
    }
    while (hour.allowed[local.getUTCHours()] !== true) {
      if (!aligned) move(instantOf(zone, local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), local.getUTCHours() * HOUR));
      aligned = true;
      move(at + HOUR);
      if (local.getUTCHours() === 0) continue restart;
    }
    while (minute.allowed[local.getUTCMinutes()] !== true) {
      if (!aligned) at = Math.floor(at / MINUTE) * MINUTE;
      aligned = true;
      move(at + MINUTE);
      if (local.getUTCMinutes() === 0) continue restart;
    }
    const seconds = local.getUTCSeconds();
    if (seconds === 0) return at;
    aligned = true;
    const whole = at + (60 - seconds) * SECOND;
    if (zone.offsetAt(whole) === zone.offsetAt(at)) move(whole);
    else
      do move(at + SECOND);
      while (local.getUTCSeconds() !== 0);
  }
}

/** If either day field is a star, both must match (a star always does); if neither is, one match is enough. */
function dayMatches({ dayOfMonth, dayOfWeek }: CalendarSchedule, local: Date): boolean {
  const inMonth = dayOfMonth.allowed[local.getUTCDate()] === true;
  const inWeek = dayOfWeek.allowed[local.getUTCDay()] === true;
  return dayOfMonth.star || dayOfWeek.star ? inMonth && inWeek : inMonth || inWeek;
}

/**
 * The same time on the next day, moved back to the full hour nearest to midnight when a change of offset shifted it. A day that the zone
 * left out is skipped.
 */
function nextDay(zone: Zone, at: number, local: Date): number {
  for (let days = 1; ; days++) {
    let next = instantOf(zone, local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days, timeOfDay(local));
    const hours = localOf(zone, next).getUTCHours();
    next += (hours > 12 ? 24 - hours : -hours) * HOUR;
    if (next > at) return next;
  }
}

/** The local clock at an instant, as a Date whose UTC fields are the local ones. */
function localOf(zone: Zone, at: number): Date {
  return new Date(at + zone.offsetAt(at));
}

const timeOfDay = (local: Date): number => local.getUTCHours() * HOUR + local.getUTCMinutes() * MINUTE + local.getUTCSeconds() * SECOND;

/**
 * Go's time.Date: the first of a repeated time. A missing time is converted with the offset before or after the gap, depending on where the
 * first guess lies.
 */
function instantOf(zone: Zone, year: number, month: number, day: number, time: number): number {
  const local = Date.UTC(year, month, day) + time;
  const guess = local - zone.offsetAt(local);
  return local - zone.offsetAt(guess);
}
