/** The cost of the digest. */
import type { Benchmark } from './benchmark.ts';
import { timeJobs, warmUp } from './jobs.ts';
import { inTurns } from './measure.ts';

export const digest: Benchmark = {
  name: 'digest',
  asks: 'a run with its fingerprint against one without',
  run(scale) {
    warmUp();
    const load = { jobs: 1, pods: scale.size(10_000), parallelism: 1_000 };
    const timed = inTurns(
      scale.rounds,
      [false, true].map((fingerprint) => () => timeJobs({ ...load, options: { digest: fingerprint } })),
    );
    const rows = timed.map(({ ms, value }, at) => ({
      label: at === 0 ? 'without' : 'with',
      ms,
      units: value.pods,
      unit: 'pod',
      ...(at === 0 ? {} : { work: { digest: value.cluster.digest() } }),
    }));
    return { rows, score: { value: (timed[1]?.ms ?? 0) / (timed[0]?.ms ?? 1), limit: 1.15, is: 'most', unit: 'x' } };
  },
};
