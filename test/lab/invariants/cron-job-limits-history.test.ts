/** Invariants of CronJobs that a controller must restore: how many finished Jobs are kept, and what is listed. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, keep, put, remove, START, tells, tellsAtEnd, wait } from './history.ts';
import { cronJob, DYING, finished, KEY, listed, minute, over, run, status } from './cron-jobs.ts';

describe('cron-job/history-limits-kept', () => {
  const NAME = 'cron-job/history-limits-kept';
  const limits = { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 2 };
  const done = (name: string, type = 'Complete', metadata: object = {}): ApiObject => run(name, finished(type), metadata);
  const keeps = (count: number, type: string, limit: number): string =>
    `CronJob default/cj keeps ${count} Jobs that are ${type}, its limit is ${limit}`;
  const last = { lastScheduleTime: minute(5) };

  it.each<readonly [ApiObject, readonly ApiObject[], string]>([
    [cronJob(limits, last), [done('cj-1'), done('cj-2', 'Failed'), done('cj-3', 'Failed'), run('cj-4')], 'holds'],
    [cronJob(limits, last), [done('cj-1'), done('cj-2')], keeps(2, 'Complete', 1)],
    [cronJob(limits, last), [done('cj-1', 'Failed'), done('cj-2', 'Failed'), done('cj-3', 'Failed')], keeps(3, 'Failed', 2)],
    [cronJob(limits, last), [done('cj-1'), done('cj-2', 'Complete', DYING)], 'holds'],
    [cronJob({}, last), [done('cj-1'), done('cj-2')], 'holds'],
    [cronJob({ successfulJobsHistoryLimit: 0 }, last), [done('by-hand')], keeps(1, 'Complete', 0)],
    // A run after the last recorded one: the controller tries it again and does nothing else.
    [cronJob(limits, last), [done('cj-1'), done('cj-6')], 'holds'],
    [cronJob(limits, last), [done('cj-1'), done('cj-5')], keeps(2, 'Complete', 1)],
    [cronJob({ ...limits, schedule: '@every 30s' }, last), [done('cj-1'), done('cj-5')], 'holds'],
    [cronJob({ ...limits, schedule: '@every 2m' }, last), [done('cj-1'), done('cj-6')], keeps(2, 'Complete', 1)],
    [cronJob({ ...limits, schedule: '@every 2m' }, last), [done('cj-1'), done('cj-7')], 'holds'],
    [cronJob({ ...limits, schedule: 'no schedule' }, last), [done('cj-1'), done('cj-6')], 'holds'],
    [cronJob(limits), [done('cj-1'), done('cj-2')], 'holds'],
    [cronJob(limits, last, DYING), [done('cj-1'), done('cj-2')], '-'],
  ])('of %j at the end', (object, jobs, verdict) => {
    tellsAtEnd(NAME, [object, ...jobs], verdict);
  });

  const two = [
    [put(cronJob(limits, last)), '-'],
    [put(run('cj-1')), '-'],
    [put(run('cj-2')), '-'],
    [over('cj-1'), '-'],
    [edit('Job', 'default/cj-2', { status: finished('Complete') }, { at: 100 }), '-'],
  ] as const;

  it('gives the controller twenty minutes from when the first Job finishes, and again while it writes nothing', () => {
    tells(NAME, [...two, [wait(1199.999), '-'], [status({ active: [] }, { at: 1199 }), '-'], [wait(1200), keeps(2, 'Complete', 1)]]);
    tells(NAME, [
      ...two,
      [wait(1200), '-'],
      [status({ active: [] }, { at: 1201 }), '-'],
      [wait(2399.999), '-'],
      [wait(2400), keeps(2, 'Complete', 1)],
    ]);
    tells(NAME, [...two, [remove('Job', 'default/cj-1'), '-'], [wait(1200), 'holds'], [wait(9999), '-']]);
    tells(NAME, [...two, [edit('CronJob', KEY, { spec: { successfulJobsHistoryLimit: 9 } }), '-'], [wait(1200), 'holds']]);
    tells(NAME, [...two, [edit('CronJob', KEY, { metadata: DYING }), '-'], [wait(1200), '-'], [end(), '-']]);
    tells(NAME, [...two, [remove('CronJob', KEY), '-'], [wait(1200), '-']]);
    tells(NAME, [...two, [end(false), '-'], [end(), keeps(2, 'Complete', 1)]]);
  });

  it('looks after a change of the specification, and does not count Jobs that finished ten seconds ago', () => {
    const story = (at: number, verdict: string): void =>
      tells(NAME, [
        [keep(done('cj-1')), '-'],
        [keep(run('cj-2')), '-'],
        [put(cronJob(limits, last)), '-'],
        [edit('CronJob', KEY, { spec: { suspend: true } }), '-'],
        [status({ ...last, active: [] }), '-'],
        [edit('Job', 'default/cj-2', { status: finished('Complete') }, { at }), '-'],
        [wait(1200), verdict],
      ]);
    story(1190, keeps(2, 'Complete', 1));
    story(1190.001, 'holds');
  });

  it('describes what is due and what is recent', () => {
    const waiting = new Map([['uid-cj', { key: KEY, due: START + 1_200_000, alive: false }]]);
    tells(NAME, [
      ...two,
      [described, [waiting, new Map([['uid-cj-2', START + 100_000]])]],
      [edit('Job', 'default/cj-2', { status: finished('Complete') }, { at: 105 }), '-'],
      [remove('Job', 'default/cj-1', { at: 109 }), '-'],
      [
        described,
        [
          waiting,
          new Map([
            ['uid-cj-2', START + 100_000],
            ['uid-cj-1', START + 109_000],
          ]),
        ],
      ],
      [status({ ...last }), '-'],
      [
        described,
        [
          new Map([['uid-cj', { key: KEY, due: START + 1_200_000, alive: true }]]),
          new Map([
            ['uid-cj-2', START + 100_000],
            ['uid-cj-1', START + 109_000],
          ]),
        ],
      ],
    ]);
  });
});

describe('cron-job/active-list-is-true', () => {
  const NAME = 'cron-job/active-list-is-true';
  const lists = (how: string): string => `CronJob default/cj lists cj-1 as running, which ${how}`;

  it.each<readonly [readonly ApiObject[], string]>([
    [[cronJob({}, listed('cj-1')), run('cj-1')], 'holds'],
    [[cronJob({}, listed('cj-1'))], lists('does not exist')],
    [[cronJob({}, listed('cj-1')), run('cj-1', finished('Failed'))], lists('is Failed')],
    [[cronJob({}, listed('cj-1')), run('cj-1', finished('Complete'))], lists('is Complete')],
    [[cronJob({}, {})], 'holds'],
    [[cronJob({}, { active: [{}] })], 'CronJob default/cj lists  as running, which does not exist'],
  ])('of %j', (objects, verdict) => {
    tellsAtEnd(NAME, objects, verdict);
  });

  it('gives a Job that has ended ten seconds', () => {
    const story = (at: number, verdict: string): void =>
      tells(NAME, [
        [put(cronJob()), '-'],
        [put(run('cj-1')), '-'],
        [edit('CronJob', KEY, { spec: { suspend: true } }), '-'],
        [status(listed('cj-1')), '-'],
        [remove('Job', 'default/cj-1', { at }), '-'],
        [wait(1200), verdict],
      ]);
    story(1190, lists('does not exist'));
    story(1190.001, 'holds');
  });
});
