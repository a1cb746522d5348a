/** The cost of a pod does not depend on how pods are divided among Jobs. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';
import { inTurns } from './measure.ts';

export const podsPerJob: Benchmark = {
  name: 'pods-per-job',
  asks: 'Jobs of 10 pods against Jobs of 10,000, the same number of pods in all',
  run(scale) {
    warmUp();
    const pods = scale.size(10_000);
    const largest = scale.size(10_000);
    // All pods at once in both, because the number of concurrent pods also has a cost, which is not measured here.
    const cases = [
      { jobs: pods / 10, pods: 10, parallelism: 10 },
      { jobs: pods / largest, pods: largest, parallelism: largest },
    ];
    const timed = inTurns(
      scale.rounds,
      cases.map((load) => () => timeJobs(load)),
    );
    const rows = timed.map(({ ms, value }, at) => ({
      label: `${cases[at]?.jobs ?? 0} Jobs of ${cases[at]?.pods ?? 0}`,
      ms,
      units: value.pods,
      unit: 'pod',
      work: perPod(value),
    }));
    const [small, large] = rows.map(({ ms, units }) => ms / units);
    const [a, b] = [small ?? 1, large ?? 1];
    return { rows, score: { value: Math.max(a, b) / Math.min(a, b), limit: 1.5, is: 'most', unit: 'x' } };
  },
};
