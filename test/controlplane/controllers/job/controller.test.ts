import { describe, expect, it } from 'vitest';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import { endOfBatch } from '../../../../src/controlplane/shared/index.ts';
import type { Job, JobStatus } from '../../../../src/apiserver/kinds/index.ts';
import { at, barePod, jobOf, podOf } from '../../../support/objects.ts';
import { decide, phrase, recover, statusIn, type Situation } from '../../../support/reconcile.ts';

const phrases = (situation: Situation): readonly string[] => decide(job, situation).writes.map(phrase);
const status = (situation: Situation): JobStatus | undefined => statusIn<JobStatus>(decide(job, situation));
const running = (of: Job, count: number) => Array.from({ length: count }, (_, i) => podOf(of, `p${i}`));

describe('a Job', () => {
  it('starts pods up to its parallelism, then updates its status', () => {
    const a = jobOf('a', { parallelism: 2, completions: 5 });
    expect(phrases({ objects: [a] })).toEqual(['create Pod a-', 'create Pod a-', 'update Job/status a']);
    expect(status({ objects: [a] })).toEqual({ active: 2, ready: 0, startTime: '2024-01-01T00:00:00Z' });
  });

  it('starts no more pods than remaining completions', () => {
    const a = jobOf('a', { parallelism: 3, completions: 3 }, { startTime: '2024-01-01T00:00:00Z', active: 2, succeeded: 1, ready: 2 });
    expect(phrases({ objects: [a, podOf(a, 'done', 'Succeeded'), ...running(a, 2)] })).toEqual([]);
  });

  it('creates nothing before the cache shows its creates', () => {
    expect(phrases({ objects: [jobOf('a')], expectationsSatisfied: false })).toEqual(['update Job/status a']);
  });

  it('creates nothing once it is being deleted', () => {
    expect(phrases({ objects: [jobOf('a', {}, {}, { deletionTimestamp: '2024-01-01T00:00:00Z' })] })).toEqual(['update Job/status a']);
  });

  it('is complete when enough pods succeeded', () => {
    const a = jobOf('a', {}, { active: 1, startTime: '2024-01-01T00:00:00Z' });
    const outcome = decide(job, { objects: [a, podOf(a, 'p', 'Succeeded')], now: at(61) });
    expect(statusIn(outcome)).toMatchObject({
      succeeded: 1,
      completionTime: '2024-01-01T00:01:01Z',
      conditions: [{ type: 'Complete', status: 'True' }],
    });
    expect(outcome.writes.at(-1)).toMatchObject({ then: { reason: 'Completed', message: 'Job completed' } });
    expect(statusIn(outcome)).not.toHaveProperty('active');
  });

  it('ignores a finished Job', () => {
    const a = jobOf('a', {}, { conditions: [{ type: 'Failed', status: 'True', lastProbeTime: null, lastTransitionTime: null }] });
    expect(decide(job, { objects: [a, podOf(a, 'p')] })).toMatchObject({ writes: [], memory: null });
  });

  it('skips a completion mode it does not know', () => {
    expect(phrases({ objects: [jobOf('a', { completionMode: 'Sideways' })] })).toEqual(['event UnknownCompletionMode']);
  });

  it('treats a work queue as done when one pod succeeded and none is left', () => {
    const { completions: _, ...spec } = jobOf('a', { parallelism: 3 }).spec;
    const a = { ...jobOf('a'), spec };
    expect(phrases({ objects: [a, podOf(a, 'done', 'Succeeded'), podOf(a, 'more')] })).toEqual(['update Job/status a']);
    expect(status({ objects: [a, podOf(a, 'done', 'Succeeded')] })).toMatchObject({ succeeded: 1, conditions: [{ type: 'Complete' }] });
  });

  it('deletes the least advanced pods when parallelism shrinks', () => {
    const a = jobOf('a', { parallelism: 1, completions: 9 });
    const objects = [
      a,
      podOf(a, 'ready'),
      podOf(a, 'pending', 'Pending'),
      podOf(a, 'unbound', 'Pending', { spec: { nodeName: undefined } }),
    ];
    expect(phrases({ objects })).toEqual(['delete Pod unbound', 'delete Pod pending', 'update Job/status a']);
  });
});

describe('failures of a Job', () => {
  const failedBefore: Partial<JobStatus> = { failed: 1, startTime: '2024-01-01T00:00:00Z' };
  it('are retried at once, and count for the back-off', () => {
    const a = jobOf('a', { backoffLimit: 1 }, { active: 1, ready: 0, startTime: '2024-01-01T00:00:00Z' });
    const outcome = decide(job, { objects: [a, podOf(a, 'p', 'Failed')] });
    expect(outcome.writes.map(phrase)).toEqual(['create Pod a-', 'update Job/status a']);
    expect(outcome).toMatchObject({ backoff: 'retry' });
  });

  it('end it beyond its limit, active pods first', () => {
    const a = jobOf('a', { backoffLimit: 1, parallelism: 2, completions: 4 }, { active: 2, ...failedBefore });
    const outcome = decide(job, { objects: [a, podOf(a, 'f1', 'Failed'), podOf(a, 'f2', 'Failed'), podOf(a, 'left')] });
    expect(outcome.writes.map(phrase)).toEqual(['delete Pod left', 'update Job/status a']);
    expect(statusIn(outcome)).toMatchObject({ failed: 3, conditions: [{ type: 'Failed', reason: 'BackoffLimitExceeded' }] });
    expect(outcome.writes.at(-1)).toMatchObject({
      then: { type: 'Warning', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
    });
  });

  it.each([
    [2, 1, false],
    [2, 2, true],
    [0, 0, false],
    [0, 1, true],
  ])('with OnFailure and a limit of %i, %i restarts end it: %s', (backoffLimit, restartCount, ends) => {
    const template = {
      metadata: jobOf('a').spec.template.metadata,
      spec: { ...jobOf('a').spec.template.spec, restartPolicy: 'OnFailure' },
    } as Job['spec']['template'];
    const a = jobOf('a', { backoffLimit, template }, { active: 1, ready: 1, startTime: '2024-01-01T00:00:00Z' });
    const pod = podOf(a, 'p', 'Running', { status: { containerStatuses: [{ restartCount }] } });
    expect(phrases({ objects: [a, pod] })).toEqual(ends ? ['delete Pod p', 'update Job/status a'] : []);
  });

  it('include being active for too long, to the instant', () => {
    const a = jobOf('a', { activeDeadlineSeconds: 5 }, { active: 1, ready: 1, startTime: '2024-01-01T00:00:00Z' });
    const objects = [a, podOf(a, 'p')];
    expect(decide(job, { objects, now: at(4.999) })).toMatchObject({ writes: [], wakeAt: at(5) });
    expect(status({ objects, now: at(5) })).toMatchObject({ conditions: [{ reason: 'DeadlineExceeded' }] });
  });

  it('to create a pod are reported, recorded and retried', () => {
    const a = jobOf('a', { parallelism: 7, completions: 7 });
    const { writes, memory } = decide(job, { objects: [a] });
    const [first, second, third] = [0, 1, 2].map((i) => writes[i]);
    if (first === undefined || second === undefined || third === undefined) throw new Error('seven creates expected');
    const refused = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Forbidden',
      message: 'pods "a-x" is forbidden: exceeded quota',
    } as const;
    const alone = recover(job, { objects: [a], memory }, { write: first, status: refused, dropped: writes.slice(1) });
    expect(alone?.writes.map(phrase)).toEqual(['event FailedCreate', 'update Job/status a']);
    expect(alone).toMatchObject({
      backoff: 'retry',
      writes: [{ event: { message: 'Error creating: pods "a-x" is forbidden: exceeded quota' } }, {}],
    });
    const inBatch = recover(job, { objects: [a], memory }, { write: second, status: refused, dropped: writes.slice(2) });
    expect(inBatch?.writes.map(phrase)).toEqual(['event FailedCreate', 'create Pod a-', 'update Job/status a']);
    expect(statusIn(inBatch ?? { why: '', writes: [] })).toMatchObject({ active: 2 });
    const going = recover(
      job,
      { objects: [a], memory },
      { write: first, status: { ...refused, details: { causes: [{ reason: 'NamespaceTerminating' }] } }, dropped: writes.slice(1) },
    );
    expect(going?.writes).toEqual([]);
  });

  it('of batches end with their batch', () => {
    expect([0, 1, 2, 3, 6, 7, 14, 15].map(endOfBatch)).toEqual([0, 2, 2, 6, 6, 14, 14, 30]);
  });
});

describe('suspension', () => {
  it('deletes the active pods', () => {
    const a = jobOf('a', { suspend: true, parallelism: 2, completions: 2 }, { active: 2, ready: 2, startTime: '2024-01-01T00:00:00Z' });
    const outcome = decide(job, { objects: [a, ...running(a, 2)], now: at(9) });
    expect(outcome.writes.map(phrase)).toEqual(['delete Pod p0', 'delete Pod p1', 'update Job/status a']);
    expect(statusIn(outcome)).toMatchObject({
      startTime: '2024-01-01T00:00:00Z',
      conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }],
    });
  });

  it('leaves no start time on a Job that was never started', () => {
    expect(status({ objects: [jobOf('a', { suspend: true })] })).toEqual({
      ready: 0,
      conditions: [expect.objectContaining({ type: 'Suspended', status: 'True' })],
    });
  });

  it('resets the deadline on resume, however long ago the start was', () => {
    const suspended = [
      {
        type: 'Suspended',
        status: 'True',
        reason: 'JobSuspended',
        message: 'Job suspended',
        lastProbeTime: '2024-01-01T00:00:01Z',
        lastTransitionTime: '2024-01-01T00:00:01Z',
      },
    ];
    const a = jobOf('a', { activeDeadlineSeconds: 5 }, { startTime: '2024-01-01T00:00:00Z', ready: 0, conditions: suspended });
    const outcome = decide(job, { objects: [a], now: at(3600) });
    expect(outcome.writes.map(phrase)).toEqual(['create Pod a-', 'update Job/status a']);
    expect(outcome.wakeAt).toBe(at(3605));
    expect(statusIn(outcome)).toMatchObject({
      startTime: '2024-01-01T01:00:00Z',
      conditions: [
        { status: 'False', reason: 'JobResumed', lastProbeTime: '2024-01-01T00:00:01Z', lastTransitionTime: '2024-01-01T01:00:00Z' },
      ],
    });
    expect(outcome.writes.at(-1)).toMatchObject({ then: { reason: 'Resumed', message: 'Job resumed' } });
  });
});

describe('an Indexed Job', () => {
  const annotations = (index: number) => ({ 'batch.kubernetes.io/job-completion-index': String(index) });
  const indexed = (status: Partial<JobStatus> = {}) => jobOf('a', { completionMode: 'Indexed', parallelism: 3, completions: 5 }, status);

  it('gives each pod an index, its name, host name and variable', () => {
    const { writes } = decide(job, { objects: [indexed()] });
    expect(writes[1]).toMatchObject({
      object: {
        metadata: { generateName: 'a-1-', annotations: annotations(1) },
        spec: {
          hostname: 'a-1',
          containers: [
            {
              env: [
                {
                  name: 'JOB_COMPLETION_INDEX',
                  valueFrom: { fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" } },
                },
              ],
            },
          ],
        },
      },
    });
  });

  it("uses the pod's name where its template has a host name", () => {
    const { template } = indexed().spec;
    const named = { ...template, spec: { ...template.spec, hostname: 'mine', subdomain: 'here' } };
    const { writes } = decide(job, { objects: [jobOf('a', { ...indexed().spec, parallelism: 2, template: named })] });
    expect(writes.flatMap((write) => (write.op === 'create' ? [write.object] : []))).toMatchObject([
      { spec: { hostname: 'a-0', subdomain: 'here' } },
      { spec: { hostname: 'a-1', subdomain: 'here' } },
    ]);
  });

  it('fills the first free indexes', () => {
    const a = indexed();
    const objects = [
      a,
      podOf(a, 'p0', 'Succeeded', { meta: { annotations: annotations(0) } }),
      podOf(a, 'p2', 'Running', { meta: { annotations: annotations(2) } }),
      podOf(a, 'f1', 'Failed', { meta: { annotations: annotations(1) } }),
    ];
    const { writes } = decide(job, { objects });
    expect(writes.flatMap((write) => (write.op === 'create' ? [write.object.metadata.generateName] : []))).toEqual(['a-1-', 'a-3-']);
    expect(status({ objects })).toMatchObject({ active: 3, succeeded: 1, failed: 1, completedIndexes: '0' });
  });

  it('deletes pods whose index is taken, beyond the end or missing', () => {
    const a = indexed();
    const objects = [
      a,
      podOf(a, 'p0', 'Running', { meta: { annotations: annotations(0) } }),
      podOf(a, 'again', 'Pending', { meta: { annotations: annotations(0) } }),
      podOf(a, 'beyond', 'Running', { meta: { annotations: annotations(7) } }),
      podOf(a, 'none'),
    ];
    expect(
      phrases({ objects })
        .filter((text) => text.startsWith('delete'))
        .toSorted(),
    ).toEqual(['delete Pod again', 'delete Pod beyond', 'delete Pod none']);
  });
});

describe('pods of a Job', () => {
  it('are adopted without a controller reference, and released when their labels changed', () => {
    const a = jobOf('a', { parallelism: 2, completions: 3 });
    const labels = a.spec.template.metadata?.labels;
    const objects = [
      a,
      barePod('found', 'Running', { meta: { labels } }),
      podOf(a, 'stray', 'Running', { meta: { labels: {} } }),
      barePod('other', 'Running', { meta: { labels: { app: 'x' } } }),
    ];
    const outcome = decide(job, { objects });
    expect(outcome.writes.map(phrase)).toEqual([
      'patch Pod stray',
      'check Job a',
      'patch Pod found',
      'create Pod a-',
      'update Job/status a',
    ]);
    expect(statusIn(outcome)).toMatchObject({ active: 2, ready: 1 });
  });
});

describe('a sync of a large Job', () => {
  it('never visits all its pods', () => {
    const a = jobOf('a', { parallelism: 3, completions: 9 }, { active: 3, startTime: '2024-01-01T00:00:00Z' });
    const objects = [a, ...running(a, 2), podOf(a, 'done', 'Succeeded'), barePod('other')];
    expect(phrases({ objects, noScans: true })).toEqual(['create Pod a-', 'update Job/status a']);
  });
});
