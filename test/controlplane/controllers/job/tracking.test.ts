import { describe, expect, it } from 'vitest';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import type { JobStatus } from '../../../../src/apiserver/kinds/index.ts';
import { at, jobOf, podOf } from '../../../support/objects.ts';
import { decide, phrase, statusIn } from '../../../support/reconcile.ts';

const FINALIZER = 'batch.kubernetes.io/job-tracking';
const gates = { JobReadyPods: true, JobTrackingWithFinalizers: true };
const tracked = (spec: Parameters<typeof jobOf>[1] = {}, status: Partial<JobStatus> = {}, more = {}) =>
  jobOf(
    'a',
    spec,
    { startTime: '2024-01-01T00:00:00Z', ready: 0, uncountedTerminatedPods: {}, ...status },
    { annotations: { [FINALIZER]: '' }, ...more },
  );
const held = (meta = {}) => ({ meta: { finalizers: [FINALIZER], ...meta } });

describe('counting with finalizers', () => {
  it('puts the finalizer on every pod', () => {
    expect(decide(job, { objects: [tracked()], gates }).writes[0]).toMatchObject({ object: { metadata: { finalizers: [FINALIZER] } } });
  });

  it('first lists the uid, then removes the finalizer, then counts', () => {
    const noted = decide(job, { objects: [tracked({}, { active: 1 }), podOf(tracked(), 'p', 'Succeeded', held())], gates });
    expect(noted.writes.map(phrase)).toEqual(['update Job/status a']);
    expect(statusIn(noted)).toMatchObject({ uncountedTerminatedPods: { succeeded: ['uid-p'] } });
    expect(statusIn(noted)).not.toHaveProperty('conditions');
    expect(noted.backoff).toBe('keep');

    const freed = decide(job, {
      objects: [tracked({}, { uncountedTerminatedPods: { succeeded: ['uid-p'] } }), podOf(tracked(), 'p', 'Succeeded', held())],
      gates,
    });
    expect(freed.writes.map(phrase)).toEqual(['patch Pod p']);

    const counted = decide(job, {
      objects: [tracked({}, { uncountedTerminatedPods: { succeeded: ['uid-p'] } }), podOf(tracked(), 'p', 'Succeeded')],
      gates,
    });
    expect(statusIn(counted)).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {}, conditions: [{ type: 'Complete' }] });
  });

  it('counts a pod whose object is gone', () => {
    const outcome = decide(job, {
      objects: [
        tracked({ completions: 2 }, { active: 1, uncountedTerminatedPods: { failed: ['uid-gone'] } }),
        podOf(tracked(), 'left', 'Pending', held()),
      ],
      gates,
    });
    expect(statusIn(outcome)).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
    expect(outcome.backoff).toBe('retry');
  });

  it('keeps the counts of the status when pods are gone', () => {
    const a = tracked({ completions: 3, parallelism: 1 }, { active: 1, succeeded: 2 });
    expect(decide(job, { objects: [a, podOf(a, 'p', 'Pending', held())], gates }).writes).toEqual([]);
  });

  it('counts a pod that is being deleted as failed', () => {
    const a = tracked({ completions: 2 }, { active: 1 });
    expect(
      statusIn(decide(job, { objects: [a, podOf(a, 'p', 'Running', held({ deletionTimestamp: '2024-01-01T00:00:00Z' }))], gates })),
    ).toMatchObject({ uncountedTerminatedPods: { failed: ['uid-p'] } });
  });

  it('does not count a pod as failed that it deletes itself', () => {
    const a = tracked({ completions: 5, parallelism: 0 }, { active: 1, ready: 1 });
    expect(decide(job, { objects: [a, podOf(a, 'p', 'Running', held())], gates }).writes.map(phrase)).toEqual([
      'patch Pod p',
      'delete Pod p',
      'update Job/status a',
    ]);
  });

  it('needs no uid for a completed index', () => {
    const a = tracked({ completionMode: 'Indexed', completions: 3, parallelism: 1 }, { completedIndexes: '0', succeeded: 1, active: 1 });
    const pod = podOf(a, 'p', 'Succeeded', held({ annotations: { 'batch.kubernetes.io/job-completion-index': '1' } }));
    const outcome = decide(job, { objects: [a, pod], gates });
    expect(outcome.writes.map(phrase)).toEqual(['create Pod a-2-', 'update Job/status a']);
    expect(statusIn(outcome)).toMatchObject({ completedIndexes: '0,1', succeeded: 2, uncountedTerminatedPods: {} });
  });

  it('ends a failed Job only once every pod is counted, and keeps the verdict', () => {
    const a = tracked({ activeDeadlineSeconds: 5 }, { active: 1, ready: 1 });
    const began = decide(job, { objects: [a, podOf(a, 'p', 'Running', held())], gates, now: at(5) });
    expect(began.writes.map(phrase)).toEqual(['delete Pod p', 'update Job/status a']);
    expect(statusIn(began)).toMatchObject({ ready: 1, uncountedTerminatedPods: { failed: ['uid-p'] } });
    expect(statusIn(began)).not.toHaveProperty('conditions');
    const ended = decide(job, {
      objects: [tracked({}, { ready: 1, uncountedTerminatedPods: { failed: ['uid-p'] } })],
      gates,
      memory: began.memory,
      now: at(6),
    });
    expect(statusIn(ended)).toMatchObject({ ready: 1, failed: 1, conditions: [{ type: 'Failed', reason: 'DeadlineExceeded' }] });
  });

  it('lists at most 500 uids', () => {
    const a = tracked({ completions: 600, parallelism: 600 }, { active: 600 });
    const objects = [a, ...Array.from({ length: 600 }, (_, i) => podOf(a, `p${i}`, 'Succeeded', held()))];
    expect(statusIn<JobStatus>(decide(job, { objects, gates }))?.uncountedTerminatedPods?.succeeded).toHaveLength(500);
  });

  it('removes the annotation from a Job when the gate is off', () => {
    expect(decide(job, { objects: [tracked()] }).writes).toMatchObject([
      { op: 'patch', kind: 'Job', patch: { metadata: { annotations: { [FINALIZER]: null } } } },
    ]);
  });
});
