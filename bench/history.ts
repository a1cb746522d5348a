/** The cost of recording a trace, in time and in memory. */
import { recordTrace } from '../src/lab/trace/index.ts';
import type { Benchmark } from './benchmark.ts';
import { openCluster, runJobs, warmUp, type Load, type Work } from './jobs.ts';
import { cpu, inTurns, liveBytes, type Timed } from './measure.ts';

const START = Date.UTC(2024, 0, 1);

/** Runs a load with a recorder. The trace is part of the result, so that it stays reachable. */
function recorded(load: Load) {
  const recorder = recordTrace(START);
  const cluster = openCluster(20, { startAt: START, onObservation: (observation) => recorder.add(observation) });
  const { ms, value } = cpu(() => runJobs(cluster, load));
  if (recorder.trace.entries.length < value.commits) throw new Error('the trace misses entries');
  return { ms, value, trace: recorder.trace };
}

const unrecorded = (load: Load): Timed<Work> => {
  const cluster = openCluster(20);
  return cpu(() => runJobs(cluster, load));
};

/** Returns the live bytes of a kept trace, for each of its entries: a run that keeps it, less the same run without it. */
export function traceBytes(pods: number): number {
  const load = { jobs: 1, pods, parallelism: pods };
  const weigh = <T>(act: () => T): { readonly bytes: number; readonly value: T } => {
    const before = liveBytes();
    const value = act();
    return { bytes: liveBytes() - before, value };
  };
  const without = weigh(() => unrecorded(load));
  const kept = weigh(() => recorded(load));
  if (without.value.value.commits !== kept.value.value.commits) throw new Error('the runs differ');
  return (kept.bytes - without.bytes) / kept.value.trace.entries.length;
}

export const history: Benchmark = {
  name: 'history',
  asks: 'a run that keeps its whole trace against one that keeps nothing',
  run(scale) {
    warmUp();
    const load = { jobs: 1, pods: scale.size(10_000), parallelism: 1_000 };
    const timed = inTurns<Work>(scale.rounds, [() => unrecorded(load), () => recorded(load)]);
    const bytes = Math.round(traceBytes(scale.size(10_000)));
    const rows = timed.map(({ ms, value }, at) => ({
      label: at === 0 ? 'nothing kept' : 'trace kept',
      ms,
      units: value.pods,
      unit: 'pod',
      ...(at === 0 ? {} : { work: { 'bytes an entry': bytes } }),
    }));
    return { rows, score: { value: (timed[1]?.ms ?? 0) / (timed[0]?.ms ?? 1), limit: 1.2, is: 'most', unit: 'x' } };
  },
};
