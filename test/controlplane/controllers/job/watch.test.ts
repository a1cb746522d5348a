import { describe, expect, it } from 'vitest';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import { barePod, jobOf, podOf } from '../../../support/objects.ts';
import { enqueued } from '../../../support/reconcile.ts';

const a = jobOf('a');
const soon = [{ key: 'default/a', afterMs: 1000 }];

describe('a change of a pod', () => {
  it('is batched for a second when ready pods are counted', () => {
    expect(enqueued(job, { objects: [a] }, { type: 'ADDED', object: podOf(a, 'p') })).toEqual(soon);
    expect(enqueued(job, { objects: [a], gates: {} }, { type: 'ADDED', object: podOf(a, 'p') })).toEqual(['default/a']);
  });

  it('that fails it enqueues the Job after its back-off', () => {
    const change = { type: 'MODIFIED', old: podOf(a, 'p'), object: podOf(a, 'p', 'Failed') } as const;
    expect(enqueued(job, { objects: [a] }, change)).toEqual([{ key: 'default/a', afterMs: 0 }]);
    expect(enqueued(job, { objects: [a], failures: 2 }, change)).toEqual([{ key: 'default/a', afterMs: 20_000 }]);
  });

  it('that fails while it is being deleted is batched like others', () => {
    const object = podOf(a, 'p', 'Failed', { meta: { deletionTimestamp: '2024-03-01T00:00:00Z' } });
    expect(enqueued(job, { objects: [a], failures: 2 }, { type: 'MODIFIED', old: podOf(a, 'p'), object })).toEqual(soon);
  });

  it('that removes its finalizer enqueues the Job at once', () => {
    const old = podOf(a, 'p', 'Succeeded', { meta: { finalizers: ['batch.kubernetes.io/job-tracking'] } });
    expect(enqueued(job, { objects: [a] }, { type: 'MODIFIED', old, object: podOf(a, 'p', 'Succeeded') })).toEqual(['default/a']);
    expect(enqueued(job, { objects: [a] }, { type: 'DELETED', old, object: old })).toEqual(['default/a']);
  });

  it('does not enqueue another Job of the same name', () => {
    expect(enqueued(job, { objects: [jobOf('a', {}, {}, { uid: 'another' })] }, { type: 'ADDED', object: podOf(a, 'p') })).toEqual([]);
  });

  it('without a controller enqueues the Jobs that select it', () => {
    const manual = jobOf('m', { manualSelector: true, selector: { matchLabels: { app: 'x' } } });
    const objects = [a, manual];
    expect(
      enqueued(job, { objects }, { type: 'ADDED', object: barePod('p', 'Running', { meta: { labels: { 'controller-uid': 'uid-a' } } }) }),
    ).toEqual(soon);
    expect(enqueued(job, { objects }, { type: 'ADDED', object: barePod('p', 'Running', { meta: { labels: { app: 'x' } } }) })).toEqual([
      { key: 'default/m', afterMs: 1000 },
    ]);
    expect(enqueued(job, { objects }, { type: 'ADDED', object: barePod('p') })).toEqual([]);
  });

  it('that leaves a Job enqueues that Job', () => {
    const labels = { app: 'y' };
    expect(
      enqueued(
        job,
        { objects: [a] },
        { type: 'MODIFIED', old: podOf(a, 'p', 'Running', { meta: { labels } }), object: barePod('p', 'Running', { meta: { labels } }) },
      ),
    ).toEqual(soon);
  });
});
