/** `walk PATH`: steps through a scenario, or a saved trace, in the terminal. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { printable, steers } from '../../report/index.ts';
import { defineCommand } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { beginningOf, readText, writeWhole } from '../files.ts';
import type { Io } from '../io.ts';
import { RULES, ONE_SCENARIO, SECRETS, HISTORY_PATH } from '../options.ts';
import { openHistory } from '../question/history.ts';
import { shownAs } from '../paths.ts';
import { createWalker, type Walker } from '../walk/walker.ts';
import { readScript, scriptProblems } from '../walk/words.ts';

/** Refuses `-`: standard input is for the commands of the walk. */
function pathOrRefuse(path: string): string {
  if (path !== '-') return path;
  throw new BadInput('walk reads its commands from standard input, so the scenario must be a file');
}

export const command = defineCommand({
  arguments: [['<path>', HISTORY_PATH]],
  options: [
    ['--script <words>', 'runs these commands instead of prompting: "n n why state Job/pi q", lines split by ; or a file of them'],
    ['--forks-to <folder>', 'where save writes forks', '.'],
    ['--seed <n>', "instead of the scenario's own"],
    ONE_SCENARIO,
    RULES,
    SECRETS,
    ['--json', 'each answer as a JSON line { said, shown }'],
  ],
  after: `
A walk goes back to 60,000 moments of its run and its forks, and forks go on from there; an earlier moment is run to again.
Unknown commands in a script are refused before it begins. Any other command that is refused changes nothing, and the walk goes on; a script, or commands from a pipe, then end with code 2.
`,
  async act({ io }, options, path) {
    const script = options.script === undefined ? undefined : linesOf(options.script, io.cwd);
    // Output to a pipe is not wrapped or paged.
    const shape = options.json || !io.terminal ? {} : { columns: io.columns, page: Math.max(LEAST_PAGE, (io.rows ?? PAGE) - 2) };
    const walker = createWalker(openHistory(pathOrRefuse(path), options, io), {
      palette: io.palette,
      save: (name, text) => saveFork(isAbsolute(name) ? name : join(options.forksTo, name), text, io),
      ...shape,
    });
    if (script === undefined) await converse(walker, io);
    else recite(walker, script, options.json, io);
    // Whoever sits at a terminal has read it.
    return walker.hasRefused && (script !== undefined || !io.terminal) ? EXIT.badInput : EXIT.held;
  },
});

/** Writes a fork, unless the file exists with other contents. Returns the path that messages show. */
function saveFork(path: string, text: string, { cwd }: Io): string {
  const full = resolve(cwd, path);
  if (existsSync(full) && beginningOf(full, Buffer.byteLength(text) + 1) !== text)
    throw new BadInput(`save: ${path} exists and has other contents; save FILE writes another file`);
  writeWhole({ option: 'save', path, cwd }, text);
  return shownAs(full, cwd);
}

/** Lines of a page if the screen has no known size, and on the smallest screen. */
const PAGE = 42;
const LEAST_PAGE = 8;

/** Reads a script, given as text or as a file. Every command in it must be known. */
function linesOf(script: string, cwd: string): readonly string[] {
  const file = resolve(cwd, script);
  const lines = readScript(existsSync(file) ? readText(file, script) : script);
  const problems = scriptProblems(lines);
  if (problems.length > 0) throw new BadInput(problems);
  return lines;
}

function recite(walker: Walker, script: readonly string[], json: boolean, io: Io): void {
  if (!json) io.out(`${walker.welcome().join('\n')}\n`);
  for (const line of script) {
    const prompt = walker.prompt();
    const shown = walker.execute(line);
    if (json) io.out(`${JSON.stringify({ said: line, shown: shown ?? [] })}\n`);
    else io.out(`\n${io.palette.dim(prompt)}${line}\n${(shown ?? []).map((text) => `${text}\n`).join('')}`);
    if (shown === undefined) return;
  }
}

async function converse(walker: Walker, io: Io): Promise<void> {
  io.out(`${walker.welcome().join('\n')}\n`);
  const reader = createInterface({
    input: io.input(),
    ...(io.terminal ? { output: process.stdout } : {}),
    prompt: '',
    completer: (line: string) => completion(walker, line),
  });
  const ask = (): void => {
    if (!io.terminal) return;
    // The reader writes the prompt directly, so the prompt must be printable.
    reader.setPrompt(printable(`\n${io.palette.dim(walker.prompt())}`));
    reader.prompt();
  };
  ask();
  for await (const line of reader) {
    const shown = walker.execute(line);
    if (shown === undefined) break;
    if (shown.length > 0) io.out(`${shown.join('\n')}\n`);
    ask();
  }
  reader.close();
}

/** The reader prints candidates directly, so names with control characters are left out. */
function completion(walker: Walker, line: string): ReturnType<Walker['complete']> {
  const [candidates, typed] = walker.complete(line);
  return [candidates.filter((each) => !steers(each)), typed];
}
