/** Invariants of CronJobs, write by write. */
import { describe, it } from 'vitest';
import { described, edit, ownedBy, put, remove, START, tells } from './history.ts';
import { cronJob, DYING, finished, KEY, listed, minute, over, run, status } from './cron-jobs.ts';

describe.each([
  ['Forbid', 'cron-job/forbid-never-overlaps', 'cj forbids it'],
  ['Replace', 'cron-job/replace-never-overlaps', 'cj replaces running Jobs'],
])('with the policy %s', (policy, name, although) => {
  const forbids = { concurrencyPolicy: policy };
  const overlaps = (one: string, other: string): string => `Job default/${one} was started while ${other} still ran, although ${although}`;
  const start = [
    [put(cronJob(forbids)), '-'],
    [put(run('cj-1')), 'holds'],
    [status(listed('cj-1')), '-'],
  ] as const;

  it('no run starts while a listed one is unfinished', () => {
    tells(name, [...start, [put(run('cj-2')), overlaps('cj-2', 'cj-1')], [edit('Job', 'default/cj-2', { status: {} }), '-']]);
    tells(name, [
      ...start,
      [edit('Job', 'default/cj-1', { status: finished('Complete', 'False') }), '-'],
      [put(run('cj-2')), overlaps('cj-2', 'cj-1')],
    ]);
    tells(name, [...start, [status({ active: [] }), '-'], [put(run('cj-2')), overlaps('cj-2', 'cj-1')]]);
    tells(name, [...start, [over('cj-1'), '-'], [put(run('cj-2')), 'holds']]);
    tells(name, [...start, [over('cj-1', 'Failed'), '-'], [put(run('cj-2')), 'holds']]);
    tells(name, [...start, [over('cj-1', 'Other'), '-'], [put(run('cj-2')), overlaps('cj-2', 'cj-1')]]);
    tells(name, [...start, [remove('Job', 'default/cj-1'), '-'], [put(run('cj-2')), 'holds']]);
    tells(name, [...start, [edit('Job', 'default/cj-1', { metadata: { ownerReferences: [] } }), '-'], [put(run('cj-2')), 'holds']]);
  });

  it('a run that was never listed does not count, nor one without a minute in its name', () => {
    tells(name, [
      [put(cronJob(forbids)), '-'],
      [put(run('cj-1')), 'holds'],
      [put(run('cj-2')), 'holds'],
      [status({ active: [{ name: 'cj-1' }] }), '-'],
      [put(run('cj-3')), 'holds'],
      [put(run('cj-x')), '-'],
      [put(run('cj-')), '-'],
      [put(run('other-4')), '-'],
      [put(run('cj-5', {}, ownedBy('CronJob', 'cj', 'uid-old'))), '-'],
      [put(run('cj-6', {}, ownedBy('Job', 'cj'))), '-'],
      [put(run('cj-7', {}, { ownerReferences: [] })), '-'],
    ]);
  });

  it('a policy counts ten seconds after it was set, and from the start of a new CronJob', () => {
    tells(name, [
      [put(cronJob({ concurrencyPolicy: 'Allow' })), '-'],
      [put(run('cj-1')), '-'],
      [status(listed('cj-1')), '-'],
      [edit('CronJob', KEY, { spec: forbids }, { at: 20 }), '-'],
      [edit('CronJob', KEY, { spec: forbids }, { at: 25 }), '-'],
      [put(run('cj-2'), { at: 29.999 }), '-'],
      [put(run('cj-3'), { at: 30 }), overlaps('cj-3', 'cj-1')],
      [edit('CronJob', KEY, { spec: { concurrencyPolicy: 'Allow' } }), '-'],
      [edit('CronJob', KEY, { spec: forbids }), '-'],
      [put(run('cj-4')), '-'],
      [remove('CronJob', KEY), '-'],
      [put(run('cj-5'), { at: 60 }), '-'],
    ]);
  });

  it('describes the policy, what was listed, and what is unfinished', () => {
    tells(name, [
      ...start,
      [put(run('cj-2'), { at: 1 }), overlaps('cj-2', 'cj-1')],
      [described, [new Map([['uid-cj', START - 10_000]]), new Set(['uid-cj-1']), new Map([['uid-cj', new Set(['uid-cj-1', 'uid-cj-2'])]])]],
      [remove('Job', 'default/cj-1'), '-'],
      [over('cj-2'), '-'],
      [described, [new Map([['uid-cj', START - 10_000]]), new Set(), new Map()]],
      [remove('CronJob', KEY), '-'],
      [described, [new Map(), new Set(), new Map()]],
    ]);
  });

  it('a run that is being deleted counts with Forbid only', () => {
    const dies = [edit('Job', 'default/cj-1', { metadata: DYING }), '-'] as const;
    tells(name, [...start, dies, [put(run('cj-2')), policy === 'Forbid' ? overlaps('cj-2', 'cj-1') : 'holds']]);
  });
});

describe('cron-job/one-job-per-minute', () => {
  const NAME = 'cron-job/one-job-per-minute';
  const twice = (name: string, is: number, was: number): string =>
    `Job default/${name} is for minute ${is}, but minute ${was} was run before it`;

  it('runs each minute once, and none after a later one', () => {
    tells(NAME, [
      [put(cronJob()), '-'],
      [put(run('cj-5')), '-'],
      [status({ lastScheduleTime: minute(5) }), '-'],
      [put(run('cj-6')), 'holds'],
      [status({ lastScheduleTime: minute(6) }), '-'],
      [put(run('cj-4')), twice('cj-4', 4, 6)],
      [remove('Job', 'default/cj-6'), '-'],
      [put(run('cj-6')), twice('cj-6', 6, 6)],
      [put(run('cj-8')), 'holds'],
      [described, new Map([['uid-cj', 8]])],
    ]);
  });

  it('may run a minute again that is recorded only by a Job that was deleted', () => {
    tells(NAME, [
      [put(cronJob({}, { lastScheduleTime: minute(5) })), '-'],
      [put(run('cj-5')), '-'],
      [put(run('cj-6')), 'holds'],
      [remove('Job', 'default/cj-5'), '-'],
      [remove('Job', 'default/cj-6'), '-'],
      [put(run('cj-6')), '-'],
      [put(run('cj-x')), '-'],
      [remove('Job', 'default/cj-x'), '-'],
      [put(run('cj-7')), 'holds'],
    ]);
    tells(NAME, [
      [put(cronJob()), '-'],
      [put(run('cj-5')), '-'],
      [remove('Job', 'default/cj-5'), '-'],
      [put(run('cj-5')), '-'],
    ]);
  });

  it('may run earlier minutes when a user has set the time back, or has made the CronJob anew', () => {
    tells(NAME, [
      [put(cronJob({}, { lastScheduleTime: minute(9) })), '-'],
      [put(run('cj-9')), '-'],
      [status({ lastScheduleTime: minute(9) }), '-'],
      [put(run('cj-8')), twice('cj-8', 8, 9)],
      [status({ lastScheduleTime: minute(3) }), '-'],
      [put(run('cj-4')), '-'],
      [status({ lastScheduleTime: undefined }), '-'],
      [put(run('cj-3')), '-'],
      [remove('CronJob', KEY), '-'],
      [put(cronJob()), '-'],
      [put(run('cj-2')), '-'],
    ]);
  });

  it('is not about intervals', () => {
    tells(NAME, [
      [put(cronJob({ schedule: '@every 30s' })), '-'],
      [put(run('cj-5')), '-'],
      [put(run('cj-4')), '-'],
    ]);
  });
});

describe('cron-job/suspended-starts-nothing', () => {
  it('counts from ten seconds after the suspension', () => {
    tells('cron-job/suspended-starts-nothing', [
      [put(cronJob()), '-'],
      [put(run('cj-1')), 'holds'],
      [edit('CronJob', KEY, { spec: { suspend: true } }, { at: 5 }), '-'],
      [status({ lastScheduleTime: minute(1) }, { at: 8 }), '-'],
      [put(run('cj-2'), { at: 14.999 }), 'holds'],
      [put(run('cj-3'), { at: 15 }), 'Job default/cj-3 was started although cj has been suspended for 10 s'],
      [described, new Map([['uid-cj', START + 5000]])],
      [edit('CronJob', KEY, { spec: { suspend: false } }), '-'],
      [put(run('cj-4')), 'holds'],
      [edit('CronJob', KEY, { spec: { suspend: true } }, { at: 20 }), '-'],
      [remove('CronJob', KEY, { at: 40 }), '-'],
      [described, new Map()],
    ]);
  });
});
