/** Deletes a finished Job when its time-to-live has expired. Models: v1.24 pkg/controller/ttlafterfinished. Omits: nothing. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { readLive, defineController, idle, isOf, remove, wakeAt, write, type Outcome } from '../../runtime/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { finishedCondition } from '../../shared/index.ts';

export const jobTtl = defineController({
  name: 'job-ttl',
  component: 'ttl-after-finished-controller',
  reconciles: 'Job',
  writes: ['Job'],
  models: 'Complete. Reads the Job from the API server before it deletes it. Upstream: pkg/controller/ttlafterfinished.',
  reconcile: ({ self: job, now }) =>
    idleReason(job, now) ??
    write('its ttlSecondsAfterFinished has passed: read it from the API server', readLive(job, { tolerate: ['NotFound'] })),
  // The time-to-live may have been extended, or a new Job may have the name, so the cache is not relied on.
  resume({ now }, { object: job }) {
    if (!isOf('Job', job)) return idle('it is gone');
    return idleReason(job, now) ?? write('its ttlSecondsAfterFinished has passed', remove(job, { propagationPolicy: 'Foreground' }));
  },
});

/** Why a Job is not deleted now; undefined: its time-to-live has expired. */
function idleReason(job: Job, now: number): Outcome<never, never> | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished;
  const finishedAt = finishedCondition(job)?.lastTransitionTime ?? undefined;
  if (ttl === undefined) return idle('ttlSecondsAfterFinished is not set');
  if (finishedAt === undefined) return idle('it has not finished');
  if (job.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');
  const expiresAt = parseTime(finishedAt) + ttl * 1000;
  return now < expiresAt ? wakeAt(expiresAt, 'finished; waiting for its ttlSecondsAfterFinished to pass') : undefined;
}
