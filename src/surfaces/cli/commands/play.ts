/** `play`: opens a page with all shipped scenarios in the browser. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCommand } from '../command.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole } from '../files.ts';
import { playground } from '../page/playground.ts';

/** Commands that open a file with its default program. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

export const command = defineCommand({
  options: [
    ['--out <file>', 'where to write it (default: a new temporary folder)'],
    ['--no-open', 'prints the path, and opens no browser'],
    ['--force', FORCE_TEXT],
  ],
  act({ io }, { out, open, force }) {
    const html = playground();
    const file = out === undefined ? join(mkdtempSync(join(tmpdir(), 'orchsim-')), 'orchsim.html') : resolve(io.cwd, out);
    if (out !== undefined && !force) refuseOverwrite(out, '--out', io.cwd);
    writeWhole({ option: '--out', path: file, cwd: io.cwd }, html);
    io.out(`${pathToFileURL(file).href}\n`);
    if (open && io.terminal) openFile(file);
  },
});

function openFile(file: string): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true });
  // If the system has no opener, the printed address is enough.
  child.on('error', () => undefined);
  child.unref();
}
