/** Deletes a finished Job once its time-to-live has run out. Models: v1.24 pkg/controller/ttlafterfinished. Omits: nothing. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, remove, wakeAt, write } from '../../runtime/index.ts';
import { parseTime } from '../../../grammar/values/index.ts';
import { finishedCondition } from '../../shared/index.ts';

export const jobTtl = defineController({
  name: 'job-ttl',
  component: 'ttl-after-finished-controller',
  reconciles: 'Job',
  writes: ['Job'],
  models: 'Complete. Upstream: pkg/controller/ttlafterfinished.',
  reconcile({ self: job, now }) {
    const ttl = job.spec.ttlSecondsAfterFinished;
    const finishedAt = finishTime(job);
    if (ttl === undefined) return idle('no time-to-live is set');
    if (finishedAt === undefined) return idle('it has not finished');
    if (job.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');
    const expiresAt = finishedAt + ttl * 1000;
    if (now < expiresAt) return wakeAt(expiresAt, 'finished; waiting out its time-to-live');
    // Only as last seen: whoever prolonged its life meanwhile wins.
    return write(
      'its time-to-live ran out',
      remove(job, { propagationPolicy: 'Foreground', resourceVersion: job.metadata.resourceVersion }),
    );
  },
});

/** When the Job ended, milliseconds since the epoch, as its condition says: to the second. */
function finishTime(job: Job): number | undefined {
  const at = finishedCondition(job)?.lastTransitionTime;
  return at === undefined || at === null ? undefined : parseTime(at);
}
