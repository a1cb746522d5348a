/** The memory of a pod in a cluster, which does not grow with the number of pods. */
import type { Benchmark } from './benchmark.ts';
import { createJob, openCluster } from './jobs.ts';
import { liveBytes } from './measure.ts';
import type { Cluster } from '../src/controlplane/cluster.ts';

/** A cluster with so many pods that do not exit. */
function hold(pods: number): Cluster {
  const cluster = openCluster(20, { agents: { podBehaviors: [{}] } });
  if (pods > 0) createJob(cluster, 'held', pods, pods);
  cluster.runUntil(cluster.now + 60_000);
  const running = [...cluster.store.values('Pod')].filter(
    ({ status }) => (status as { readonly phase?: string }).phase === 'Running',
  ).length;
  if (running !== pods) throw new Error(`${running} of ${pods} pods are running`);
  return cluster;
}

export const memoryPerPod: Benchmark = {
  name: 'memory-per-pod',
  asks: 'live memory per running pod: caches, indexes, summaries and its one event included',
  run(scale) {
    const sizes = [scale.size(0), scale.size(20_000), scale.size(100_000)];
    const live = sizes.map((pods) => {
      const before = liveBytes();
      const cluster = hold(pods);
      const bytes = liveBytes() - before;
      // Read once more, so that it is reachable while it is measured.
      return { pods: cluster.store.size('Pod'), bytes };
    });
    const [empty, small, large] = live.map(({ bytes }) => bytes);
    const weights = [small ?? 0, large ?? 0].map((bytes, at) => (bytes - (empty ?? 0)) / (sizes[at + 1] ?? 1));
    return {
      rows: weights.map((bytes, at) => ({
        label: 'held',
        ms: 0,
        units: sizes[at + 1] ?? 0,
        unit: 'pod',
        work: { 'bytes a pod': Math.round(bytes) },
      })),
      score: { value: (weights[1] ?? 0) / (weights[0] ?? 1), limit: 1.15, is: 'most', unit: 'x' },
    };
  },
};
