/** `play`: a page with all shipped scenarios, opened in the browser. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pageHtml } from '../../page/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { spare } from '../files.ts';
import { shippedScenarios } from '../install.ts';
import { loadScenarios } from '../load.ts';
import { carry, shell } from '../page/carry.ts';

interface Options {
  readonly out?: string;
  readonly open: boolean;
  readonly force?: boolean;
}

/** What opens a file with the program that its owner chose for it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

export const play: CommandModule = {
  define(command, { io, action }) {
    command
      .option('--out <file>', 'where to write it (default: a new folder for temporary files)')
      .option('--no-open', 'only says where it is')
      .option('--force', 'overwrites a file that is something else')
      .action(
        action(({ out, open, force }: Options) => {
          const html = pageHtml(shell(), playground());
          const file = out === undefined ? join(mkdtempSync(join(tmpdir(), 'orchsim-')), 'orchsim.html') : resolve(io.cwd, out);
          if (out !== undefined && force !== true) spare(out, '--out', io.cwd);
          writeFileSync(file, html);
          io.out(`${pathToFileURL(file).href}\n`);
          if (open && io.terminal) openFile(file);
          return EXIT.held;
        }),
      );
  },
};

/** All shipped scenarios, by folder; lessons first, what is broken on purpose last. */
function playground() {
  const root = fileURLToPath(shippedScenarios());
  const loaded = loadScenarios([root, join(root, 'broken')], { cwd: root });
  const files = loaded.map(({ file }) => file);
  const scenarios = loaded.map((each) => {
    const path = relative(root, resolve(root, each.file))
      .replaceAll('\\', '/')
      .replace(/\.ya?ml$/, '');
    const several = files.indexOf(each.file) !== files.lastIndexOf(each.file);
    return carry(each, several ? `${path}#${each.scenario.name}` : path, root, several);
  });
  const rank = (name: string): number => (name.startsWith('lessons/') ? 0 : name.startsWith('broken/') ? 2 : 1);
  const sorted = scenarios.sort((a, b) => rank(a.name) - rank(b.name));
  const [first] = sorted;
  if (first === undefined) throw new BadInput('there are no shipped scenarios: the installation is not whole');
  const start = sorted.find(({ name }) => name === 'job/15-crash-between-writes') ?? first;
  return { scenarios: sorted, open: first.name.startsWith('lessons/') ? first.name : start.name };
}

function openFile(file: string): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true });
  // Where nothing opens files the address has been told.
  child.on('error', () => undefined);
  child.unref();
}
