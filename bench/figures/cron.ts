/** A CronJob every minute: the cost of a run, of a year of runs by the mean of a long time, and its memory. */
import { openCluster } from '../jobs.ts';
import { cpu, liveBytes } from '../measure.ts';
import type { FigureGroup } from './figure.ts';
import { ask } from './loads.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_YEAR = 525_600;

export const cron: FigureGroup = {
  name: 'cron',
  asks: 'a CronJob every minute',
  measure(scale) {
    const minutes = scale.size(5_000);
    const cluster = openCluster(1);
    ask(cluster, {
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
    // Until Events of the first runs expire, and the event recorders hold their maximum of objects (4,096, upstream's maxLruCacheEntries).
    cluster.runUntil(cluster.now + scale.size(5_000) * MINUTE_MS);
    const before = liveBytes();
    const runMs = cpu(() => cluster.runUntil(cluster.now + minutes * MINUTE_MS)).ms / minutes;
    if (cluster.store.size('Job') > 5) throw new Error(`${cluster.store.size('Job')} Jobs are kept; the history limit is 3`);
    return [
      { label: 'a run of a CronJob, minutely', value: runMs, limit: 0.3, is: 'most', unit: 'ms' },
      {
        label: 'a virtual year of such runs, CPU, by their mean',
        value: (runMs * MINUTES_A_YEAR) / 1000,
        limit: 160,
        is: 'most',
        unit: 's',
      },
      { label: 'live memory after them / before', value: liveBytes() / before, limit: 1.1, is: 'most', unit: '×' },
    ];
  },
};
