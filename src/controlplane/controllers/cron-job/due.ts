/**
 * Which run of a CronJob is due, and which changes enqueue it. Models: v1.24.0 pkg/controller/cronjob getNextScheduleTime,
 * nextScheduledTimeDuration, formatSchedule, addJob, updateJob, deleteJob, updateCronJob.
 */
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import { type FeatureGates, controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import { loadLocation, nextAfter, parseSchedule, type Schedule } from '../../../schema/schedule/index.ts';
import { formatDurationMs, parseTime, quote } from '../../../schema/values/index.ts';
import { record, type Delta, type Enqueue, type ObserveContext, type Write } from '../../runtime/index.ts';
import { referenced } from '../../shared/index.ts';

/** Added to every wake-up, so that a run does not start twice when the clock is set back a little. Milliseconds. */
const DELTA_MS = 100;

/** `wakeAt`: when to check again, if ever. `why`: for a CronJob of which no run is due. */
type Due = { readonly events: readonly Write[]; readonly wakeAt: number | undefined } & (
  | { readonly run: undefined; readonly why: string }
  | { readonly run: number; readonly missed: number }
);

/** The time zone of the controller's process; undefined: UTC. */
export interface ZoneOfProcess {
  readonly zone: string | undefined;
}

interface Setting {
  readonly now: number;
  readonly gates: FeatureGates;
  readonly state?: ZoneOfProcess;
}

/** The parsed schedule: a zone in the text takes precedence over `timeZone`, which counts only behind its gate; then the process's zone. */
function scheduleOf({ spec: { schedule, timeZone } }: CronJob, { gates, state }: Setting): ReturnType<typeof parseSchedule> {
  if (schedule.includes('TZ')) return parseSchedule(schedule);
  const usesZone = gates['CronJobTimeZone'] === true && timeZone !== undefined && loadLocation(timeZone).error === undefined;
  const zone = usesZone ? timeZone : state?.zone;
  return parseSchedule(zone === undefined ? schedule : `TZ=${zone} ${schedule}`);
}

/** When to check for the first run after now; undefined: there is none. */
export function nextLook(cronJob: CronJob, setting: Setting): number | undefined {
  const parsed = scheduleOf(cronJob, setting);
  return parsed.error === undefined ? lookAfter(parsed.schedule, setting.now) : undefined;
}

/** The period of runs from now on, by the next two of them; undefined: there are none. */
export function rhythmOf(cronJob: CronJob, setting: Setting): { readonly everyMs: number; readonly does: string } | undefined {
  const parsed = scheduleOf(cronJob, setting);
  if (parsed.error !== undefined) return undefined;
  const next = nextAfter(parsed.schedule, setting.now);
  const second = next === undefined ? undefined : nextAfter(parsed.schedule, next);
  if (next === undefined || second === undefined) return undefined;
  const everyMs = second - next;
  return { everyMs, does: `fires every ${UNITS.get(everyMs) ?? formatDurationMs(everyMs)}` };
}

const UNITS: ReadonlyMap<number, string> = new Map([
  [60_000, 'minute'],
  [3_600_000, 'hour'],
  [86_400_000, 'day'],
  [7 * 86_400_000, 'week'],
]);

function lookAfter(schedule: Schedule, now: number): number | undefined {
  const next = nextAfter(schedule, now);
  return next === undefined ? undefined : next + DELTA_MS;
}

/** Decides by schedule, zone, suspension and deletion. Active runs are not considered here. */
export function dueRun(cronJob: CronJob, setting: Setting): Due {
  const { now, gates } = setting;
  const { spec, metadata } = cronJob;
  const warning = (reason: string, message: string): Write => record(cronJob, 'Warning', reason, message);
  const never = (why: string, ...events: readonly Write[]): Due => ({ run: undefined, why, events, wakeAt: undefined });
  if (metadata.deletionTimestamp !== undefined) return never('it is being deleted');
  const zoneError = gates['CronJobTimeZone'] === true && spec.timeZone !== undefined ? loadLocation(spec.timeZone).error : undefined;
  if (zoneError !== undefined)
    return never(
      `its time zone ${spec.timeZone} is unknown`,
      warning('UnknownTimeZone', `invalid timeZone: ${quote(spec.timeZone ?? '')}: ${zoneError}`),
    );
  if (spec.suspend) return never('it is suspended');

  const events = spec.schedule.includes('TZ')
    ? [
        warning(
          'UnsupportedSchedule',
          `CRON_TZ or TZ used in schedule ${quote(spec.schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
        ),
      ]
    : [];
  const parsed = scheduleOf(cronJob, setting);
  if (parsed.error !== undefined)
    return never(
      'its schedule cannot be read',
      ...events,
      warning('UnparseableSchedule', `unparseable schedule: ${quote(spec.schedule)} : ${parsed.error}`),
    );

  const due = mostRecentScheduleTime(parsed.schedule, earliestRun(cronJob, now), now);
  if (due.error !== undefined)
    return never(
      'its schedule matches no future time',
      ...events,
      warning('InvalidSchedule', `invalid schedule: ${spec.schedule} : ${due.error}`),
    );
  if (due.missed > TOO_MANY)
    events.push(
      warning(
        'TooManyMissedTimes',
        `too many missed start times: ${due.missed}. Set or decrease .spec.startingDeadlineSeconds or check clock skew`,
      ),
    );
  const wakeAt = lookAfter(parsed.schedule, now);
  return due.time === undefined
    ? { run: undefined, why: 'no run is due', events, wakeAt }
    : { run: due.time, missed: due.missed, events, wakeAt };
}

/** Runs after this instant may still start; a run that is overdue for longer is never found. */
function earliestRun({ metadata, spec, status }: CronJob, now: number): number {
  const last = parseTime(status.lastScheduleTime ?? metadata.creationTimestamp);
  return spec.startingDeadlineSeconds === undefined ? last : Math.max(last, now - spec.startingDeadlineSeconds * 1000);
}

/**
 * The due run of a CronJob, the number of missed runs, and the name of its Job. Models: v1.24 pkg/controller/cronjob
 * mostRecentScheduleTime. Like upstream, this assumes that all runs are as far apart as the first two: it takes constant time, but for an
 * uneven schedule (`0 9-17 * * *`) after a long pause the result is a time that the schedule does not contain.
 */
interface DueRun {
  /** The most recent run that should have started; undefined: none was due since `earliest`. */
  readonly time: number | undefined;
  readonly missed: number;
  readonly error?: undefined;
}

/** The limit of upstream's warning. */
const TOO_MANY = 100;

/** `earliest`: the creation, the last run, or the start of the starting deadline. Instants in milliseconds. */
export function mostRecentScheduleTime(schedule: Schedule, earliest: number, now: number): DueRun | { readonly error: string } {
  const first = nextAfter(schedule, earliest);
  if (first === undefined) return { error: NEVER_FIRES };
  if (now < first) return { time: undefined, missed: 0 };
  const second = nextAfter(schedule, first);
  if (second === undefined) return { error: NEVER_FIRES };
  if (now < second) return { time: first, missed: 1 };
  const between = second - first;
  const later = Math.floor((now - first) / between);
  return { time: first + later * between, missed: later + 1 };
}

/** Upstream's text: it compares two zero times, which are less than a second apart. */
const NEVER_FIRES = 'time difference between two schedules less than 1 second';

/** The name of a run's Job: it contains the minute, so that two controllers cannot create the Job twice. */
export function jobNameFor(cronJobName: string, scheduledAt: number): string {
  return `${cronJobName}-${Math.floor(scheduledAt / 60_000)}`;
}

export function cronJobsOfJob({ object, old }: Delta<'Job'>, context: ObserveContext): readonly string[] {
  const owners = [old, object].map((job) => job && referenced('CronJob', job.metadata.namespace, controllerOf(job), context));
  return [...new Set(owners.flatMap((cronJob) => (cronJob === undefined ? [] : [keyOf(cronJob)])))];
}

/** A new schedule enqueues the key for its first run (at once if there is none); any other change enqueues it at once. */
export function afterChange(
  { object: cronJob, old: before, type, key }: Delta<'CronJob'>,
  { now, gates, state }: ObserveContext<ZoneOfProcess>,
): Enqueue | undefined {
  if (type !== 'MODIFIED' || before === undefined || !isRescheduled(cronJob, before, gates)) return key;
  return { key, afterMs: (nextLook(cronJob, { now, gates, state }) ?? now) - now };
}

const isRescheduled = ({ spec }: CronJob, before: CronJob, gates: ObserveContext['gates']): boolean =>
  spec.schedule !== before.spec.schedule || (gates['CronJobTimeZone'] === true && spec.timeZone !== before.spec.timeZone);
