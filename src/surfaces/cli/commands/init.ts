/**
 * `init [DIR]`: writes a small project that runs: a scenario, a controller with a test, a kind. Nothing that is there is touched; into a
 * project of somebody's own go the files that it has not, and what they need is said. With `--from`: behaviours for a dump, and a scenario.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { defineCommand } from '../command.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { scenarioSchema } from '../../report/index.ts';
import { SCHEMA_FILE } from '../editor.ts';
import { dumpIn } from '../dump.ts';
import { writeWhole, readText } from '../files.ts';
import { BadInput } from '../exit.ts';
import { projectFiles } from '../init/files.ts';
import { writeFromDump } from '../init/from-dump.ts';
import { type Io, jsonText } from '../io.ts';
import { pluginsOf } from '../load.ts';

export const command = defineCommand({
  arguments: [['[dir]', 'the folder; created if it does not exist', '.']],
  options: [
    ['--from <path>', 'the dump of a cluster: writes behaviours for what is in it, and a scenario; may be given several times', []],
    ['--with-secrets', 'with --from: Secrets keep their values in the scenario, which are emptied otherwise'],
    ['--lenient', 'with --from: the scenario leaves out what cannot be read or contradicts something else'],
  ],
  act({ io }, given, dir) {
    const from = dumpIn(given);
    if (from === undefined) write(dir, io);
    else writeFromDump(dir, from, io);
  },
});

function write(dir: string, io: Io): void {
  const root = resolve(io.cwd, dir);
  if (statSync(root, { throwIfNoEntry: false })?.isFile() === true) throw new BadInput(`${dir}: it is a file; init writes into a folder`);
  const all = projectFiles(root);
  const kept = OF_A_PROJECT.filter((name) => existsSync(join(root, name)));
  const files = Object.entries(all).filter(([name]) => !kept.includes(name));
  const taken = [...files.map(([name]) => name), SCHEMA_FILE].filter((name) => existsSync(join(root, name)));
  if (taken.length > 0) throw new BadInput(taken.map((name) => `${join(dir, name)}: it exists already; init needs a folder without it`));
  const isNew = !existsSync(root);
  const made: string[] = [];
  const add = (name: string, text: string): void => {
    writeWhole({ option: 'init', path: join(dir, name), cwd: io.cwd }, text);
    made.push(name);
  };
  try {
    for (const [name, text] of files) add(name, text);
    add(SCHEMA_FILE, jsonText(schemaIn(root, io)));
  } catch (error) {
    takeBack(root, made, isNew);
    throw error;
  }
  for (const name of kept) io.out(`  ${io.palette.dim('=')} ${join(dir, name)} ${io.palette.dim('is kept')}\n`);
  for (const name of made) io.out(`  ${io.palette.good('+')} ${join(dir, name)}\n`);
  const enter = relative(io.cwd, root) === '' ? '' : `cd ${dir} && `;
  const lacking = kept.includes(PACKAGE) ? lackingIn(join(root, PACKAGE), all[PACKAGE] ?? '') : [];
  io.out(
    `\nnow: ${enter}npm install${lacking.length === 0 ? '' : ` --save-dev ${lacking.join(' ')}`}\n     npx orchsim run scenarios        # the scenario, with your controller and kind\n     npx vitest run                   # its test\n     npx orchsim walk scenarios/greeting.yaml\n`,
  );
}

const PACKAGE = 'package.json';
/** What a project has already, and keeps. */
const OF_A_PROJECT: readonly string[] = [PACKAGE, 'tsconfig.json'];

/** What the files written need and a project does not have, as npm installs it. */
function lackingIn(path: string, ours: string): readonly string[] {
  const has = new Set(Object.keys(dependenciesIn(readText(path, PACKAGE))));
  return Object.entries(dependenciesIn(ours)).flatMap(([name, range]) =>
    has.has(name) ? [] : [range.startsWith('file:') ? range.slice('file:'.length) : name],
  );
}

/** All of them; none in a text that is no such file. */
function dependenciesIn(text: string): Readonly<Record<string, string>> {
  try {
    const { dependencies, devDependencies } = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
    return { ...dependencies, ...devDependencies };
  } catch {
    return {};
  }
}

function takeBack(root: string, made: readonly string[], isNew: boolean): void {
  for (const name of isNew ? ['.'] : made) rmSync(join(root, name), { force: true, recursive: isNew });
}

/** The schema of scenario files with the project's own kind, read from the files that were just written. */
function schemaIn(root: string, io: Io): object {
  const { definitions } = pluginsOf({ ...io, cwd: root, plugins: { with: [], config: true } });
  return scenarioSchema(kindsWith(namesFor('orch.io'), definitions), definitions);
}
