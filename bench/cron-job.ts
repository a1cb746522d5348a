/** The cost of a CronJob after a long time equals that at its start, in time and in memory. */
import type { Benchmark, Row } from './benchmark.ts';
import { openCluster } from './jobs.ts';
import { cpu, liveBytes } from './measure.ts';

const MINUTE = 60_000;
const TENTHS = 10;

export const cronJob: Benchmark = {
  name: 'cron-job',
  asks: 'a CronJob every minute: its last tenth against its first',
  run(scale) {
    const minutes = scale.size(10_000);
    const cluster = openCluster(1);
    const created = cluster.request('bench', {
      verb: 'create',
      kind: 'CronJob',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'tick', namespace: 'default' },
        spec: {
          schedule: '* * * * *',
          jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work:1' }] } } } },
        },
      },
    });
    if (!created.ok) throw new Error(created.status.message);
    cluster.runUntil(cluster.now + 200 * MINUTE);
    const rows: Row[] = [];
    const bytes: number[] = [];
    for (let tenth = 1; tenth <= TENTHS; tenth++) {
      const before = cluster.store.revision;
      const runs = minutes / TENTHS;
      const { ms } = cpu(() => cluster.runUntil(cluster.now + runs * MINUTE));
      if (cluster.store.revision - before < runs) throw new Error('fewer commits than runs');
      if (tenth > 1 && tenth < TENTHS) continue;
      bytes.push(liveBytes());
      rows.push({
        label: tenth === 1 ? 'first tenth' : 'last tenth',
        ms,
        units: runs,
        unit: 'run',
        work: {
          'live MB': Math.round((bytes.at(-1) ?? 0) / 1e5) / 10,
          Jobs: cluster.store.size('Job'),
          Pods: cluster.store.size('Pod'),
          Events: cluster.store.size('Event'),
        },
      });
    }
    if (cluster.store.size('Job') > 5) throw new Error(`${cluster.store.size('Job')} Jobs are kept; the history limit is 3`);
    return { rows, score: { value: (rows[1]?.ms ?? 0) / (rows[0]?.ms ?? 1), limit: 1.25, is: 'most', unit: 'x' } };
  },
};
