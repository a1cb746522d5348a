import { describe, expect, it } from 'vitest';
import { jobTtl } from '../../../../src/controlplane/controllers/job-ttl/controller.ts';
import { at, jobOf } from '../../../support/objects.ts';
import { decide } from '../../../support/reconcile.ts';

const finished = { conditions: [{ type: 'Complete', status: 'True', lastProbeTime: null, lastTransitionTime: '2024-01-01T00:00:00Z' }] };

describe('time-to-live of a Job', () => {
  it('waits out what is left', () => {
    expect(decide(jobTtl, { objects: [jobOf('a', { ttlSecondsAfterFinished: 9 }, finished)], now: at(8.5) })).toMatchObject({
      writes: [],
      wakeAt: at(9),
    });
  });

  it('deletes exactly this Job in the foreground, as it was last seen', () => {
    const a = jobOf('a', { ttlSecondsAfterFinished: 0 }, finished);
    expect(decide(jobTtl, { objects: [a] }).writes).toMatchObject([
      { op: 'delete', name: 'a', uid: 'uid-a', resourceVersion: a.metadata.resourceVersion, propagationPolicy: 'Foreground' },
    ]);
  });

  it.each([
    ['runs on', jobOf('a', { ttlSecondsAfterFinished: 0 })],
    ['has none', jobOf('a', {}, finished)],
    ['is going already', jobOf('a', { ttlSecondsAfterFinished: 0 }, finished, { deletionTimestamp: '2024-01-01T00:00:00Z' })],
  ])('leaves a Job alone that %s', (_, a) => {
    expect(decide(jobTtl, { objects: [a], now: at(99) }).writes).toEqual([]);
  });
});
