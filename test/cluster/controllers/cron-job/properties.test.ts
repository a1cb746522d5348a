import { describe, expect, it } from 'vitest';
import type { CronJob, Job } from '../../../../src/cluster/api/index.ts';
import { explore, findingText } from '../../../../src/lab/explore/index.ts';
import type { Run } from '../../../../src/lab/simulation/index.ts';
import { cronJobScenarios } from './scenarios.ts';

/** What is wrong with the end of a run: everything has mended, so the status must tell the truth and stay as it is. */
function wrongAtTheEnd({ cluster, settled }: Run): readonly string[] {
  if (!settled) return ['it did not come to rest'];
  const wrong: string[] = [];
  const state = (): string => JSON.stringify([...cluster.store.values('CronJob'), ...cluster.store.values('Job'), ...cluster.store.values('Pod')]);
  const [object] = cluster.store.values('CronJob');
  const { metadata, spec, status } = object as CronJob;
  const jobs = cluster.store.by('Job', 'controllerUid', metadata.uid) as readonly Job[];
  const ended = (job: Job, type: string): boolean => job.status.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true;
  if (jobs.some((job) => !ended(job, 'Complete') && !ended(job, 'Failed'))) wrong.push('a Job is unfinished');
  if ((status.active ?? []).length > 0) wrong.push(`it lists ${JSON.stringify(status.active)}`);
  for (const [type, limit] of [['Complete', spec.successfulJobsHistoryLimit], ['Failed', spec.failedJobsHistoryLimit]] as const) {
    const kept = jobs.filter((job) => ended(job, type)).length;
    if (limit !== undefined && kept > limit) wrong.push(`it keeps ${kept} Jobs that are ${type}, of ${limit}`);
  }
  const newest = jobs.flatMap((job) => job.status.completionTime ?? []).toSorted().at(-1);
  if (newest !== undefined && (status.lastSuccessfulTime ?? '') < newest) wrong.push(`lastSuccessfulTime is ${status.lastSuccessfulTime}, though a Job completed at ${newest}`);
  const before = state();
  cluster.runtime.crash('controller-manager');
  cluster.runtime.restart('controller-manager', cluster.now + 1000);
  cluster.runUntil(cluster.now + 600_000);
  if (state() !== before) wrong.push('a restart changes something');
  return wrong;
}

describe('whatever people change and whatever breaks', () => {
  it.each([1, 2, 3])('every invariant holds and it ends right and at rest (search %i)', (seed) => {
    const { finding } = explore(cronJobScenarios, { seed, runs: 40, broken: (run) => run.failures.length > 0 || wrongAtTheEnd(run).length > 0 });
    const text = finding === undefined ? '' : `${findingText(finding, 'found.yaml')}\n${wrongAtTheEnd(finding.run).join('\n')}\n${finding.file}`;
    expect(text).toBe('');
  });
});
