/** What Jobs and CronJobs wait for. */
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import { finishedCondition } from '../../../controlplane/shared/index.ts';
import { present, plural } from '../../../schema/values/index.ts';
import { explainerOf, type Situation, type Wait, at, controlledBy, instantOf, isDone, listed, nameOf, namesOf } from '../situation.ts';
import { nextAfter, parseSchedule, type Schedule } from '../../../schema/schedule/index.ts';

export const job = explainerOf('job', 'Job', (object, situation) => {
  if (isDone(object)) return ended(object, situation);
  if (object.spec.suspend) return [{ text: 'is suspended: nothing runs before spec.suspend is false' }];
  return [...pods(object, situation), ...deadline(object, situation)];
});

function pods(object: Job, situation: Situation): readonly Wait[] {
  const { parallelism = 1, completions, backoffLimit = 6 } = object.spec;
  const { succeeded = 0, failed = 0 } = object.status;
  const open = controlledBy(situation, 'Pod', object).filter((pod) => !isDone(pod));
  const going = open.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const left = completions === undefined ? (succeeded > 0 ? 0 : parallelism) : Math.max(0, completions - succeeded);
  const wanted = Math.min(parallelism, left);
  const failures = failed === 0 ? '' : `; ${plural(failed, 'pod')} failed, and ${Math.max(0, backoffLimit + 1 - failed)} more fail the Job`;
  const score = `${succeeded}${completions === undefined ? '' : ` of ${completions}`} succeeded${failures}`;
  if (parallelism === 0) return [{ text: `runs no pods (spec.parallelism: 0), ${score}` }];
  const waits: Wait[] = [];
  if (open.length < wanted) waits.push({ text: `has ${plural(open.length, 'pod')} and wants ${wanted}: ${score}` });
  if (open.length > 0)
    waits.push({
      text: `waits for ${plural(open.length, 'pod')} to end (${namesOf(open)}): ${score}`,
      leadsTo: open.map(nameOf),
    });
  else if (left === 0) waits.push({ text: `waits for its final status to be written: ${score}` });
  if (going.length > 0 && going.length < open.length) waits.push({ text: `includes ${plural(going.length, 'pod')} that is being deleted` });
  return waits;
}

function deadline({ spec: { activeDeadlineSeconds }, status: { startTime } }: Job, situation: Situation): readonly Wait[] {
  if (activeDeadlineSeconds === undefined || startTime === undefined) return [];
  const until = Date.parse(startTime) + activeDeadlineSeconds * 1000;
  return [
    { text: `fails at ${at(situation, until)} unless it finishes before (spec.activeDeadlineSeconds: ${activeDeadlineSeconds})`, until },
  ];
}

function ended(job: Job, situation: Situation): readonly Wait[] {
  const end = finishedCondition(job);
  const endedAt = instantOf(end?.lastTransitionTime);
  if (end === undefined || endedAt === undefined) return [];
  const how = [end.reason, end.message].filter((text) => text !== undefined && text !== '').join(', ');
  const { ttlSecondsAfterFinished: ttl } = job.spec;
  const until = ttl === undefined ? undefined : endedAt + ttl * 1000;
  return [
    {
      text: `${end.type === 'Complete' ? 'is complete' : 'has failed'} since ${at(situation, endedAt)}${how === '' ? '' : `: ${how}`}`,
      ended: true,
    },
    ...(until === undefined ? [] : [{ text: `is deleted at ${at(situation, until)} (spec.ttlSecondsAfterFinished: ${ttl})`, until }]),
  ];
}

/** The number of missed runs at which the controller warns. */
const MANY = 100;

export const cronJob = explainerOf('cron-job', 'CronJob', (object, situation) => {
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
});

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
        text: `has not started ${runs} because ${listed(running)} still ${running.length === 1 ? 'runs' : 'run'} (spec.concurrencyPolicy: Forbid)`,
        leadsTo: running.map((name) => present({ kind: 'Job', name, namespace })),
      },
    ];
  }
  const end = deadline === undefined ? undefined : last + deadline * 1000;
  if (end !== undefined && end < situation.now)
    return [{ text: `missed ${runs} whose time to start ended at ${at(situation, end)} (spec.startingDeadlineSeconds: ${deadline})` }];
  const until = end === undefined ? '' : ` until ${at(situation, end)}`;
  return [present({ text: `has not started ${runs} which ${count === 1 ? 'is' : 'are'} due${until}`, until: end })];
}
