import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import { cronJob } from '../../../../src/controlplane/controllers/cron-job/controller.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';

const HOUR = 3_600_000;

/** A minutely CronJob whose Jobs the test completes after five seconds. */
function minutely(): { readonly cluster: Cluster; runs(): number } {
  let runs = 0;
  const cluster: Cluster = createCluster({
    limits: { steps: 1e9, timeMs: 400 * 24 * HOUR },
    controllers: () => [cronJob],
    onObservation: (observation) => {
      if (observation.type !== 'write' || observation.change.kind !== 'Job' || observation.change.type !== 'ADDED') return;
      const { name } = observation.change.object.metadata;
      const failed = ++runs % 7 === 0;
      cluster.plan(cluster.now + 5000, 'the Job ends', () => {
        const time = formatTime(cluster.now);
        const status = {
          startTime: time,
          ...(failed ? { failed: 1 } : { succeeded: 1, completionTime: time }),
          conditions: [{ type: failed ? 'Failed' : 'Complete', status: 'True', lastProbeTime: time, lastTransitionTime: time }],
        };
        cluster.request('job', {
          verb: 'patch',
          kind: 'Job',
          namespace: 'default',
          name,
          subresource: 'status',
          patchType: 'merge',
          body: { status },
        });
      });
    },
  });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } };
  const made = cluster.request('somebody', {
    verb: 'create',
    kind: 'CronJob',
    namespace: 'default',
    body: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick', namespace: 'default' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } },
    },
  });
  if (!made.ok) throw new Error(made.status.message);
  return { cluster, runs: () => runs };
}

describe('thousands of runs', () => {
  it('each costs the same, and nothing remains of those beyond the history limit', () => {
    const { cluster, runs } = minutely();
    cluster.runUntil(cluster.startAt + 6 * HOUR);
    const tenths: object[] = [];
    for (let tenth = 0; tenth < 5; tenth++) {
      const before = { ...cluster.counters, steps: cluster.kernel.steps, runs: runs() };
      cluster.runUntil(cluster.now + 7 * HOUR);
      tenths.push({
        runs: runs() - before.runs,
        commits: cluster.counters.commits - before.commits,
        reconciles: cluster.counters.reconciles - before.reconciles,
        steps: cluster.kernel.steps - before.steps,
        jobs: cluster.store.size('Job'),
        events: cluster.store.size('Event') <= 13,
        pending: cluster.kernel.pending().length <= 30,
      });
    }
    expect(tenths[0]).toMatchObject({ runs: 420, jobs: 4, events: true, pending: true });
    for (const tenth of tenths) expect(tenth).toEqual(tenths[0]);
    // Per run: a Job is created, listed, ended and removed from the list, its success is recorded, an old Job is deleted; one sync for each
    // change.
    expect(cluster.counters.commits / runs()).toBeLessThan(6.5);
    expect(cluster.counters.reconciles / runs()).toBeLessThan(6.5);
  });
});
