/** `page PATH`: writes a scenario as one HTML file that runs it, or recordings of runs: one, or two side by side. */
import { pageHtml } from '../../page/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { loadOne, loadScenarios } from '../load.ts';
import { readSeed } from '../options.ts';
import type { Io } from '../io.ts';
import { carry, shell, tracesPage } from '../page/carry.ts';
import { isTraceFile, openHistory } from '../question/history.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole } from '../files.ts';

interface Options {
  readonly seed?: string;
  readonly scenario?: string;
  readonly against?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly showSecrets?: boolean;
}

export const page: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<path>', 'a scenario file, or a trace that run --trace wrote')
      .argument('[other]', 'another trace of the same scenario, also from another build: shows both side by side')
      .option('--seed <n>', "instead of the scenario's own")
      .option('--scenario <name>', 'the scenario of this name, where the file has several')
      .option('--against <file>', 'the same as a second path')
      .option('--out <file>', 'where to write it (default: NAME.html, named after the scenario)')
      .option(
        '--show-secrets',
        'of recordings: shows the values of Secrets that the trace holds; a page that runs its scenario always holds them',
      )
      .option('--force', FORCE_TEXT)
      .action(
        action((path: string, other: string | undefined, options: Options) => {
          const { seed, scenario: name, out, force } = options;
          const beside = besideIn(other, options);
          if (beside !== undefined || isTraceFile(path, io.cwd)) {
            writeRecordings(path, beside, options, io);
            return EXIT.held;
          }
          const loaded = loadOne(path, io, name);
          const several = loadScenarios([path], io).length > 1;
          const carried = carry(loaded, loaded.scenario.name, io.cwd, several);
          const file = out ?? `${loaded.scenario.name}.html`;
          if (force !== true) refuseOverwrite(file, '--out', io.cwd);
          const html = pageHtml(shell(), {
            scenarios: [carried],
            open: carried.name,
            ...(seed === undefined ? {} : { seed: readSeed(seed) }),
          });
          if (file === '-') io.out(html, 'verbatim');
          else {
            writeWhole({ option: '--out', path: file, cwd: io.cwd }, html);
            io.out(`${file}: ${carried.title}. Open it in a browser; it needs nothing else.\n`);
          }
          return EXIT.held;
        }),
      );
  },
};

function besideIn(other: string | undefined, { against }: Options): string | undefined {
  if (other !== undefined && against !== undefined)
    throw new BadInput('--against: a second path is given already; at most two runs are shown side by side');
  return other ?? against;
}

/** Writes a page without the engine. */
function writeRecordings(path: string, beside: string | undefined, options: Options, io: Io): void {
  const first = openHistory(path, options, io);
  const second = beside === undefined ? undefined : openHistory(beside, options, io);
  const file = options.out ?? `${first.scenario.replaceAll(/[^\w.-]/g, '-')}.html`;
  if (options.force !== true) refuseOverwrite(file, '--out', io.cwd);
  const html = tracesPage(first, second);
  if (file === '-') {
    io.out(html, 'verbatim');
    return;
  }
  writeWhole({ option: '--out', path: file, cwd: io.cwd }, html);
  const what = second === undefined ? 'a recording' : `${first.file} and ${second.file}, side by side`;
  io.out(`${file}: ${what}. Open it in a browser; it needs nothing else.\n`);
}
