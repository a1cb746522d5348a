import { describe, expect, it } from 'vitest';
import type { CronJob } from '../../../../src/apiserver/kinds/index.ts';
import { cronJob } from '../../../../src/controlplane/controllers/cron-job/controller.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, phrase, statusIn } from '../../../support/reconcile.ts';
import { listed, nameOf, runOf, tick } from './objects.ts';

const reported = ({ writes }: Outcome): readonly string[] =>
  writes.flatMap((write) => (write.op === 'event' ? [`${write.event.reason}: ${write.event.message}`] : []));
const made = ({ writes }: Outcome): readonly string[] => writes.filter(({ op }) => op !== 'event').map(phrase);
const statusOf = (outcome: Outcome): CronJob['status'] | undefined => statusIn<CronJob['status']>(outcome);

describe('a run that is due', () => {
  it('is not started twice', () => {
    const byTime = decide(cronJob, { objects: [tick({}, { lastScheduleTime: formatTime(at(60)) })], now: at(90) });
    expect(made(byTime)).toEqual([]);
    const byName = decide(cronJob, {
      objects: [tick({ schedule: '@every 20s' }, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }), runOf(1)],
      now: at(80.1),
    });
    expect([made(byName), byName.why]).toEqual([[], expect.stringContaining('has been started')]);
  });

  it('is the last one when several were missed, with a warning for more than a hundred', () => {
    const few = decide(cronJob, { objects: [tick()], now: at(100 * 60 + 1) });
    expect([made(few), reported(few)]).toEqual([[`create Job ${nameOf(100)}`], []]);
    const many = decide(cronJob, { objects: [tick()], now: at(200 * 60 + 1) });
    expect(made(many)).toEqual([`create Job ${nameOf(200)}`]);
    expect(reported(many)).toEqual([
      'TooManyMissedTimes: too many missed start times: 200. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    ]);
  });

  it('is not found after its starting deadline', () => {
    const inTime = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 30 })], now: at(89) });
    expect(made(inTime)).toEqual([`create Job ${nameOf(1)}`]);
    const late = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 30 })], now: at(91) });
    expect([made(late), reported(late), late.wakeAt]).toEqual([[], [], at(120.1)]);
    const never = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 0 })], now: at(60.1) });
    expect(made(never)).toEqual([]);
  });
});

describe('nothing starts', () => {
  it.each([
    ['while it is suspended', tick({ suspend: true }), [], 'it is suspended'],
    ['while it is being deleted', tick({}, {}, { deletionTimestamp: formatTime(at(61)) }), [], 'it is being deleted'],
    [
      'on 30 February',
      tick({ schedule: '0 0 30 2 *' }),
      ['InvalidSchedule: invalid schedule: 0 0 30 2 * : time difference between two schedules less than 1 second'],
      'its schedule matches no future time',
    ],
    [
      'when the schedule cannot be read',
      tick({ schedule: 'a "b"' }),
      ['UnparseableSchedule: unparseable schedule: "a \\"b\\"" : expected exactly 5 fields, found 2: [a "b"]'],
      'its schedule cannot be read',
    ],
  ])('%s', (_, object, events, why) => {
    const outcome = decide(cronJob, { objects: [object], now: at(1e6) });
    expect([made(outcome), reported(outcome), outcome.why, outcome.wakeAt, outcome.backoff]).toEqual([[], events, why, undefined, 'keep']);
  });

  it('in a zone that does not exist; without the gate the zone does not matter', () => {
    const objects = [tick({ timeZone: 'No/Where' })];
    const outcome = decide(cronJob, { objects, now: at(60.1), gates: { CronJobTimeZone: true } });
    expect([made(outcome), reported(outcome), outcome.wakeAt]).toEqual([
      [],
      ['UnknownTimeZone: invalid timeZone: "No/Where": unknown time zone No/Where'],
      undefined,
    ]);
    expect(made(decide(cronJob, { objects, now: at(60.1) }))).toEqual([`create Job ${nameOf(1)}`]);
  });
});

describe('time zones', () => {
  it('shift the schedule behind their gate', () => {
    const objects = [tick({ schedule: '30 5 * * *', timeZone: 'Asia/Kolkata' })];
    expect(decide(cronJob, { objects, now: at(1), gates: { CronJobTimeZone: true } }).wakeAt).toBe(at(24 * 3600 + 0.1));
    expect(decide(cronJob, { objects, now: at(1) }).wakeAt).toBe(at(5.5 * 3600 + 0.1));
  });

  it('within the schedule take precedence, with a warning at every sync', () => {
    const outcome = decide(cronJob, {
      objects: [tick({ schedule: 'TZ=Asia/Kolkata 30 5 * * *', timeZone: 'Asia/Tokyo' })],
      now: at(1),
      gates: { CronJobTimeZone: true },
    });
    expect(outcome.wakeAt).toBe(at(24 * 3600 + 0.1));
    expect(reported(outcome)).toEqual([
      'UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=Asia/Kolkata 30 5 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ]);
  });
});

describe('concurrency policies', () => {
  it('Forbid starts the missed run as soon as the earlier one has ended', () => {
    const objects = [
      tick({ concurrencyPolicy: 'Forbid' }, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }),
      runOf(1, { as: 'Complete', after: 85 }),
    ];
    const outcome = decide(cronJob, { objects, now: at(145) });
    expect([made(outcome), reported(outcome)]).toEqual([
      [`create Job ${nameOf(2)}`],
      [`SawCompletedJob: Saw completed job: ${nameOf(1)}, status: Complete`],
    ]);
  });
});

describe('the list of running Jobs', () => {
  it('is updated while the CronJob is suspended or being deleted', () => {
    for (const object of [
      tick({ suspend: true }, { active: [listed(1)] }),
      tick({}, { active: [listed(1)] }, { deletionTimestamp: formatTime(at(61)) }),
    ]) {
      expect(statusOf(decide(cronJob, { objects: [object, runOf(1, { as: 'Complete' })], now: at(70) }))).toEqual({});
    }
  });
});
