/** Invariants of the pods of Jobs and of the ends of Jobs, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, objectOf, ownedBy, put, remove, tells, tellsAtEnd, timeAt, wait } from './history.ts';

const KEY = 'default/j';
const job = (spec: object = {}, status: object = {}): ApiObject => objectOf('Job', 'j', { spec, status });
const pod = (name: string, metadata: object = {}, phase = 'Running'): ApiObject =>
  objectOf('Pod', name, { metadata: { ...ownedBy('Job', 'j'), ...metadata }, status: { phase } });
const finished = (type: string, at = 0): object => ({ conditions: [{ type, status: 'True', lastTransitionTime: timeAt(at) }] });
const DYING = { deletionTimestamp: timeAt(0) };

describe('job/active-within-parallelism', () => {
  const NAME = 'job/active-within-parallelism';
  const tooMany = (has: number, limit: number): string => `Job default/j has ${has} active pods, its parallelism is ${limit}`;

  it('counts pods that are neither over nor being deleted', () => {
    tells(NAME, [
      [put(job({ parallelism: 2 })), '-'],
      [put(pod('a')), 'holds'],
      [put(pod('b')), 'holds'],
      [put(pod('c')), tooMany(3, 2)],
      [edit('Pod', 'default/a', { status: { phase: 'Failed' } }), '-'],
      [edit('Pod', 'default/b', { metadata: DYING }), '-'],
      [put(pod('d')), 'holds'],
      [remove('Pod', 'default/a'), '-'],
      [remove('Pod', 'default/c'), '-'],
      [put(pod('e', {}, 'Succeeded')), 'holds'],
      [put(pod('f')), 'holds'],
      [put(pod('g')), tooMany(3, 2)],
      [described, { active: new Map([['uid-j', 3]]), allowed: new Map([['uid-j', { value: 2, former: [] }]]) }],
      [put(objectOf('Pod', 'free', { status: {} })), '-'],
      [put(pod('other', ownedBy('Job', 'k'))), '-'],
      [remove('Job', KEY), '-'],
      [put(pod('h')), '-'],
    ]);
  });

  it('lets an earlier parallelism count until the Job has a new status', () => {
    tells(NAME, [
      [put(job({})), '-'],
      [put(pod('a')), 'holds'],
      [put(pod('b')), tooMany(2, 1)],
      [edit('Job', KEY, { spec: { parallelism: 3 } }), '-'],
      [edit('Job', KEY, { spec: { parallelism: 1 } }), '-'],
      [edit('Job', KEY, { metadata: { labels: {} } }), '-'],
      [put(pod('c')), 'holds'],
      [put(pod('d')), tooMany(4, 3)],
      [edit('Job', KEY, { status: { active: 4 } }), '-'],
      [remove('Pod', 'default/d'), '-'],
      [remove('Pod', 'default/c'), '-'],
      [put(pod('e')), tooMany(3, 1)],
    ]);
  });
});

describe('job/one-pod-per-index', () => {
  const indexed = (name: string, index: string, metadata: object = {}): ApiObject =>
    pod(name, { annotations: { 'batch.orch.io/job-completion-index': index }, ...metadata });

  it('lets an index have another pod when the first is over or gone', () => {
    tells('job/one-pod-per-index', [
      [put(indexed('a', '0')), 'holds'],
      [put(indexed('b', '1')), 'holds'],
      [put(indexed('other', '0', ownedBy('Job', 'k'))), 'holds'],
      [edit('Pod', 'default/a', { status: { phase: 'Running' } }), 'holds'],
      [put(indexed('c', '0')), 'index 0 of Job j has two active pods, one of them c'],
      [edit('Pod', 'default/c', { status: { phase: 'Failed' } }), '-'],
      [put(indexed('d', '0')), 'index 0 of Job j has two active pods, one of them d'],
      [edit('Pod', 'default/a', { metadata: DYING }), '-'],
      [put(indexed('e', '0')), 'holds'],
      [remove('Pod', 'default/e'), '-'],
      [put(indexed('f', '0')), 'holds'],
      [
        described,
        new Map([
          ['uid-j/0', 'uid-f'],
          ['uid-j/1', 'uid-b'],
          ['uid-k/0', 'uid-other'],
        ]),
      ],
      [put(pod('g')), '-'],
      [put(objectOf('Pod', 'h', { metadata: { annotations: { 'batch.orch.io/job-completion-index': '0' } }, status: {} })), '-'],
    ]);
  });
});

describe('job/every-pod-owned', () => {
  const NAME = 'job/every-pod-owned';
  const labels = { labels: { 'controller-uid': 'uid-j', 'job-name': 'j' } };
  const labelled = (name: string, metadata: object = {}): ApiObject => pod(name, { ...labels, ...metadata });

  it('wants the Job of the labels for the controller', () => {
    tells(NAME, [
      [put(job()), '-'],
      [put(labelled('a')), 'holds'],
      [put(labelled('b', { ownerReferences: [] })), 'pod default/b has the labels of Job j, but is not controlled by it'],
      [put(labelled('c', ownedBy('Job', 'k'))), 'pod default/c has the labels of Job j, but is not controlled by it'],
      [put(labelled('d', ownedBy('ReplicaSet', 'j'))), 'pod default/d has the labels of Job j, but is not controlled by it'],
      [put(pod('e', { labels: { 'controller-uid': 'uid-z' } })), '-'],
      [put(pod('f', { labels: { 'job-name': 'z' } })), '-'],
      [put(pod('g')), '-'],
      [edit('Pod', 'default/a', { metadata: { ownerReferences: [] } }), '-'],
    ]);
  });

  it('wants the Job to exist, or to have existed in the last minute', () => {
    const gone = (name: string): string => `pod default/${name} was created for a Job that does not exist`;
    tells(NAME, [
      [put(labelled('a')), gone('a')],
      [put(job()), '-'],
      [remove('Job', KEY, { at: 10 }), '-'],
      [put(labelled('b'), { at: 70 }), 'holds'],
      [put(labelled('c'), { at: 70.001 }), gone('c')],
      [described, new Map([['uid-j', Date.parse(timeAt(10))]])],
      [put(objectOf('Job', 'j', { metadata: { uid: 'another' } })), '-'],
      [put(labelled('d')), gone('d')],
    ]);
  });
});

describe('job/finished-is-final', () => {
  it('lets a finished Job neither go on nor change its mind', () => {
    tells('job/finished-is-final', [
      [put(job()), '-'],
      [edit('Job', KEY, { status: { active: 2 } }), '-'],
      [edit('Job', KEY, { status: finished('Complete') }), '-'],
      [edit('Job', KEY, { status: { active: 1 } }), 'holds'],
      [edit('Job', KEY, { status: { active: 2 } }), 'Job default/j: it is Complete, yet status.active rose to 2'],
      [edit('Job', KEY, { status: { active: undefined } }), 'holds'],
      [edit('Job', KEY, { status: finished('Failed') }), 'Job default/j: it was Complete and is now Failed'],
      [edit('Job', KEY, { status: { conditions: undefined } }), 'Job default/j: it was Failed and is now unfinished'],
    ]);
  });
});

describe('some Job', () => {
  it('gets over failures', () => {
    tells('job/gets-over-failures', [
      [put(job()), '-'],
      [edit('Job', KEY, { status: { failed: 1 } }), '-'],
      [edit('Job', KEY, { status: finished('Complete') }), 'holds'],
      [edit('Job', KEY, { status: { failed: 2 } }), '-'],
      [edit('Job', KEY, { status: { failed: 0, conditions: [] } }), '-'],
      [edit('Job', KEY, { status: finished('Complete') }), '-'],
    ]);
    tells('job/gets-over-failures', [
      [put(job({}, { failed: 1 })), '-'],
      [edit('Job', KEY, { status: finished('Failed') }), '-'],
    ]);
  });

  it('runs in parallel', () => {
    tells('job/runs-in-parallel', [
      [put(job({ parallelism: 2 })), '-'],
      [edit('Job', KEY, { status: { active: 1 } }), '-'],
      [edit('Job', KEY, { status: { active: 2 } }), 'holds'],
      [edit('Job', KEY, { status: { active: 2 } }), '-'],
      [edit('Job', KEY, { spec: { parallelism: 1 }, status: { active: 0 } }), '-'],
      [edit('Job', KEY, { status: { active: 1 } }), '-'],
      [edit('Job', KEY, { spec: { parallelism: undefined }, status: { active: 0 } }), '-'],
      [edit('Job', KEY, { status: { active: 1 } }), '-'],
    ]);
  });
});

describe('a settled Job', () => {
  const running = [pod('a'), pod('b'), pod('over', {}, 'Succeeded'), pod('failed', {}, 'Failed'), pod('dying', DYING)];
  const suspended = { conditions: [{ type: 'Suspended', status: 'True' }] };

  it.each<readonly [string, readonly ApiObject[], string]>([
    ['job/status-tells-the-truth', [job({}, { active: 2 }), ...running], 'holds'],
    ['job/status-tells-the-truth', [job(), ...running], 'Job default/j has status.active 0, but 2 of its pods are active'],
    ['job/status-tells-the-truth', [job({}, { active: 3 }), ...running], 'Job default/j has status.active 3, but 2 of its pods are active'],
    [
      'job/status-tells-the-truth',
      [job({}, { active: 2, ...finished('Failed') }), ...running],
      'Job default/j is Failed, but 2 of its pods are active',
    ],
    ['job/status-tells-the-truth', [job({}, { active: 2, ...finished('Complete') })], 'holds'],
    ['job/never-stuck', [job({}), ...running], 'holds'],
    ['job/never-stuck', [job()], 'Job default/j is unfinished, has no active pod, and nothing will happen any more'],
    ['job/never-stuck', [job({ suspend: true })], '-'],
    ['job/never-stuck', [job({ parallelism: 0 })], '-'],
    ['job/never-stuck', [job({ suspend: true }, finished('Failed'))], 'holds'],
    ['job/suspended-rests', [job(), ...running], '-'],
    ['job/suspended-rests', [job({ suspend: true }, finished('Failed')), ...running], '-'],
    ['job/suspended-rests', [job({ suspend: true }, suspended), ...running], 'Job default/j is suspended, but 2 of its pods are active'],
    ['job/suspended-rests', [job({ suspend: true }, suspended)], 'holds'],
    ['job/suspended-rests', [job({ suspend: true })], 'Job default/j is suspended, but has no condition Suspended'],
    [
      'job/suspended-rests',
      [
        job(
          { suspend: true },
          {
            conditions: [
              { type: 'Suspended', status: 'False' },
              { type: 'Other', status: 'True' },
            ],
          },
        ),
      ],
      'Job default/j is suspended, but has no condition Suspended',
    ],
    ['job/never-stuck', [{ ...job(), metadata: { ...job().metadata, ...DYING } }], '-'],
  ])('%s of %j', (name, objects, verdict) => {
    tellsAtEnd(name, objects, verdict);
  });

  it('is not judged in a run that is cut off', () => {
    tells('job/never-stuck', [
      [put(job()), '-'],
      [end(false), '-'],
    ]);
  });
});

describe.each([
  [
    'job/deadline-is-kept',
    job({ activeDeadlineSeconds: 10 }, { startTime: timeAt(5) }),
    'its activeDeadlineSeconds have passed, and it has not failed',
  ],
  [
    'job/ttl-is-kept',
    job({ ttlSecondsAfterFinished: 10 }, finished('Complete', 5)),
    'its ttlSecondsAfterFinished have passed since it finished, and it has not been deleted',
  ],
])('%s', (name, due, clause) => {
  const late = `Job default/j: ${clause}`;
  const made = [put(due, { at: 5 }), '-'] as const;

  it('gives an hour, to the millisecond', () => {
    tells(name, [made, [wait(3614.999), '-'], [wait(3615), late]]);
    tells(name, [made, [remove('Job', KEY, { at: 3615 }), 'holds']]);
    tells(name, [made, [remove('Job', KEY, { at: 3615.001 }), late]]);
  });

  it('does not wait in a settled cluster', () => {
    tells(name, [made, [end(false), '-'], [end(), late]]);
    tells(name, [[end(), '-']]);
  });

  it('does not hold of a Job that is being deleted', () => {
    tells(name, [made, [edit('Job', KEY, { metadata: DYING }, { at: 6 }), 'holds'], [wait(4000), '-'], [end(), '-']]);
  });

  it('describes what is due', () => {
    tells(name, [
      [put(job()), '-'],
      [described, new Map()],
      made,
      [
        described,
        new Map([['uid-j', { dueAt: Date.parse(timeAt(3615)), about: { ...due, metadata: { ...due.metadata, resourceVersion: '3' } } }]]),
      ],
    ]);
  });
});

it('an active deadline counts for Jobs that have started, are not suspended and have not finished', () => {
  const spec = { activeDeadlineSeconds: 10 };
  for (const each of [
    job(spec),
    job(spec, { startTime: null }),
    job({ ...spec, suspend: true }, { startTime: timeAt(0) }),
    job(spec, { startTime: timeAt(0), ...finished('Failed') }),
    job({}, { startTime: timeAt(0) }),
  ])
    tells('job/deadline-is-kept', [
      [put(each), '-'],
      [wait(9999), '-'],
      [remove('Job', KEY), '-'],
    ]);
});

it('a time to live counts for Jobs that have finished', () => {
  for (const each of [job({ ttlSecondsAfterFinished: 0 }), job({}, finished('Complete'))])
    tells('job/ttl-is-kept', [
      [put(each), '-'],
      [wait(9999), '-'],
    ]);
  tells('job/ttl-is-kept', [
    [put(job({ ttlSecondsAfterFinished: 0 }, finished('Failed'))), '-'],
    [wait(3600), 'Job default/j: its ttlSecondsAfterFinished have passed since it finished, and it has not been deleted'],
  ]);
});
