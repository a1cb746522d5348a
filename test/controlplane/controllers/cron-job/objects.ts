/** CronJobs and their Jobs for tests, with all fields of stored objects. */
import type { CronJob, Job } from '../../../../src/apiserver/kinds/index.ts';
import type { ObjectReference } from '../../../../src/apiserver/machinery/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, jobOf } from '../../../support/objects.ts';

/** A CronJob called `tick`, created at second 0. */
export const tick = (
  spec: Partial<CronJob['spec']> = {},
  status: Partial<CronJob['status']> = {},
  more: Readonly<Record<string, unknown>> = {},
): CronJob =>
  ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: 'tick',
      namespace: 'default',
      uid: 'uid-tick',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: formatTime(at(0)),
      ...more,
    },
    spec: {
      schedule: '* * * * *',
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels: { app: 'tick' }, annotations: { note: 'x' } },
        spec: { template: { metadata: {}, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } } },
      },
      ...spec,
    },
    status,
  }) as unknown as CronJob;

/** The name of the Job of a minute after second 0. */
export const nameOf = (minute: number): string => `tick-${at(0) / 60_000 + minute}`;

/** The Job of a minute; `ended`: its condition, and after how many seconds of its minute. */
export function runOf(
  minute: number,
  ended?: { readonly as: 'Complete' | 'Failed'; readonly after?: number },
  more: Readonly<Record<string, unknown>> = {},
): Job {
  const startTime = formatTime(at(minute * 60));
  const time = formatTime(at(minute * 60 + (ended?.after ?? 5)));
  const status =
    ended === undefined
      ? { startTime, active: 1 }
      : {
          startTime,
          ...(ended.as === 'Complete' ? { succeeded: 1, completionTime: time } : { failed: 1 }),
          conditions: [{ type: ended.as, status: 'True', lastProbeTime: time, lastTransitionTime: time }],
        };
  return jobOf(nameOf(minute), {}, status, {
    ownerReferences: [
      { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'uid-tick', controller: true, blockOwnerDeletion: true },
    ],
    ...more,
  });
}

/** A Job as an entry in the list of active ones. */
export const listed = (minute: number): ObjectReference => ({
  kind: 'Job',
  namespace: 'default',
  name: nameOf(minute),
  uid: `uid-${nameOf(minute)}`,
  apiVersion: 'batch/v1',
  resourceVersion: '1',
});
