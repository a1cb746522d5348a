/** The time from the start of a command to its first output. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { scenarioFile } from './scenario-file.ts';

const command = fileURLToPath(new URL('../bin/orchsim.js', import.meta.url));

/** Milliseconds of wall time until the first output. */
const firstOutput = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = process.hrtime.bigint();
    const child = spawn(process.execPath, [command, 'run', path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let after: number | undefined;
    child.stdout.on('data', () => {
      after ??= Number(process.hrtime.bigint() - startedAt) / 1e6;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && after !== undefined) resolve(after);
      else reject(new Error(`the command ended with ${code ?? 'a signal'}`));
    });
  });

export const start: Benchmark = {
  name: 'start',
  asks: 'from the command to the first scenario line, wall time, best of several',
  async run(scale) {
    const file = scenarioFile({ pods: 3, parallelism: 1 });
    const starts = scale.quick ? 3 : 10;
    let best = Infinity;
    try {
      for (let at = 0; at < starts; at++) best = Math.min(best, await firstOutput(file.path));
    } finally {
      file.remove();
    }
    return {
      rows: [{ label: 'wall', ms: best, units: 1, unit: 'start', work: { starts } }],
      score: { value: best, limit: 200, is: 'most', unit: 'ms' },
    };
  },
};
