/** `play [PATH]`: opens a page in the browser: all shipped scenarios, a scenario of a file, or a cluster from its dump. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DumpSource, formatScenario } from '../../../lab/scenario/index.ts';
import { pageHtml } from '../../page/index.ts';
import { defineCommand } from '../command.ts';
import { dumpIn, FROM } from '../dump.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadDump, loadOne } from '../load.ts';
import { carry, carryText, redactedScenario, shell } from '../page/carry.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole } from '../files.ts';
import { playground } from '../page/playground.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

export const command = defineCommand({
  arguments: [['[path]', 'a scenario file, such as the incident that import has saved; absent: all shipped scenarios, or the dump']],
  options: [
    ...FROM,
    ['--out <file>', 'where to write it (default: a new temporary folder)'],
    ['--no-open', 'prints the path, and opens no browser'],
    ['--force', FORCE_TEXT],
  ],
  act({ io }, { out, open, force, ...dump }, path) {
    const from = dumpIn(dump);
    const html = path !== undefined ? scenarioPage(path, from, io) : from === undefined ? playground() : dumpPage(from, io);
    const file = out === undefined ? join(mkdtempSync(join(tmpdir(), 'orchsim-')), 'orchsim.html') : resolve(io.cwd, out);
    if (out !== undefined && !force) refuseOverwrite(out, '--out', io.cwd);
    writeWhole({ option: '--out', path: file, cwd: io.cwd }, html);
    io.out(`${pathToFileURL(file).href}\n`);
    if (open && io.terminal) openFile(file);
  },
});

function scenarioPage(path: string, from: DumpSource | undefined, io: Io): string {
  const loaded = loadOne(path, { ...io, from });
  for (const text of loaded.scenario.lintWarnings ?? []) io.err(`note: ${text}\n`);
  const carried = carry(loaded, loaded.scenario.name, io.cwd, false);
  return pageHtml(shell(), { scenarios: [carried], open: carried.name });
}

/** A page that begins with a dump. Values of Secrets are left out unless they are asked for. */
function dumpPage(from: DumpSource, io: Io): string {
  if (from.paths.includes('-')) throw new BadInput('--from: expected a file or folder, found -: a page has no standard input');
  const loaded = loadDump(from, io);
  for (const text of loaded.scenario.lintWarnings ?? []) io.err(`note: ${text}\n`);
  const file = `${loaded.scenario.name}.yaml`;
  const whole = carryText(formatScenario(loaded.scenario), { ...loaded, file }, loaded.scenario.name, io.cwd);
  const carried = from.secrets === true ? whole : redactedScenario(whole);
  return pageHtml(shell(), { scenarios: [carried], open: carried.name });
}

function openFile(file: string): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true });
  // If the system has no opener, the printed address is enough.
  child.on('error', () => undefined);
  child.unref();
}
