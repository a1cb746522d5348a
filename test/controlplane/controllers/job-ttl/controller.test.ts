import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { jobTtl } from '../../../../src/controlplane/controllers/job-ttl/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, jobOf } from '../../../support/objects.ts';
import { decide, resume } from '../../../support/reconcile.ts';

const finished = { conditions: [{ type: 'Complete', status: 'True', lastProbeTime: null, lastTransitionTime: '2024-01-01T00:00:00Z' }] };

describe('time-to-live of a Job', () => {
  it('waits for the remaining time', () => {
    expect(decide(jobTtl, { objects: [jobOf('a', { ttlSecondsAfterFinished: 9 }, finished)], now: at(8.5) })).toMatchObject({
      writes: [],
      wakeAt: at(9),
    });
  });

  it('reads the Job live, and deletes exactly that Job, in the foreground', () => {
    const a = jobOf('a', { ttlSecondsAfterFinished: 0 }, finished);
    const asked = decide(jobTtl, { objects: [a] }).writes;
    expect(asked).toMatchObject([{ op: 'get', kind: 'Job', namespace: 'default', name: 'a', resume: true }]);
    const after = (object: ApiObject | undefined) => resume(jobTtl, { objects: [a] }, { write: asked[0] as Write, object });
    expect(after(a).writes).toMatchObject([{ op: 'delete', name: 'a', uid: 'uid-a', propagationPolicy: 'Foreground' }]);
    expect(after(undefined)).toEqual({ why: 'it is gone', writes: [] });
    expect(after(jobOf('a', { ttlSecondsAfterFinished: 60 }, finished))).toMatchObject({ writes: [], wakeAt: at(60) });
    expect(after(jobOf('a', { ttlSecondsAfterFinished: 0 }))).toMatchObject({ why: 'it has not finished', writes: [] });
  });

  it.each([
    ['runs on', jobOf('a', { ttlSecondsAfterFinished: 0 })],
    ['has none', jobOf('a', {}, finished)],
    ['is going already', jobOf('a', { ttlSecondsAfterFinished: 0 }, finished, { deletionTimestamp: '2024-01-01T00:00:00Z' })],
  ])('keeps a Job that %s', (_, a) => {
    expect(decide(jobTtl, { objects: [a], now: at(99) }).writes).toEqual([]);
  });
});
