/**
 * One field of a cron expression: `*`, `?`, numbers, names, ranges, steps and lists of them, with upstream's error texts. Models:
 * robfig/cron v3 ParseStandard, as CronJob of v1.24 uses it. Its corner cases are kept: empty list entries are skipped (`,` alone matches
 * nothing), `N/step` runs to the maximum, 7 is not a weekday, and a step above 1 removes the effect of a star on the day fields.
 */
import { atoi, parseInt64 } from '../values/index.ts';

export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

/** The values that a field allows. `star`: it was written as `*` or `?`, which decides how the two day fields combine. */
export interface Field {
  readonly allowed: readonly boolean[];
  readonly star: boolean;
  /** No value is allowed: the schedule never fires. */
  readonly empty: boolean;
}

const numbered = (names: string, from: number): Readonly<Record<string, number>> =>
  Object.fromEntries(names.split(' ').map((name, at) => [name, at + from]));

export const MINUTES: Bounds = { min: 0, max: 59 };
export const HOURS: Bounds = { min: 0, max: 23 };
export const DAYS_OF_MONTH: Bounds = { min: 1, max: 31 };
export const MONTHS: Bounds = { min: 1, max: 12, names: numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1) };
export const DAYS_OF_WEEK: Bounds = { min: 0, max: 6, names: numbered('sun mon tue wed thu fri sat', 0) };

/** Why a text is not a valid field; `parseSchedule` turns it into a value. */
export class FieldProblem extends Error {}

/**
 * Returns the parsed field.
 * @throws {FieldProblem} where the text is not a valid field.
 */
export function parseField(text: string, bounds: Bounds): Field {
  const allowed = new Array<boolean>(bounds.max + 1).fill(false);
  let star = false;
  for (const part of text.split(',')) {
    if (part === '') continue;
    const range = parseRange(part, bounds);
    if (range.star) star = true;
    for (let value = range.start; value <= range.end; value += range.step) allowed[Number(value)] = true;
  }
  return { allowed, star, empty: !allowed.includes(true) };
}

/** The numbers are bigints, because Go parses 64-bit numbers and its error texts repeat them in full. */
function parseRange(text: string, bounds: Bounds): { start: bigint; end: bigint; step: bigint; star: boolean } {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreBounds] = range.split('-');
  const max = BigInt(bounds.max);
  let star = low === '*' || low === '?';
  let start = BigInt(bounds.min);
  let end = max;
  if (!star) {
    start = end = parseNumber(low, bounds);
    if (high !== undefined) {
      if (moreBounds.length > 0) throw new FieldProblem(`too many hyphens: ${text}`);
      end = parseNumber(high, bounds);
    }
  }
  let step = 1n;
  if (stepText !== undefined) {
    if (moreSteps.length > 0) throw new FieldProblem(`too many slashes: ${text}`);
    step = parseNumber(stepText);
    if (high === undefined) end = max;
    if (step > 1n) star = false;
  }
  if (start < BigInt(bounds.min)) throw new FieldProblem(`beginning of range (${start}) below minimum (${bounds.min}): ${text}`);
  if (end > max) throw new FieldProblem(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) throw new FieldProblem(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0n) throw new FieldProblem(`step of range should be a positive number: ${text}`);
  return { start, end, step, star };
}

function parseNumber(text: string, bounds?: Bounds): bigint {
  const names = bounds?.names;
  const name = text.toLowerCase();
  const named = names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined;
  if (named !== undefined) return BigInt(named);
  const value = parseInt64(text);
  if (value === undefined) throw new FieldProblem(`failed to parse int from ${text}: ${atoi(text).error}`);
  if (value < 0n) throw new FieldProblem(`negative number (${value}) not allowed: ${text}`);
  return value;
}
