/** Many small Jobs at once. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';

export const manyJobs: Benchmark = {
  name: 'many-jobs',
  asks: '10,000 Jobs of ten pods each',
  run(scale) {
    warmUp();
    const jobs = scale.size(10_000);
    const { ms, value } = timeJobs({ jobs, pods: 10, parallelism: 5 });
    return { rows: [{ label: 'all Jobs', ms, units: value.pods, unit: 'pod', work: perPod(value) }] };
  },
};
