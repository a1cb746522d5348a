/**
 * Which run of a CronJob is due, how many were missed, and what its Job is called. Models: v1.24 pkg/controller/cronjob
 * mostRecentScheduleTime. Like it, this takes the distance between the first two runs for the distance between all: constant time, but for
 * an uneven schedule (`0 9-17 * * *`) after a long pause the result is a time the schedule never names.
 */
import { nextAfter, type Schedule } from '../../../schema/schedule/index.ts';

export interface DueRun {
  /** The run that should have started last, or nothing when none was due since `earliest`. */
  readonly time: number | undefined;
  readonly missed: number;
  /** So many that the controller warns about it. */
  readonly tooMany: boolean;
  readonly error?: undefined;
}

const TOO_MANY = 100;
const NONE: DueRun = Object.freeze({ time: undefined, missed: 0, tooMany: false });

/**
 * The run due at `now`, looking back to `earliest` (creation, the last run, or as far as a starting deadline allows); instants in
 * milliseconds.
 */
export function mostRecentScheduleTime(schedule: Schedule, earliest: number, now: number): DueRun | { readonly error: string } {
  const first = nextAfter(schedule, earliest);
  if (first === undefined) return { error: NEVER_FIRES };
  if (now < first) return NONE;
  const second = nextAfter(schedule, first);
  if (second === undefined) return { error: NEVER_FIRES };
  if (now < second) return { time: first, missed: 1, tooMany: false };
  const between = second - first;
  const later = Math.floor((now - first) / between);
  return { time: first + later * between, missed: later + 1, tooMany: later + 1 > TOO_MANY };
}

/** The reference's words: it sees two zero times, no second apart. */
const NEVER_FIRES = 'time difference between two schedules less than 1 second';

/** The name of the Job of a run: the minute keeps two controllers from creating it twice. */
export function jobNameFor(cronJobName: string, scheduledAt: number): string {
  return `${cronJobName}-${Math.floor(scheduledAt / 60_000)}`;
}
