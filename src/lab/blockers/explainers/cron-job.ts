/** A CronJob: when its next run is due, which runs it missed and why, and whether a running Job blocks the next. */
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { nextAfter, parseSchedule, type Schedule } from '../../../schema/schedule/index.ts';
import type { Explainer, Situation, Wait } from '../contract.ts';
import { at, listed, plural } from '../words.ts';

/** The number of missed runs at which the controller warns. */
const MANY = 100;

export const cronJob: Explainer = {
  name: 'cron-job',
  kinds: ['CronJob'],
  explain(object, situation) {
    if (!isOf('CronJob', object) || object.metadata.deletionTimestamp !== undefined) return [];
    const { schedule: text, timeZone, suspend } = object.spec;
    if (suspend) return [{ text: 'is suspended: no run starts before spec.suspend is false' }];
    const zoned = timeZone !== undefined && situation.gates['CronJobTimeZone'] === true;
    const parsed = parseSchedule(zoned ? `TZ=${timeZone} ${text}` : text);
    if (parsed.error !== undefined) return [{ text: `never runs: its schedule ${JSON.stringify(text)} cannot be read (${parsed.error})` }];
    const next = nextAfter(parsed.schedule, situation.now);
    return [
      ...missed(object, parsed.schedule, situation),
      next === undefined
        ? { text: `never runs again: ${JSON.stringify(text)} has no later time` }
        : { text: `waits for its next run at ${at(situation, next)} (${text})`, until: next },
    ];
  },
};

function missed(cronJob: CronJob, schedule: Schedule, situation: Situation): readonly Wait[] {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  const { active = [], lastScheduleTime } = cronJob.status;
  const from = Date.parse(lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  let due = nextAfter(schedule, from);
  let last: number | undefined;
  let count = 0;
  for (; due !== undefined && due <= situation.now && count <= MANY; due = nextAfter(schedule, due)) {
    last = due;
    count++;
  }
  if (last === undefined) return [];
  const runs =
    count > MANY
      ? `more than ${MANY} runs, the first at ${at(situation, nextAfter(schedule, from) ?? from)},`
      : count === 1
        ? `the run of ${at(situation, last)}`
        : `${plural(count, 'run')}, the last at ${at(situation, last)},`;
  const running = active.map(({ name = '' }) => name);
  if (concurrencyPolicy === 'Forbid' && running.length > 0) {
    const { namespace } = cronJob.metadata;
    return [
      {
        text: `has not started ${runs} because ${listed(running)} still runs (spec.concurrencyPolicy: Forbid)`,
        leadsTo: running.map((name) => ({ kind: 'Job', name, ...(namespace === undefined ? {} : { namespace }) })),
      },
    ];
  }
  const end = deadline === undefined ? undefined : last + deadline * 1000;
  if (end !== undefined && end < situation.now)
    return [{ text: `missed ${runs} whose time to start ended at ${at(situation, end)} (spec.startingDeadlineSeconds: ${deadline})` }];
  return [
    {
      text: `has not started ${runs} which ${count === 1 ? 'is' : 'are'} due${end === undefined ? '' : ` until ${at(situation, end)}`}`,
      ...(end === undefined ? {} : { until: end }),
    },
  ];
}
