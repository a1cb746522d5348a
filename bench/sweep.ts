/** A sweep over seeds on two threads against one. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { wall } from './measure.ts';
import { scenarioFile } from './scenario-file.ts';

const command = fileURLToPath(new URL('./orchsim.js', import.meta.url));

export const sweep: Benchmark = {
  name: 'sweep',
  asks: 'a sweep over seeds by two workers against one, wall time',
  run(scale) {
    if (availableParallelism() < 2) return { skipped: 'this machine has one processor' };
    const seeds = scale.size(200);
    const file = scenarioFile({ pods: 200, parallelism: 20 });
    const outputs = new Set<string>();
    const best = [Infinity, Infinity];
    for (let round = 0; round < scale.rounds; round++) {
      for (const workers of [1, 2]) {
        const { ms, value } = wall(() => spawnSync(process.execPath, [command, 'run', file.path, '--seeds', `1..${seeds}`, '--jobs', String(workers)], { encoding: 'utf8' }));
        if (value.status !== 0) throw new Error(`${value.stdout}${value.stderr}`);
        outputs.add(value.stdout);
        best[workers - 1] = Math.min(best[workers - 1] ?? Infinity, ms);
      }
    }
    file.remove();
    if (outputs.size !== 1) throw new Error('the number of workers shows in the output');
    const [one, two] = [best[0] ?? 1, best[1] ?? 1];
    return {
      rows: [{ label: 'one worker, wall', ms: one, units: seeds, unit: 'run' }, { label: 'two workers, wall', ms: two, units: seeds, unit: 'run' }],
      score: { value: one / two, limit: 1.6, is: 'least', unit: 'x' }, note: 'Means something only where two processors are free.',
    };
  },
};
