/** `init [DIR]`: writes a small project that runs: a scenario, a controller with a test, a kind. Existing files are not changed. */
import { existsSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { CommandModule } from '../command.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { scenarioSchema } from '../../report/index.ts';
import { SCHEMA_FILE, schemaText } from '../editor/install.ts';
import { writeWhole } from '../write.ts';
import { BadInput, EXIT } from '../exit.ts';
import { projectFiles } from '../init/files.ts';
import type { Io } from '../io.ts';
import { pluginsOf } from '../load.ts';

export const init: CommandModule = {
  define(command, { io, action }) {
    command.argument('[dir]', 'the folder; created if it does not exist', '.').action(action((dir: string) => write(dir, io)));
  },
};

function write(dir: string, io: Io): number {
  const root = resolve(io.cwd, dir);
  const files = Object.entries(projectFiles(root));
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
    add(SCHEMA_FILE, schemaText(schemaIn(root, io)));
  } catch (error) {
    takeBack(root, made, isNew);
    throw error;
  }
  for (const name of made) io.out(`  ${io.palette.good('+')} ${join(dir, name)}\n`);
  const enter = relative(io.cwd, root) === '' ? '' : `cd ${dir} && `;
  io.out(
    `\nnow: ${enter}npm install\n     npx orchsim run scenarios        # the scenario, with your controller and kind\n     npx vitest run                   # its test\n     npx orchsim walk scenarios/greeting.yaml\n`,
  );
  return EXIT.held;
}

/** Removes the files of an incomplete project. */
function takeBack(root: string, made: readonly string[], isNew: boolean): void {
  for (const name of isNew ? ['.'] : made) rmSync(join(root, name), { force: true, recursive: isNew });
}

/** The schema of scenario files with the project's own kind, read from the files that were just written. */
function schemaIn(root: string, io: Io): object {
  const { definitions } = pluginsOf({ ...io, cwd: root, plugins: { with: [], config: true } });
  return scenarioSchema(kindsWith(namesFor('orch.io'), definitions), definitions);
}
