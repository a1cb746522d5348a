/** What a dump shows of how pods behave: how long runs take, how containers start and end, and what they use. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { behaviorsIn } from '../../../src/lab/snapshot/index.ts';
import { objectOf, ownedBy, podOf, snapshotOf, type Shown } from './objects.ts';

const MATCH = { matchLabels: { app: 'web' } };
const deployment = objectOf('Deployment', 'web', { spec: { selector: MATCH } });
const set = objectOf('ReplicaSet', 'web-1', { spec: { selector: MATCH } }, ownedBy(deployment));
const behaviors = (objects: readonly ApiObject[], takenSeconds?: number) => behaviorsIn(snapshotOf(objects, takenSeconds)).podBehaviors;
const failed = { conditions: [{ type: 'Failed', status: 'True' }] };

describe('the runs of a CronJob', () => {
  const cron = (status: object = {}) => objectOf('CronJob', 'nightly', { spec: {}, status });
  const run = (name: string, status: object) => objectOf('Job', name, { status }, ownedBy(cron()));
  const took = (from: number, to: number) => ({ startTime: `2024-05-02T10:00:${from}0Z`, completionTime: `2024-05-02T10:00:${to}0Z` });
  const found = (...objects: readonly ApiObject[]) => {
    const [first] = behaviors(objects);
    return [first?.about.replace('CronJob shop/nightly: ', ''), first?.entry];
  };
  const entry = (runFor: string, exitCode = 0) => ({ namespace: 'shop', owner: 'Job/nightly-*', runFor, exitCodes: [exitCode] });

  it('take as long as the middle one of its pods, or of its Jobs', () => {
    const jobs = [run('nightly-1', took(1, 2)), run('nightly-2', took(1, 5)), run('nightly-3', took(1, 3))];
    expect(found(cron(), ...jobs)).toEqual(['3 runs in the dump took 20s in the middle', entry('20s')]);
    const pods = jobs.map((job, nth) => podOf(`p-${nth}`, job, { phase: 'Succeeded', ended: [0, 0, 3 + nth] }));
    expect(found(cron(), ...jobs, ...pods)).toEqual(['3 runs in the dump took 4s in the middle', entry('4s')]);
    expect(found(cron(), run('nightly-1', took(1, 2)))).toEqual(['1 run in the dump took 10s in the middle', entry('10s')]);
  });

  it('fail where more than half of them did', () => {
    const [ok, bad] = [run('nightly-1', took(1, 2)), run('nightly-2', { ...took(1, 2), ...failed })];
    expect(found(cron(), ok, bad)).toEqual(['2 runs in the dump took 10s in the middle, 1 failed', entry('10s')]);
    expect(found(cron(), ok, bad, run('nightly-3', { ...took(1, 2), ...failed }))).toEqual([
      '3 runs in the dump took 10s in the middle, 2 failed',
      entry('10s', 1),
    ]);
    const odd = {
      ...took(1, 2),
      conditions: [
        { type: 'Failed', status: 'False' },
        { type: 'Complete', status: 'True' },
      ],
    };
    expect(found(cron(), run('nightly-1', odd))).toEqual(['1 run in the dump took 10s in the middle', entry('10s')]);
  });

  it('are guessed from its status, or a minute', () => {
    const times = { lastScheduleTime: '2024-05-02T10:00:00Z', lastSuccessfulTime: '2024-05-02T10:00:45Z' };
    expect(found(cron(times))).toEqual(['from its last schedule to its last success', entry('45s')]);
    expect(found(cron({ ...times, lastSuccessfulTime: times.lastScheduleTime }))).toEqual([
      'no run of it has finished in the dump: a guess',
      entry('1m'),
    ]);
    expect(found(cron(), run('nightly-1', { startTime: '2024-05-02T10:00:00Z' }))).toEqual([
      'no run of it has finished in the dump: a guess',
      entry('1m'),
    ]);
    expect(found(cron(), objectOf('Job', 'else', { status: took(1, 2) }))).toEqual([
      'no run of it has finished in the dump: a guess',
      entry('1m'),
    ]);
  });
});

describe('a Job that has not ended', () => {
  const job = (status: object = {}) => objectOf('Job', 'pi', { status });
  const found = (status: object, ...pods: readonly Shown[]) =>
    behaviors([job(status), ...pods.map((shown, nth) => podOf(`pi-${nth}`, job(), shown))], 60).map(({ about, entry }) => [
      about.replace('Job shop/pi: ', ''),
      entry['runFor'],
    ]);

  it('goes on as its finished pods ran, at least a second', () => {
    expect(
      found(
        {},
        { phase: 'Succeeded', ended: [0, 0, 7] },
        { phase: 'Failed', ended: [1, 0, 9] },
        { phase: 'Running', started: 0, ended: [1, 0, 30] },
      ),
    ).toEqual([['its finished pods ran 9s', '9s']]);
    expect(found({}, { phase: 'Succeeded', ended: [0, 5, 5] })).toEqual([['its finished pods ran 1s', '1s']]);
    expect(found({}, { phase: 'Succeeded', ended: [0, 9, 5] })).toEqual([['it has no pods in the dump: a guess', '1m']]);
  });

  it('otherwise twice as long as the oldest pod lives, or a minute', () => {
    expect(found({}, { since: 50 }, { since: 30 }, {})).toEqual([['none of its pods has finished in 30s: twice that', '1m']]);
    expect(found({}, { since: 60 })).toEqual([['none of its pods has finished in 1s: twice that', '1s']]);
    expect(found({})).toEqual([['it has no pods in the dump: a guess', '1m']]);
    expect(behaviors([job()])[0]?.entry).toEqual({ namespace: 'shop', owner: 'Job/pi', runFor: '1m', exitCodes: [0] });
  });

  it('says how many pods failed, eight at most', () => {
    expect(found({ failed: 1 })[0]?.[0]).toBe('it has no pods in the dump: a guess; 1 pod failed');
    expect(found({ failed: 9 })[0]?.[0]).toBe('it has no pods in the dump: a guess; 8 pods failed');
    expect(found({ failed: 0 })[0]?.[0]).toBe('it has no pods in the dump: a guess');
  });

  it('is none that has ended, or that another controls', () => {
    expect([found(failed), found({ conditions: [{ type: 'Complete', status: 'True' }] })]).toEqual([[], []]);
    expect(
      found({
        conditions: [
          { type: 'Complete', status: 'False' },
          { type: 'Suspended', status: 'True' },
        ],
      }),
    ).toHaveLength(1);
    expect(behaviors([objectOf('Job', 'of', { status: {} }, ownedBy(objectOf('Workflow', 'w')))])).toEqual([]);
  });
});

describe('how the pods of a workload start', () => {
  const found = (takenSeconds: number, ...pods: readonly Shown[]) =>
    behaviors([deployment, set, ...pods.map((shown, nth) => podOf(`web-1-${nth}`, set, shown))], takenSeconds).map(
      ({ about, entry, isOff }) => {
        const { namespace, selector, ...rest } = entry;
        expect([namespace, selector]).toEqual(['shop', MATCH]);
        return [about.replace('Deployment shop/web: ', ''), rest, ...(isOff === true ? ['off'] : [])];
      },
    );
  const steady = (start: number, ready: number): Shown => ({ scheduled: 0, started: start, ready: start + ready });

  it('is in the middle of those that never restarted', () => {
    expect(found(60, steady(2, 5), steady(4, 5), steady(6, 7))).toEqual([['3 pods started so', { startDelay: '4s', readyDelay: '5s' }]]);
    expect(found(60, steady(3, 0))).toEqual([['1 pod started so', { startDelay: '3s' }]]);
    expect(found(60, steady(0, 3))).toEqual([['1 pod started so', { readyDelay: '3s' }]]);
    expect(found(60, steady(0, 0))).toEqual([]);
    expect(found(60)).toEqual([]);
  });

  it('is not what happened later: half an hour is the most', () => {
    expect(found(60, steady(1800, 0))).toEqual([['1 pod started so', { startDelay: '30m' }]]);
    expect(found(60, steady(1801, 0), steady(2, 0))).toEqual([['2 pods started so', { startDelay: '2s' }]]);
    expect(found(60, { scheduled: 9, started: 5, ready: 8 })).toEqual([['1 pod started so', { readyDelay: '3s' }]]);
  });

  it('in a comment where pods that run are not ready: they would get ready', () => {
    const off = 'pod run and are not ready; with this line, in place of another of its own, they get ready';
    expect(found(60, steady(2, 5), { scheduled: 0, started: 2, ready: null })).toEqual([
      ['2 pods started so', { startDelay: '2s' }],
      [`1 ${off}`, { startDelay: '2s', readyDelay: '5s' }, 'off'],
    ]);
    expect(found(60, steady(0, 5), { scheduled: 0, started: 0 })).toEqual([[`1 ${off}`, { readyDelay: '5s' }, 'off']]);
    expect(found(60, steady(2, 0), { scheduled: 0, started: 2 })).toEqual([['2 pods started so', { startDelay: '2s' }]]);
    expect(found(60, steady(2, 5), { scheduled: 0, started: null })).toEqual([
      ['2 pods started so', { startDelay: '2s', readyDelay: '5s' }],
    ]);
  });

  it('and how they restart, in a comment unless all are in a loop', () => {
    const on = 'With this line, in place of another of its own, they go on so; those that have run as long restart at once';
    // Two lives of a hundred seconds, three restarts: five runs.
    expect(
      found(100, { since: 0, started: 90, restarts: 2, ended: [7, 0, 4] }, { since: 0, started: 90, restarts: 1, ended: [3, 0, 9] }),
    ).toEqual([
      [`3 restarts of 2 pods in 3m20s of their lives, the last with exit code 3. ${on}`, { runFor: '40s', exitCodes: [3] }, 'off'],
    ]);
    expect(found(100, steady(2, 3), { since: 60, started: 90, restarts: 1 })).toEqual([
      ['1 pod started so', { startDelay: '2s' }],
      [
        '1 pod run and are not ready; with this line, in place of another of its own, they get ready',
        { startDelay: '2s', readyDelay: '3s' },
        'off',
      ],
      [
        `1 restart of 2 pods in 40s of their lives, the last with exit code 1. ${on}`,
        { startDelay: '2s', readyDelay: '3s', runFor: '13s', exitCodes: [1] },
        'off',
      ],
    ]);
    expect(
      found(100, { since: 0, restarts: 5, looping: true, ended: [2, 0, 6] }, { since: 0, restarts: 6, looping: true, ended: [4, 0, 8] }),
    ).toEqual([['all 2 are in a restart loop, and new ones run as long', { runFor: '8s', exitCodes: [4] }]]);
    expect(found(100, { since: 0, restarts: 5, looping: true, ended: [2, 0, 6] }, { since: 0, started: 1 })).toEqual([
      [`5 restarts of 2 pods in 3m20s of their lives, the last with exit code 2. ${on}`, { runFor: '6s', exitCodes: [2] }, 'off'],
    ]);
    expect(found(100, { since: 0, restarts: 5, looping: true })).toEqual([
      ['all 1 are in a restart loop, and new ones run as long', { runFor: '1s', exitCodes: [1] }],
    ]);
  });
});

it('workloads with more pods come first, then by name; each with its own controller', () => {
  const statefulSet = (name: string) => objectOf('StatefulSet', name, { spec: { selector: { matchLabels: { app: name } } } });
  const [a, b, c] = [statefulSet('a'), statefulSet('b'), statefulSet('c')];
  const pods = [b, c, c].map((owner, nth) => podOf(`p${nth}`, owner, { scheduled: 0, started: 2 }));
  const all = [
    a,
    b,
    c,
    ...pods,
    podOf('lone', undefined, { scheduled: 0, started: 2 }),
    podOf('stray', objectOf('Policy', 'x'), { scheduled: 0, started: 2 }),
  ];
  expect(behaviors(all).map(({ about }) => about)).toEqual([
    'StatefulSet shop/c: 2 pods started so',
    'StatefulSet shop/b: 1 pod started so',
  ]);
  const same = [b, a];
  expect(
    behaviors([...same, ...same.map((owner, nth) => podOf(`q${nth}`, owner, { scheduled: 0, started: 2 }))]).map(
      ({ entry }) => entry['selector'],
    ),
  ).toEqual([{ matchLabels: { app: 'a' } }, { matchLabels: { app: 'b' } }]);
});
