/** Which finished Jobs of a CronJob are deleted: the oldest by their start, beyond the limit of their kind. */
import { expect, it } from 'vitest';
import { beyondHistory } from '../../../../src/controlplane/controllers/cron-job/jobs.ts';
import { AT, jobOf } from '../../../support/objects.ts';
import { tick } from './objects.ts';

const finished = (name: string, type: 'Complete' | 'Failed', startTime: string | undefined) =>
  jobOf(name, {}, { startTime, conditions: [{ type, status: 'True', lastProbeTime: AT, lastTransitionTime: AT }] } as never);
const started = (minute: number): string => `2024-01-01T00:0${minute}:00Z`;

it.each<readonly [string, ReturnType<typeof jobOf>[], number, number, readonly string[]]>([
  [
    'by their start, then by their names, and those that never started last',
    [
      finished('never-b', 'Complete', undefined),
      finished('late', 'Complete', started(3)),
      finished('never-a', 'Complete', undefined),
      finished('b', 'Complete', started(1)),
      finished('a', 'Complete', started(1)),
      finished('middle', 'Complete', started(2)),
    ],
    0,
    9,
    ['a', 'b', 'middle', 'late', 'never-a', 'never-b'],
  ],
  [
    'each kind by its own limit',
    [
      finished('c1', 'Complete', started(1)),
      finished('f1', 'Failed', started(1)),
      finished('c2', 'Complete', started(2)),
      finished('f2', 'Failed', started(2)),
      jobOf('runs', {}, { startTime: started(0) }),
    ],
    2,
    1,
    ['f1'],
  ],
])('%s', (_, jobs, successfulJobsHistoryLimit, failedJobsHistoryLimit, expected) => {
  const found = beyondHistory(tick({ successfulJobsHistoryLimit, failedJobsHistoryLimit }), jobs);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(expected);
});

it('none without limits', () => {
  const jobs = [finished('a', 'Complete', started(1)), finished('b', 'Failed', started(1))];
  expect(beyondHistory(tick({ successfulJobsHistoryLimit: undefined, failedJobsHistoryLimit: undefined } as object), jobs)).toEqual([]);
});
