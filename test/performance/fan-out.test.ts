/** A write is delivered only where it matters, independent of the number of other subscribers. */
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/controlplane/runtime/index.ts';
import { createJob, openCluster } from './workloads.ts';

/** Deliveries per commit while a Job of twenty pods runs. */
function deliveriesPerCommit(nodes: number, otherJobs: number): { readonly most: number; readonly mean: number } {
  const seen = new Map<number, number>();
  let counting = false;
  const cluster = openCluster(nodes, {
    onObservation(observation: Observation) {
      if (!counting) return;
      if (observation.type === 'write') seen.set(observation.id, 0);
      else if (observation.type === 'delivery') for (const cause of observation.causes) seen.set(cause, (seen.get(cause) ?? 0) + 1);
    },
  });
  for (let at = 0; at < otherJobs; at++) createJob(cluster, `other-${at}`, 2, 2);
  cluster.runUntilSettled(cluster.now + 600_000);
  counting = true;
  createJob(cluster, 'counted', 20, 20);
  cluster.runUntilSettled(cluster.now + 600_000);
  const counts = [...seen.values()];
  return { most: Math.max(...counts), mean: counts.reduce((sum, count) => sum + count, 0) / counts.length };
}

describe('subscribers that a write touches', () => {
  const little = deliveriesPerCommit(3, 0);

  it('are a handful', () => {
    // The controller manager, the scheduler and the agent of the pod's node.
    expect(little.most).toBeLessThanOrEqual(3);
  });

  it('are the same among 3 nodes and among 60', () => {
    const many = deliveriesPerCommit(60, 0);
    expect(many.most).toBe(little.most);
    expect(many.mean).toBeCloseTo(little.mean, 1);
  });

  it('are the same among no other Jobs and among 100', () => {
    const many = deliveriesPerCommit(3, 100);
    expect(many.most).toBe(little.most);
    expect(many.mean).toBeCloseTo(little.mean, 1);
  });
});
