/** The cost of a pod does not depend on the number of candidate nodes. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';
import { inTurns } from './measure.ts';

export const nodes: Benchmark = {
  name: 'nodes',
  asks: 'a pod in a cluster of 5,000 nodes against one in a cluster of 100',
  run(scale) {
    warmUp();
    const pods = scale.size(10_000);
    const counts = [100, scale.size(5_000)];
    // All pods at once, so that no heartbeat of a node comes between them.
    const timed = inTurns(
      scale.rounds,
      counts.map((count) => () => timeJobs({ jobs: 1, pods, parallelism: pods, nodes: count })),
    );
    const rows = timed.map(({ ms, value }, at) => ({
      label: `${counts[at] ?? 0} nodes`,
      ms,
      units: value.pods,
      unit: 'pod',
      work: perPod(value),
    }));
    const [few, many] = rows.map(({ ms }) => ms);
    return { rows, score: { value: (many ?? 0) / (few ?? 1), limit: 1.3, is: 'most', unit: 'x' } };
  },
};
