/**
 * A sweep over seeds on two threads against one, after the warm-up: every thread compiles for itself, which costs as much as the first
 * hundred small runs and cannot be shared. So two sweeps of different length are timed, and the differences are compared.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { wall } from './measure.ts';
import { scenarioFile } from './scenario-file.ts';

const command = fileURLToPath(new URL('./orchsim.js', import.meta.url));

export const sweep: Benchmark = {
  name: 'sweep',
  asks: 'what more seeds cost two workers against one, wall time',
  run(scale) {
    if (availableParallelism() < 2) return { skipped: 'this machine has one processor' };
    const [few, many] = [scale.size(100), scale.size(400)];
    const file = scenarioFile({ pods: 200, parallelism: 20 });
    const outputs = new Map<number, string>();
    const best = new Map<string, number>();
    const time = (workers: number, seeds: number): number => best.get(`${workers}/${seeds}`) ?? Infinity;
    for (let round = 0; round < scale.rounds; round++) {
      for (const seeds of [few, many]) {
        for (const workers of [1, 2]) {
          const { ms, value } = wall(() =>
            spawnSync(process.execPath, [command, 'run', file.path, '--seeds', `1..${seeds}`, '--jobs', String(workers)], {
              encoding: 'utf8',
            }),
          );
          if (value.status !== 0) throw new Error(`${value.stdout}${value.stderr}`);
          if (value.stdout !== (outputs.get(seeds) ?? value.stdout)) throw new Error('the number of workers shows in the output');
          outputs.set(seeds, value.stdout);
          best.set(`${workers}/${seeds}`, Math.min(time(workers, seeds), ms));
        }
      }
    }
    file.remove();
    const [one, two] = [time(1, many) - time(1, few), time(2, many) - time(2, few)];
    const row = (label: string, ms: number, units: number) => ({ label, ms, units, unit: 'run' });
    return {
      rows: [
        row('one worker, wall, from its start', time(1, few), few),
        row('two workers, wall, from their start', time(2, few), few),
        row('one worker, wall, going on', one, many - few),
        row('two workers, wall, going on', two, many - few),
      ],
      score: { value: one / two, limit: 1.6, is: 'least', unit: 'x' },
      note: 'Means something only where two processors are free.',
    };
  },
};
