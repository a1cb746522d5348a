/** `run PATH…`: runs scenarios and tells what happened. */
import { simulate, type Run } from '../../../lab/simulation/index.ts';
import { failureText, runLine } from '../../report/text.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit.ts';
import { loadScenarios } from '../load.ts';
import { palette } from '../palette.ts';

interface Options { readonly seed?: string; readonly verbose?: boolean }

const exitCodeOf = (runs: readonly Run[]): number =>
  runs.some(({ verdict }) => verdict === 'broken') ? EXIT.broken : runs.some(({ verdict }) => verdict === 'unsettled') ? EXIT.unsettled : EXIT.held;

export const run: CommandModule = {
  name: 'run',
  register(program, act) {
    program.command('run').argument('<path...>', 'scenario files or folders').description('run scenarios')
      .option('--seed <n>', 'instead of the scenario\'s own seed').option('-v, --verbose', 'a timeline of every write and decision')
      .action((paths: string[], options: Options) => act(() => {
        const runs: Run[] = [];
        for (const { scenario, file } of loadScenarios(paths)) {
          const done = simulate(scenario, { trace: true, ...(options.seed === undefined ? {} : { seed: Number(options.seed) }) });
          runs.push(done);
          process.stdout.write(`${runLine(done, palette)}\n`);
          for (const failure of done.failures) process.stdout.write(`${failureText(done, failure, file, palette)}\n`);
        }
        return exitCodeOf(runs);
      }));
  },
};
