/**
 * `init [DIR]`: writes a small project that runs: a scenario, a controller with a test, a kind. Nothing that is there is touched; into a
 * project of somebody's own go the files that it has not, and what they need is said. With `--from`: behaviours for a dump, and a scenario.
 */
import { existsSync, rmSync, statSync, readFileSync } from 'node:fs';
import { join, relative, resolve, basename, dirname, isAbsolute, sep } from 'node:path';
import { defineCommand } from '../command.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { jsonIn } from '../../../schema/values/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { scenarioSchema, shellWord } from '../../report/index.ts';
import { SCHEMA_FILE, modeline } from '../editor.ts';
import { dumpIn } from '../dump.ts';
import { writeWhole, readText } from '../files.ts';
import { BadInput } from '../exit.ts';
import { writeFromDump } from '../init/from-dump.ts';
import { type Io, jsonText } from '../io.ts';
import { pluginsOf } from '../load.ts';
import cards from '../init/cards.ts.txt';
import controller from '../init/greeter.ts.txt';
import kind from '../init/greeting.ts.txt';
import scenario from '../init/greeting.yaml';
import config from '../init/orchsim.config.ts.txt';
import test from '../init/greeter.test.ts.txt';
import { packageRoot, version } from '../install.ts';

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
  const lacking = kept.includes(PACKAGE) ? lackingIn(join(root, PACKAGE), join(dir, PACKAGE), all[PACKAGE] ?? '') : [];
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
  const enter = relative(io.cwd, root) === '' ? '' : `cd ${shellWord(dir)} && `;
  io.out(
    `\nnow: ${enter}npm install${lacking.length === 0 ? '' : ` --save-dev ${lacking.map(shellWord).join(' ')}`}\n     npx orchsim run scenarios        # the scenario, with your controller and kind\n     npx vitest run                   # its test\n     npx orchsim walk scenarios/greeting.yaml\n`,
  );
}

const PACKAGE = 'package.json';
/** What a project has already, and keeps. */
const OF_A_PROJECT: readonly string[] = [PACKAGE, 'tsconfig.json'];

/** What the files written need and a project does not have, as npm installs it. */
function lackingIn(path: string, shown: string, ours: string): readonly string[] {
  const theirs = jsonIn(readText(path, shown));
  if (typeof theirs !== 'object' || theirs === null)
    throw new BadInput(`${shown}: it is no JSON object, and npm cannot install what the files need`);
  const has = dependenciesIn(theirs);
  return Object.entries(dependenciesIn(JSON.parse(ours))).flatMap(([name, range]) =>
    name in has ? [] : [range.startsWith('file:') ? range.slice('file:'.length) : name],
  );
}

function dependenciesIn(json: unknown): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = json as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  return { ...dependencies, ...devDependencies };
}

function takeBack(root: string, made: readonly string[], isNew: boolean): void {
  for (const name of isNew ? ['.'] : made) rmSync(join(root, name), { force: true, recursive: isNew });
}

/** The schema of scenario files with the project's own kind, read from the files that were just written. */
function schemaIn(root: string, io: Io): object {
  const { definitions } = pluginsOf({ ...io, cwd: root, plugins: { with: [], config: true } });
  return scenarioSchema(kindsWith(namesFor('orch.io'), definitions), definitions);
}

/** By path, relative to the project. */
export const projectFiles = (root: string): Readonly<Record<string, string>> => ({
  'package.json': `${JSON.stringify(
    {
      name:
        basename(root)
          .toLowerCase()
          .replaceAll(/[^a-z0-9-]+/g, '-') || 'my-controllers',
      private: true,
      type: 'module',
      scripts: { start: 'orchsim run scenarios', test: 'tsc && vitest run', schema: 'orchsim schema --install --force' },
      devDependencies: {
        '@types/node': '^20.19.0',
        'fast-check': '^4.0.0',
        orchsim: orchsimAt(root),
        typescript: '^5.9.0',
        vitest: '^4.0.0',
      },
    },
    null,
    2,
  )}\n`,
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom'],
        types: ['node'],
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
      include: ['*.ts'],
    },
    null,
    2,
  )}\n`,
  'orchsim.config.ts': config,
  'greeting.ts': kind,
  'greeter.ts': controller,
  'cards.ts': cards,
  'greeter.test.ts': test,
  'scenarios/greeting.yaml': `${modeline(`../${SCHEMA_FILE}`)}\n${scenario}`,
});

/** Returns the version of the package for `package.json` in `root`: a range if `here` is from a registry, else tarball or folder. */
export function orchsimAt(root: string, here = packageRoot()): string {
  const modules = dirname(here);
  if (!here.includes(`${sep}node_modules${sep}`)) return fileFrom(root, here);
  const resolved = resolvedIn(modules);
  if (resolved === undefined) return fileFrom(root, here);
  return resolved.startsWith('file:') ? fileFrom(root, resolve(dirname(modules), resolved.slice('file:'.length))) : `^${version()}`;
}

/** The source that npm recorded when it installed this package. */
function resolvedIn(modules: string): string | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
    };
    return packages?.['node_modules/orchsim']?.resolved;
  } catch {
    return undefined;
  }
}

function fileFrom(root: string, full: string): string {
  const path = relative(root, full);
  return `file:${(isAbsolute(path) || path.startsWith('.') ? path : `./${path}`).replaceAll(sep, '/')}`;
}
