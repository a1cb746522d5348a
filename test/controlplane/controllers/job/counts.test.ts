/** Whole syncs of a Job that counts its pods with finalizers. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import { AT, at, barePod, jobOf, podOf } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';

const FINALIZER = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const gates = { JobReadyPods: true, JobTrackingWithFinalizers: true };
const DYING = { deletionTimestamp: AT };
const J = jobOf('j');
const tracked = (spec: object, status: object = {}, more: Readonly<Record<string, unknown>> = {}) =>
  jobOf('j', spec, { startTime: AT, ready: 0, uncountedTerminatedPods: {}, ...status }, { annotations: { [FINALIZER]: '' }, ...more });
const indexed = (spec: object, status: object) => tracked({ completionMode: 'Indexed', ...spec }, status);
const free = (name: string, phase: string, meta = {}): Pod => podOf(J, name, phase, { meta });
const held = (name: string, phase: string, meta = {}): Pod => free(name, phase, { finalizers: [FINALIZER], ...meta });
const at9 = (index: number) => ({ annotations: { [INDEX]: String(index) } });
/** A minute after its start. */
const lines = (self: ReturnType<typeof tracked>, pods: readonly Pod[] = [], more: Partial<Situation> = {}): readonly string[] =>
  linesOf(decide(job, { objects: [self, ...pods], gates, now: at(60), ...more }));

const drops = (...names: readonly string[]): readonly string[] =>
  names.map(
    (name) =>
      `patch Pod ${name} {metadata:{uid:uid-${name},$deleteFromPrimitiveList/finalizers:[${FINALIZER}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}`,
  );
const deletes = (name: string): string =>
  `delete Pod ${name} {uid:uid-${name},tolerate:[NotFound],then:{about:"Job j",type:Normal,reason:SuccessfulDelete,message:"Deleted pod: ${name}"}}`;
const OWNER = '{apiVersion:batch/v1,kind:Job,name:j,uid:uid-j,controller:true,blockOwnerDeletion:true}';
const creates = `create Pod j- {metadata:{labels:{controller-uid:uid-j,job-name:j},ownerReferences:[${OWNER}],finalizers:[${FINALIZER}]},spec:{restartPolicy:Never,containers:[{name:c,image:sim:1}]}} {then:{about:"Job j",type:Normal,reason:SuccessfulCreate,message:"Created pod: {name}"}}`;
const status = (text: string, meta = ''): string =>
  `update Job/status j {metadata:{annotations:{${FINALIZER}:""}${meta}},status:{${text}}}`;
const SUSPENDED = 'Suspended=True, lastProbeTime: 00:00:00, lastTransitionTime: 00:01:00, reason: JobSuspended, message: Job suspended';
const suspends = `{then:{about:"Job j",type:Normal,reason:Suspended,message:"Job suspended"}}`;
const failing = { type: 'Failed', reason: 'R', message: 'Such Reasons' } as const;
const FAILING = 'memory: {failing:{type:Failed,reason:R,message:"Such Reasons"}}';

describe('a sync', () => {
  const listed = (succeeded: readonly string[], failed: readonly string[]) => ({
    uncountedTerminatedPods: { succeeded: succeeded.map((name) => `uid-${name}`), failed: failed.map((name) => `uid-${name}`) },
  });
  it('counts pods that are gone from the lists, lists those that ended, and frees those that are listed', () => {
    const before = { active: 2, succeeded: 1, failed: 1, ...listed(['s1', 'gone'], ['f1', 'turned', 'lost']) };
    const listedPods = [held('s1', 'Succeeded'), held('f1', 'Failed'), held('turned', 'Succeeded')];
    const others = [
      held('s2', 'Succeeded'),
      held('f2', 'Failed'),
      held('d', 'Running', DYING),
      held('r', 'Running'),
      free('old', 'Failed'),
    ];
    expect(lines(tracked({ completions: 9, parallelism: 3 }, before), [...listedPods, ...others])).toEqual([
      '1 active, 4 succeeded, 6 failed: 2 more pods to create',
      creates,
      creates,
      ...drops('s1', 'f1', 'turned'),
      status(
        'startTime:00:00:00,active:3,succeeded:2,failed:2,uncountedTerminatedPods:{succeeded:[uid-s1,uid-s2],failed:[uid-f1,uid-turned,uid-f2,uid-d]},ready:1',
      ),
      'backoff: keep',
      'memory: {creating:2}',
    ]);
  });

  it('counts an index once, also one whose pod succeeded after it was listed as failed', () => {
    const before = { active: 1, ready: 1, succeeded: 2, failed: 1, completedIndexes: '0,1' };
    const names = ['f2', 'turned3', 'turned4', 'beyond', 'none', 'lost'];
    const pods = [
      held('f2', 'Failed', at9(2)),
      held('turned3', 'Succeeded', at9(3)),
      held('turned4', 'Succeeded', at9(4)),
      held('again4', 'Succeeded', at9(4)),
      held('beyond', 'Failed', at9(9)),
      held('none', 'Failed'),
      held('s8', 'Succeeded', at9(8)),
      held('f8', 'Failed', at9(8)),
      held('s9', 'Succeeded', at9(9)),
      held('s1', 'Succeeded', at9(1)),
      held('without', 'Succeeded'),
      held('r5', 'Running', at9(5)),
    ];
    const self = indexed({ completions: 9, parallelism: 1, backoffLimit: 20 }, { ...before, ...listed([], names) });
    expect(lines(self, pods)).toEqual([
      '1 active, 4 succeeded, 8 failed: nothing to do',
      ...drops('f2', 'turned3', 'turned4', 'beyond', 'none', 's9', 's1', 'without'),
      status(
        'startTime:00:00:00,active:1,succeeded:4,failed:2,completedIndexes:"0,1,4,8",uncountedTerminatedPods:{failed:[uid-f2,uid-turned3,uid-turned4,uid-beyond,uid-none,uid-f8]},ready:1',
      ),
      'backoff: keep',
    ]);
  });

  it.each<readonly [string, () => readonly string[], readonly string[]]>([
    [
      'of a Job that is being deleted frees its active pods',
      () =>
        lines(tracked({ completions: 5 }, { active: 2, ...listed([], ['f']) }, DYING), [
          held('r', 'Running'),
          held('f', 'Failed'),
          held('s', 'Succeeded'),
        ]),
      [
        'it is being deleted (1 active, 1 succeeded, 1 failed)',
        ...drops('r', 'f'),
        status(
          'startTime:00:00:00,active:1,uncountedTerminatedPods:{succeeded:[uid-s],failed:[uid-f]},ready:1',
          ',deletionTimestamp:00:00:00',
        ),
        'backoff: keep',
      ],
    ],
    [
      'before its cache shows its own writes takes no step',
      () =>
        lines(tracked({ completions: 5 }, { active: 2, failed: 1, ...listed([], ['f', 'gone']) }), [held('f', 'Failed')], {
          expectationsSatisfied: false,
        }),
      [
        'its cache does not show all of its own writes yet (0 active, 0 succeeded, 3 failed)',
        status('startTime:00:00:00,failed:1,uncountedTerminatedPods:{succeeded:[],failed:[uid-f,uid-gone]},ready:0'),
        'backoff: keep',
      ],
    ],
    [
      'adopts pods with the finalizer and releases without it',
      () =>
        lines(tracked({ completions: 5, parallelism: 2 }), [
          barePod('found', 'Running', { meta: { labels: J.spec.template.metadata.labels, finalizers: ['x'] } }),
          barePod('has', 'Failed', { meta: { labels: J.spec.template.metadata.labels, finalizers: [FINALIZER] } }),
          held('stray', 'Running', { labels: {} }),
        ]),
      [
        '1 active, 0 succeeded, 1 failed: 1 more pod to create',
        `patch Pod stray {metadata:{uid:uid-stray,ownerReferences:[{$patch:delete,uid:uid-j}],$deleteFromPrimitiveList/finalizers:[${FINALIZER}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}`,
        'check Job j {uid:uid-j}',
        ...['found', 'has'].map(
          (name) =>
            `patch Pod ${name} {metadata:{uid:uid-${name},ownerReferences:[${OWNER}],finalizers:[${FINALIZER}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}`,
        ),
        creates,
        status('startTime:00:00:00,active:2,uncountedTerminatedPods:{failed:[uid-has]},ready:1'),
        'backoff: keep',
        'memory: {creating:1}',
      ],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  it('frees adopted pods that have ended in the order in which it counts them', () => {
    const labels = J.spec.template.metadata.labels;
    const done = ['b', 'a'].map((name) => barePod(name, 'Succeeded', { meta: { labels } }));
    expect(lines(tracked({ completions: 2 }), done).at(-3)).toBe(
      status('startTime:00:00:00,uncountedTerminatedPods:{succeeded:[uid-b,uid-a]},ready:0'),
    );
  });
});

describe('the end of a Job', () => {
  const late = tracked({ activeDeadlineSeconds: 60 }, { active: 1, ready: 1 });
  const r = held('r', 'Running');
  const status2 = (text: string): string => status(`startTime:00:00:00,${text}`);
  it.each<readonly [string, () => readonly string[], readonly string[]]>([
    [
      'waits for its own pods before it is decided',
      () => lines(late, [r], { expectationsSatisfied: false }),
      ['DeadlineExceeded; waiting to observe all its own pods before it fails', 'backoff: keep'],
    ],
    [
      'deletes no pods before it observes the former deletes',
      () => lines(late, [r], { expectationsSatisfied: false, memory: { failing } }),
      ['such reasons: it ends once its pods are counted', status2('uncountedTerminatedPods:{},ready:1'), 'backoff: keep', FAILING],
    ],
    [
      'counts all pods, those of active ones as failed',
      () => lines(late, [r, held('s', 'Succeeded'), held('dying', 'Running', DYING)], { memory: { failing } }),
      [
        'such reasons: delete its 1 active pods and fail it once its pods are counted',
        deletes('r'),
        status2('uncountedTerminatedPods:{succeeded:[uid-s],failed:[uid-r,uid-dying]},ready:1'),
        'backoff: keep',
        FAILING,
      ],
    ],
    [
      'is recorded when no pod is left, with the ready pods of before',
      () => lines(tracked({}, { active: 1, ready: 3 }), [], { memory: { failing } }),
      [
        'such reasons: it ends',
        `update Job/status j {metadata:{annotations:{${FINALIZER}:""}},status:{conditions:["Failed=True, lastProbeTime: 00:01:00, lastTransitionTime: 00:01:00, reason: R, message: Such Reasons"],startTime:00:00:00,uncountedTerminatedPods:{},ready:3}} {then:{about:"Job j",type:Warning,reason:R,message:"Such Reasons"}}`,
        'backoff: forget',
        'memory: null',
      ],
    ],
    [
      'of an Indexed Job counts no pods without a valid index',
      () =>
        lines(indexed({ completions: 3, parallelism: 3, backoffLimit: 0 }, { active: 3, ready: 2 }), [
          held('r0', 'Running', at9(0)),
          held('r3', 'Running', at9(3)),
          held('f1', 'Failed', at9(1)),
          held('s2', 'Succeeded', at9(2)),
        ]),
      [
        'job has reached the specified backoff limit: delete its 2 active pods and fail it once its pods are counted',
        deletes('r0'),
        deletes('r3'),
        ...drops('r3'),
        status2('succeeded:1,completedIndexes:2,uncountedTerminatedPods:{failed:[uid-r0,uid-f1]},ready:2'),
        'backoff: keep',
        'memory: {failing:{type:Failed,reason:BackoffLimitExceeded,message:"Job has reached the specified backoff limit"}}',
      ],
    ],
    [
      'keeps the finalizers of pods that it deletes, for they are listed first',
      () => lines(tracked({ completions: 2, parallelism: 2 }, { active: 2, succeeded: 1 }), [held('s', 'Succeeded'), r]),
      [
        'enough pods succeeded: it is complete once its pods are counted',
        deletes('r'),
        status2('succeeded:1,uncountedTerminatedPods:{succeeded:[uid-s],failed:[uid-r]},ready:1'),
        'backoff: keep',
        'memory: {completing:true}',
      ],
    ],
    ...([2, 3] as const).map((completions): readonly [string, () => readonly string[], readonly string[]] => [
      `with 3 pods that succeeded for ${completions} completions`,
      () => lines(tracked({ completions }, { active: 1, succeeded: 1, uncountedTerminatedPods: { succeeded: ['uid-a', 'uid-b'] } })),
      [
        'enough pods succeeded: it is complete',
        ...(completions === 2
          ? ['event Warning TooManySucceededPods of Job j: Too many succeeded pods running after completion count reached']
          : []),
        `update Job/status j {metadata:{annotations:{${FINALIZER}:""}},status:{conditions:["Complete=True, lastProbeTime: 00:01:00, lastTransitionTime: 00:01:00"],startTime:00:00:00,completionTime:00:01:00,succeeded:3,uncountedTerminatedPods:{},ready:0}} {then:{about:"Job j",type:Normal,reason:Completed,message:"Job completed"}}`,
        'backoff: forget',
        'memory: null',
      ],
    ]),
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a suspended Job', () => {
  const knowing = (reason?: string, message?: string) =>
    lines(
      tracked(
        { suspend: true },
        {
          conditions: [
            { type: 'X', status: 'True' },
            { type: 'Suspended', status: 'True', lastProbeTime: AT, lastTransitionTime: AT, reason, message },
          ],
        },
      ),
    );
  const recorded = [
    'it is suspended',
    `${status(`conditions:["X=True","${SUSPENDED}"],startTime:00:00:00,uncountedTerminatedPods:{},ready:0`)} ${suspends}`,
    'backoff: forget',
  ];
  it.each<readonly [string, () => readonly string[], readonly string[]]>([
    ['is not recorded again', () => knowing('JobSuspended', 'Job suspended'), ['it is suspended', 'backoff: forget']],
    ['is recorded with its reason', () => knowing('Other', 'Job suspended'), recorded],
    ['is recorded with its message', () => knowing('JobSuspended', 'other'), recorded],
    ['is recorded with both', () => knowing(), recorded],
    [
      'frees its pods and deletes them, those that run last',
      () =>
        lines(tracked({ suspend: true, parallelism: 2, completions: 4 }, { active: 2, ready: 2 }), [
          held('r', 'Running'),
          free('p', 'Pending'),
        ]),
      [
        'it is suspended: delete its 2 active pods',
        deletes('p'),
        ...drops('r'),
        deletes('r'),
        `${status(`conditions:["${SUSPENDED.replace('00:00:00', '00:01:00')}"],startTime:00:00:00,uncountedTerminatedPods:{},ready:1`)} ${suspends}`,
        'backoff: forget',
      ],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});
