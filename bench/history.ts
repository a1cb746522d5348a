/** The cost of recording a trace. */
import { recordTrace } from '../src/lab/trace/index.ts';
import type { Benchmark } from './benchmark.ts';
import { openCluster, runJobs, warmUp, type Work } from './jobs.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

const START = Date.UTC(2024, 0, 1);

export const history: Benchmark = {
  name: 'history',
  asks: 'a run that keeps its whole trace against one that keeps nothing',
  run(scale) {
    warmUp();
    const load = { jobs: 1, pods: scale.size(10_000), parallelism: 1_000 };
    const timed = inTurns(scale.rounds, [
      (): Timed<Work> => {
        const cluster = openCluster(20);
        return cpu(() => runJobs(cluster, load));
      },
      (): Timed<Work> => {
        const recorder = recordTrace(START);
        const cluster = openCluster(20, { startAt: START, onObservation: (observation) => recorder.add(observation) });
        const run = cpu(() => runJobs(cluster, load));
        if (recorder.trace.entries.length < run.value.commits) throw new Error('the trace misses entries');
        return run;
      },
    ]);
    const rows = timed.map(({ ms, value }, at) => ({
      label: at === 0 ? 'nothing kept' : 'trace kept',
      ms,
      units: value.pods,
      unit: 'pod',
    }));
    return { rows, score: { value: (timed[1]?.ms ?? 0) / (timed[0]?.ms ?? 1), limit: 1.2, is: 'most', unit: 'x' } };
  },
};
