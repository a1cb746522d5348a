/** `page PATH`: a scenario as one HTML file that opens from disk and runs it. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pageHtml } from '../../page/index.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit.ts';
import { loadOne, loadScenarios } from '../load.ts';
import { readSeed } from '../options.ts';
import { carry, shell } from '../page/carry.ts';
import { spare } from '../files.ts';

interface Options {
  readonly seed?: string;
  readonly scenario?: string;
  readonly out?: string;
  readonly force?: boolean;
}

export const page: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<path>', 'a scenario file')
      .option('--seed <n>', "instead of the scenario's own")
      .option('--scenario <name>', 'the scenario of this name, where the file has several')
      .option('--out <file>', 'where to write it (default: NAME.html, named after the scenario)')
      .option('--force', 'overwrites a file that is something else')
      .action(
        action((path: string, { seed, scenario: name, out, force }: Options) => {
          const loaded = loadOne(path, io, name);
          const several = loadScenarios([path], io).length > 1;
          const carried = carry(loaded, loaded.scenario.name, io.cwd, several);
          const file = out ?? `${loaded.scenario.name}.html`;
          if (force !== true) spare(file, '--out', io.cwd);
          const html = pageHtml(shell(), {
            scenarios: [carried],
            open: carried.name,
            ...(seed === undefined ? {} : { seed: readSeed(seed) }),
          });
          if (file === '-') io.out(html);
          else {
            writeFileSync(resolve(io.cwd, file), html);
            io.out(`${file}: ${carried.title}. Open it in a browser; it needs nothing else.\n`);
          }
          return EXIT.held;
        }),
      );
  },
};
