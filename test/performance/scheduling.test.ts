/** A pod is placed by looking at a sample of the nodes, as large as upstream's. */
import { describe, expect, it } from 'vitest';
import type { SchedulerState } from '../../src/cluster/agents/scheduler/index.ts';
import { createJob, openCluster } from './workloads.ts';

/** Upstream's numFeasibleNodesToFind: all of few, 50 % less one per 125 nodes of many, at least 5 % and a hundred. */
const sampleOf = (nodes: number): number => (nodes < 100 ? nodes : Math.max(Math.trunc((nodes * Math.max(50 - Math.trunc(nodes / 125), 5)) / 100), 100));

describe('nodes examined for a bind', () => {
  it.each([20, 150, 600])('are at most the sample in a cluster of %i', (nodes) => {
    const cluster = openCluster(nodes);
    const state = cluster.runtime.process('scheduler')?.running.get('scheduler')?.state as SchedulerState;
    const looked: number[] = [];
    state.onAttempt = (_pod, placement) => { if (placement.type === 'placed') looked.push(placement.looked); };
    createJob(cluster, 'spread', 30, 30);
    cluster.runUntilSettled(cluster.now + 600_000);
    expect(looked).toHaveLength(30);
    expect(Math.max(...looked)).toBeLessThanOrEqual(sampleOf(nodes));
  });
});
