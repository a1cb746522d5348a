/** `page PATH`: writes a scenario as one HTML file that runs it, or recordings of runs: one, or two side by side. */
import { pageHtml } from '../../page/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { BadInput } from '../exit.ts';
import { loadOne, loadScenarios } from '../load.ts';
import { readSeed } from '../options.ts';
import type { Io } from '../io.ts';
import { carry, putPage, shell, tracesPage } from '../page/carry.ts';
import { isTraceFile, openHistory } from '../question/history.ts';
import { FORCE_TEXT, refuseOverwrite } from '../files.ts';

const options = [
  ['--seed <n>', "instead of the scenario's own"],
  ['--scenario <name>', 'the scenario of this name, where the file has several'],
  ['--against <file>', 'the same as a second path'],
  ['--out <file>', 'where to write it (default: NAME.html, named after the scenario)'],
  ['--show-secrets', 'of recordings: shows the values of Secrets that the trace holds; a page that runs its scenario always holds them'],
  ['--force', FORCE_TEXT],
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [
    ['<path>', 'a scenario file, or a trace that run --trace wrote'],
    ['[other]', 'another trace of the same scenario, also from another build: shows both side by side'],
  ],
  options,
  act({ io }, given, path, other) {
    const beside = besideIn(other, given);
    if (beside !== undefined || isTraceFile(path, io.cwd)) writeRecordings(path, beside, given, io);
    else writeScenario(path, given, io);
  },
});

function besideIn(other: string | undefined, { against }: Options): string | undefined {
  if (other !== undefined && against !== undefined)
    throw new BadInput('--against: a second path is given already; at most two runs are shown side by side');
  return other ?? against;
}

function writeScenario(path: string, options: Options, io: Io): void {
  const { seed, scenario: name } = options;
  const loaded = loadOne(path, io, name);
  const carried = carry(loaded, loaded.scenario.name, io.cwd, loadScenarios([path], io).length > 1);
  const page = (): string =>
    pageHtml(shell(), { scenarios: [carried], open: carried.name, ...(seed === undefined ? {} : { seed: readSeed(seed) }) });
  put(options.out ?? `${loaded.scenario.name}.html`, page, carried.title, options, io);
}

/** Writes a page without the engine. */
function writeRecordings(path: string, beside: string | undefined, options: Options, io: Io): void {
  const first = openHistory(path, options, io);
  const second = beside === undefined ? undefined : openHistory(beside, options, io);
  const what = second === undefined ? 'a recording' : `${first.file} and ${second.file}, side by side`;
  put(options.out ?? `${first.scenario.replaceAll(/[^\w.-]/g, '-')}.html`, () => tracesPage(first, second), what, options, io);
}

function put(file: string, page: () => string, what: string, { force }: Options, io: Io): void {
  if (!force) refuseOverwrite(file, '--out', io.cwd);
  putPage(page(), file, '--out', io);
  if (file !== '-') io.out(`${file}: ${what}. Open it in a browser; it needs nothing else.\n`);
}
