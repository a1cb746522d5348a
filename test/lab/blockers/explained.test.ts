/** What each explainer says, from a moment made by hand: the controllers of workloads. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { checkAll, objectOf, ownedBy, processOf, readiness, timeAt, type Given } from './moment.ts';

const DYING = { deletionTimestamp: timeAt(90) };
const done = (type: string, more: object = {}): object => ({
  conditions: [
    { type: 'Other', status: 'True' },
    { type, status: 'True', ...more },
  ],
});
const pod = (name: string, owner: string, status: object = { phase: 'Succeeded' }, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata: { ...ownedBy(owner), ...metadata }, spec: { nodeName: 'n' }, status });
const AGENT: Given = { processes: [processOf('agent/n', [])] };

describe('a Job', () => {
  const job = (spec: object, status: object = {}, metadata: object = {}): ApiObject => objectOf('Job', 'j', { metadata, spec, status });
  const running = (name: string, metadata: object = {}): ApiObject => pod(name, 'j', readiness(5), metadata);
  const runs = (name: string): string => `  Pod ${name} runs on n, and has not ended`;

  it('is explained in every state', () => {
    checkAll([
      [[job({ suspend: true })], ['is suspended: nothing runs before spec.suspend is false']],
      [[job({ parallelism: 0, completions: 3 }, { succeeded: 1 })], ['runs no pods (spec.parallelism: 0), 1 of 3 succeeded']],
      [
        [job({ completions: 3, parallelism: 2 }, { succeeded: 1, failed: 2 })],
        ['has 0 pods and wants 2: 1 of 3 succeeded; 2 pods failed, and 5 more fail the Job'],
      ],
      [
        [job({ completions: 3, parallelism: 4, backoffLimit: 0 }, { succeeded: 1, failed: 1 })],
        ['has 0 pods and wants 2: 1 of 3 succeeded; 1 pod failed, and 0 more fail the Job'],
      ],
      [[job({ completions: 1 }, { succeeded: 1 })], ['waits for its final status to be written: 1 of 1 succeeded']],
      [[job({ parallelism: 3 })], ['has 0 pods and wants 3: 0 succeeded']],
      [[job({ parallelism: 3 }, { succeeded: 1 })], ['waits for its final status to be written: 1 succeeded']],
      [
        [job({ completions: 2, parallelism: 2 }), running('a'), pod('over', 'j'), running('other', ownedBy('k'))],
        ['has 1 pod and wants 2: 0 of 2 succeeded', 'waits for 1 pod to end (a): 0 of 2 succeeded', runs('a')],
        AGENT,
      ],
      [
        [job({ completions: 2, parallelism: 2 }), running('a'), running('b', DYING)],
        [
          'waits for 2 pods to end (a, b): 0 of 2 succeeded'.replace('a, b', 'a and b'),
          runs('a'),
          '  Pod b is being deleted: its containers have until 1m30.000s to stop @90',
          'includes 1 pod that is being deleted',
        ],
        AGENT,
      ],
      [
        [job({ completions: 1, activeDeadlineSeconds: 20 }, { startTime: timeAt(90) })],
        ['has 0 pods and wants 1: 0 of 1 succeeded', 'fails at 1m50.000s unless it finishes before (spec.activeDeadlineSeconds: 20) @110'],
      ],
      [[job({}, done('Complete', { lastTransitionTime: timeAt(50) }))], ['is complete since 50.000s']],
      [
        [
          job(
            { ttlSecondsAfterFinished: 100 },
            done('Failed', { lastTransitionTime: timeAt(50), reason: 'BackoffLimitExceeded', message: 'too many' }),
          ),
        ],
        ['has failed since 50.000s: BackoffLimitExceeded, too many', 'is deleted at 2m30.000s (spec.ttlSecondsAfterFinished: 100) @150'],
      ],
      [[job({}, done('Complete', { reason: '', lastTransitionTime: null }))], []],
    ]);
  });
});

describe('a CronJob', () => {
  const cron = (spec: object, status: object = {}): ApiObject =>
    objectOf('CronJob', 'c', { spec: { schedule: '* * * * *', ...spec }, status });
  const NEXT = 'waits for its next run at 2m00.000s (* * * * *) @120';

  it('is explained in every state', () => {
    checkAll([
      [[cron({ suspend: true })], ['is suspended: no run starts before spec.suspend is false']],
      [[cron({ schedule: 'x' })], [expect.stringMatching(/^CronJob c never runs: its schedule "x" cannot be read \(.+\)$/) as never]],
      [[cron({}, { lastScheduleTime: timeAt(60) })], [NEXT]],
      [[cron({ schedule: '0 0 31 2 *' })], ['never runs again: "0 0 31 2 *" has no later time']],
      [[cron({})], ['has not started the run of 1m00.000s which is due', NEXT]],
      [[cron({}, { lastScheduleTime: timeAt(-60) })], ['has not started 2 runs, the last at 1m00.000s, which are due', NEXT]],
      [
        [cron({}, { lastScheduleTime: timeAt(-7_000) })],
        [
          expect.stringMatching(/^CronJob c has not started more than 100 runs, the first at -1h56m00\.000s, which are due$/) as never,
          NEXT,
        ],
      ],
      [[cron({ startingDeadlineSeconds: 40 })], ['has not started the run of 1m00.000s which is due until 1m40.000s @100', NEXT]],
      [
        [cron({ startingDeadlineSeconds: 39 })],
        ['missed the run of 1m00.000s whose time to start ended at 1m39.000s (spec.startingDeadlineSeconds: 39)', NEXT],
      ],
      [
        [cron({ concurrencyPolicy: 'Forbid' }, { active: [{ name: 'a' }, { name: 'b' }] })],
        [
          'has not started the run of 1m00.000s because a and b still run (spec.concurrencyPolicy: Forbid)',
          '  Job a+b does not exist, and neither does its namespace default',
          NEXT,
        ],
      ],
      [[cron({ concurrencyPolicy: 'Allow' }, { active: [{ name: 'a' }] })], ['has not started the run of 1m00.000s which is due', NEXT]],
      [
        [cron({ schedule: '0 12 * * *', timeZone: 'Asia/Tokyo' }, { lastScheduleTime: timeAt(0) })],
        ['waits for its next run at 3h00m00.000s (0 12 * * *) @10800'],
        { gates: { CronJobTimeZone: true } },
      ],
      [
        [cron({ schedule: '0 12 * * *', timeZone: 'Asia/Tokyo' }, { lastScheduleTime: timeAt(0) })],
        ['waits for its next run at 12h00m00.000s (0 12 * * *) @43200'],
      ],
    ]);
  });
});

describe('a Deployment', () => {
  const deployment = (spec: object = {}, status: object = {}): ApiObject =>
    objectOf('Deployment', 'd', { spec: { replicas: 2, strategy: {}, progressDeadlineSeconds: 60, ...spec }, status });
  const rs = (name: string, revision: number, replicas: number, status: object): ApiObject =>
    objectOf('ReplicaSet', name, {
      metadata: { ...ownedBy('d'), annotations: { 'deployment.orch.io/revision': String(revision) } },
      spec: { replicas },
      status: { replicas, ...status },
    });
  const ready = ['a', 'b'].map((name) => pod(name, 'new', readiness(5)));
  const progressing = (reason: string, at: number): object => ({
    conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime: timeAt(at) }],
  });

  it('is explained in every state', () => {
    checkAll([
      [[deployment({ paused: true })], ['is paused: a new template is not rolled out until it is resumed (spec.paused)']],
      [[deployment()], ['has no ReplicaSet yet']],
      [[deployment(), rs('new', 9, 2, { availableReplicas: 2 }), rs('old', 8, 0, {})], []],
      [
        [deployment(), rs('new', 10, 2, { availableReplicas: 1 }), rs('old', 9, 1, {}), ...ready],
        [
          'waits for new: 1 of 2 pods of the present template are available',
          'keeps 1 pod of old: no more than 0 of 2 may be missing (maxUnavailable)',
        ],
      ],
      [
        [
          deployment({ strategy: { rollingUpdate: { maxUnavailable: '25%' } } }),
          rs('new', 2, 2, { availableReplicas: 2 }),
          rs('old', 1, 3, {}),
        ],
        ['keeps 3 pods of old: no more than 25% of 2 may be missing (maxUnavailable)'],
      ],
      [
        [deployment(), rs('new', 2, 2, { availableReplicas: 2 }), rs('old', 1, 0, { replicas: 1 })],
        ['waits for the pods of old to terminate'],
      ],
      [
        [deployment({}, progressing('ProgressDeadlineExceeded', 0)), rs('new', 1, 2, { availableReplicas: 2 })],
        ['has made no progress for 60 s, as its status reports; the rollout continues when it can (ProgressDeadlineExceeded)'],
      ],
      [
        [deployment({}, progressing('ReplicaSetUpdated', 41)), rs('new', 1, 2, { availableReplicas: 2 })],
        ['reports no progress at 1m41.000s unless the rollout advances (progressDeadlineSeconds: 60)'],
      ],
      [[deployment({}, progressing('NewReplicaSetCreated', 40)), rs('new', 1, 2, { availableReplicas: 2 })], []],
      [[deployment({}, progressing('Other', 41)), rs('new', 1, 2, { availableReplicas: 2 })], []],
    ]);
  });

  const set = (spec: object, status: object = {}): ApiObject => objectOf('ReplicaSet', 'r', { spec: { replicas: 2, ...spec }, status });
  const of = (name: string, since: number | undefined, metadata: object = {}): ApiObject => pod(name, 'r', readiness(since), metadata);
  it('has a ReplicaSet, which is explained too', () => {
    checkAll([
      [[set({}), of('a', 5)], ['is short of 1 pod']],
      [
        [set({}, { conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'quota' }] })],
        ['is short of 2 pods, whose creation fails: quota'],
      ],
      [
        [set({ replicas: 1 }), of('a', 5), of('b', 5), of('dying', 5, DYING), pod('failed', 'r', { phase: 'Failed' })],
        ['waits for 1 pod to terminate: 1 is wanted'],
      ],
      [
        [set({ replicas: 2 }), ...['a', 'b', 'c', 'd'].map((name) => of(name, undefined))],
        ['waits for 2 pods to terminate: 2 are wanted', 'waits for a, b, c and d to be ready', '  Pod a+b+c runs on n, but is not ready'],
        AGENT,
      ],
      [
        [set({ minReadySeconds: 30 }), of('a', 71), of('b', 80)],
        ['waits until 1m41.000s: a ready pod is available after minReadySeconds: 30 @101'],
      ],
      [[set({ minReadySeconds: 30 }), of('a', 70), of('b', 60)], []],
    ]);
  });
});
