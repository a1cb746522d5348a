/** One big Job from start to end: the most requested number. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';

export const bigJob: Benchmark = {
  name: 'big-job',
  asks: 'one Job of 100,000 completions, a thousand at a time',
  run(scale) {
    warmUp();
    const pods = scale.size(100_000);
    const { ms, value } = timeJobs({ jobs: 1, pods, parallelism: 1_000 });
    return {
      rows: [
        {
          label: 'one Job',
          ms,
          units: pods,
          unit: 'pod',
          work: { ...perPod(value), 'virtual s': Math.round(value.virtualSeconds), 'µs an event': (ms * 1000) / value.events },
        },
      ],
    };
  },
};
