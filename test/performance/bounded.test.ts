/** The state of a long run does not grow: objects, pending events, and the states of keys. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/controlplane/cluster.ts';
import { createJob, openCluster } from './workloads.ts';

const MINUTE = 60_000;

/** The size of everything that could leak. */
function held(cluster: Cluster): Readonly<Record<string, number>> {
  let keys = 0;
  let cached = 0;
  for (const name of cluster.runtime.names()) {
    const process = cluster.runtime.process(name);
    if (process === undefined) continue;
    for (const running of process.running.values()) keys += running.queue.size;
    for (const kind of process.cache.kinds()) cached += process.cache.size(kind);
  }
  const objects = cluster.store.kinds().reduce((sum, kind) => sum + cluster.store.size(kind), 0);
  return { objects, cached, keys, pending: cluster.kernel.pending().length };
}

describe('a CronJob every minute', () => {
  it('holds as much after six hours as after two', () => {
    const cluster = openCluster(2);
    const response = cluster.request('test', {
      verb: 'create',
      kind: 'CronJob',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'tick' },
        spec: {
          schedule: '* * * * *',
          jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work:1' }] } } } },
        },
      },
    });
    expect(response.ok).toBe(true);
    cluster.runUntil(cluster.now + 120 * MINUTE);
    const early = held(cluster);
    cluster.runUntil(cluster.now + 240 * MINUTE);
    const late = held(cluster);
    expect(cluster.store.size('Job')).toBeLessThanOrEqual(4);
    expect(cluster.store.size('Pod')).toBeLessThanOrEqual(4);
    for (const [what, amount] of Object.entries(late)) expect(amount, what).toBeLessThanOrEqual((early[what] ?? 0) + 5);
  });
});

describe('finished pods', () => {
  it('leave nothing in queues except the states of the last instant', () => {
    const cluster = openCluster(3);
    const keysAfter = (name: string, completions: number): number => {
      createJob(cluster, name, completions, 100);
      cluster.runUntilSettled(cluster.now + 60 * MINUTE);
      return held(cluster)['keys'] ?? 0;
    };
    const few = keysAfter('few', 300);
    expect(keysAfter('many', 1_500)).toBeLessThanOrEqual(few + 20);
  });
});
