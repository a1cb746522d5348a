/**
 * The due run of a CronJob, the number of missed runs, and the name of its Job. Models: v1.24 pkg/controller/cronjob
 * mostRecentScheduleTime. Like upstream, this assumes that all runs are as far apart as the first two: it takes constant time, but for an
 * uneven schedule (`0 9-17 * * *`) after a long pause the result is a time that the schedule does not contain.
 */
import { nextAfter, type Schedule } from '../../../schema/schedule/index.ts';

export interface DueRun {
  /** The most recent run that should have started; undefined: none was due since `earliest`. */
  readonly time: number | undefined;
  readonly missed: number;
  /** The number exceeds the limit of upstream's warning. */
  readonly tooMany: boolean;
  readonly error?: undefined;
}

const TOO_MANY = 100;
const NONE: DueRun = Object.freeze({ time: undefined, missed: 0, tooMany: false });

/**
 * The run that is due at `now`, since `earliest` (the creation, the last run, or the start of the starting deadline); instants in
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

/** Upstream's text: it compares two zero times, which are less than a second apart. */
const NEVER_FIRES = 'time difference between two schedules less than 1 second';

/** The name of a run's Job: it contains the minute, so that two controllers cannot create the Job twice. */
export function jobNameFor(cronJobName: string, scheduledAt: number): string {
  return `${cronJobName}-${Math.floor(scheduledAt / 60_000)}`;
}
