/** Heartbeats of an idle cluster: a virtual day of node leases that nobody watches. */
import type { Benchmark } from './benchmark.ts';
import { openCluster } from './jobs.ts';
import { cpu, inTurns } from './measure.ts';

const HOUR = 3_600_000;

export const leases: Benchmark = {
  name: 'leases',
  asks: 'an idle hour of a thousand nodes (their leases are renewed one by one so far)',
  run(scale) {
    const counts = [scale.size(100), scale.size(1_000)];
    const timed = inTurns(1, counts.map((count) => () => {
      const cluster = openCluster(count);
      const before = cluster.counters.commits;
      return { ...cpu(() => cluster.runUntil(cluster.now + HOUR)), value: cluster.counters.commits - before };
    }));
    return { rows: timed.map(({ ms, value }, at) => ({ label: `${counts[at] ?? 0} nodes`, ms, units: Math.max(value, 1), unit: 'commit', work: { 'node hours': counts[at] ?? 0 } })) };
  },
};
