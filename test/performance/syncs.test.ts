/** A key is reconciled only when something may have changed for it. */
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/controlplane/runtime/index.ts';
import { createJob, openCluster } from './workloads.ts';

describe('syncs', () => {
  it('of one key happen at most once an instant, where messages take time', () => {
    const atInstant = new Map<string, number>();
    const cluster = openCluster(5, {
      latency: { api: 1, watch: 1 },
      onObservation(observation: Observation) {
        // A node's timer and its heartbeat may be at one instant; the scheduler decides on several waiting pods at once and returns each
        // decision to its key.
        if (observation.type !== 'reconcile' || observation.controller === 'node-lifecycle' || observation.controller === 'scheduler')
          return;
        const key = `${observation.at} ${observation.process} ${observation.controller} ${observation.key}`;
        atInstant.set(key, (atInstant.get(key) ?? 0) + 1);
      },
    });
    for (let at = 0; at < 5; at++) createJob(cluster, `job-${at}`, 40, 10);
    expect(cluster.runUntilSettled(cluster.now + 600_000)).toBe(true);
    expect([...atInstant].filter(([, count]) => count > 1)).toEqual([]);
  });

  it('of a Job are few where a thousand of its pods change at one instant', () => {
    let syncs = 0;
    const cluster = openCluster(5, {
      onObservation: (observation: Observation) => {
        if (observation.type === 'reconcile' && observation.controller === 'job') syncs++;
      },
    });
    createJob(cluster, 'wide', 1_000, 1_000);
    cluster.runUntilSettled(cluster.now + 600_000);
    expect(syncs).toBeLessThan(40);
  });
});
