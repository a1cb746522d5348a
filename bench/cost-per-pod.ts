/** The cost of a pod does not depend on the number of pods: nothing is quadratic. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';
import { inTurns } from './measure.ts';

export const costPerPod: Benchmark = {
  name: 'cost-per-pod',
  asks: 'what a pod of a Job of 200,000 costs, against one of 20,000',
  run(scale) {
    warmUp();
    const sizes = [scale.size(20_000), scale.size(200_000)] as const;
    const timed = inTurns(
      1,
      sizes.map((pods) => () => timeJobs({ jobs: 1, pods, parallelism: 1_000 })),
    );
    const rows = timed.map(({ ms, value }) => ({ label: 'one Job', ms, units: value.pods, unit: 'pod', work: perPod(value) }));
    const [small, large] = rows.map(({ ms, units }) => ms / units);
    return { rows, score: { value: (large ?? 0) / (small ?? 1), limit: 1.3, is: 'most', unit: 'x' } };
  },
};
