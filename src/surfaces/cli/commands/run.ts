/** `run PATH…`: runs scenarios and prints the results: lines, a timeline, files, a sweep. `--watch` runs again when a file changes. */
import { resolve } from 'node:path';
import { parseDurationMs } from '../../../schema/values/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite } from '../files.ts';
import type { Io } from '../io.ts';
import { chosenOf, CHOICE } from '../choose.ts';
import { dumpIn, FROM } from '../dump.ts';
import { junit, runsJson } from '../../report/index.ts';
import { loadRunnable, type LoadedScenario, underRules, Unreadable } from '../load.ts';
import { LOG_LEVELS, readJobs, readRules, readSeed, readSeeds, readWord, RULES, SCENARIO_PATHS } from '../options.ts';
import { type EachOptions, type FileName, FILES, optionOf, runEach } from '../run/each.ts';
import { checkPageTargets, type PageOptions } from '../page/recordings.ts';
import { runSweep } from '../run/sweep.ts';

const FORMATS = ['text', 'json', 'junit'] as const;
export type Format = (typeof FORMATS)[number];

const options = [
  ['-v, --verbose', 'a timeline of writes, decisions and faults; -vv also deliveries, timers and heartbeats', 0],
  ['--seed <n>', "instead of the scenarios' own"],
  RULES,
  ['--seeds <a..b>', 'a sweep: every scenario under every seed from a to b'],
  ['--jobs <n>', 'worker threads; their number does not change the result (default: 1; for a sweep one for each processor)'],
  ...FROM,
  ...CHOICE,
  ['--watch', 'run again whenever a file changes'],
  ['--format <format>', 'text, json or junit', 'text'],
  ['--json', 'the same as --format json'],
  ['--coverage', 'reports the coverage of the runs: faults and their targets, invariants that were exercised, reasons of decisions'],
  ['--trace <file>', 'writes every entry as a JSON line; why, diff, state and walk read it'],
  ['--events <file>', 'writes every object change as a JSON line { t, type, object }'],
  ['--audit-log <file>', 'writes the audit log that a real server would write, lines of audit.k8s.io/v1; import reads it'],
  ['--perfetto <file>', 'writes the run as trace events, for the viewer Perfetto and chrome://tracing'],
  ['--shiviz <file>', 'writes the run as a log with vector clocks, for the viewer ShiViz'],
  ['--page <file>', 'writes a page that shows the run in a browser, without the engine; for a sweep: which seeds broke, and by what'],
  ['--page-on-failure <dir>', 'writes such a page for each run that fails, NAME-seed-N.html'],
  ['--page-window <from..to>', 'what such a page shows of a long run: times since the start, such as 10m..12m'],
  ['--force', FORCE_TEXT],
  ['--show-secrets', 'timelines, files and pages hold what Secrets hold, instead of <redacted 1> and so on'],
  ['--log <file>', 'writes a structured log in virtual time; - for the output'],
  ['--log-level <level>', 'the quietest level of the log: trace, debug, info, warn or error', 'info'],
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [['[path...]', `${SCENARIO_PATHS}; with --from also none: the first minute of the dump`]],
  options,
  act({ io }, given, paths) {
    const from = dumpIn(given);
    if (paths.length === 0 && from === undefined) throw new BadInput('expected a scenario: PATH…, or the dump of a cluster: --from PATH');
    const place = { ...io, from };
    return given.watch ? watch(paths, given, place) : once(paths, given, place);
  },
});

const formatOf = ({ format, json }: Options): Format => (json ? 'json' : readWord('--format', format, FORMATS));

/** The reason in a report for scenarios that did not run because a named file could not be read. */
const NOT_RUN = 'not run: a file that was named could not be read';

/** Like loadRunnable. A JUnit report contains the files that could not be read, even if nothing is run. */
function loaded(paths: readonly string[], options: Options, io: Io): ReturnType<typeof loadRunnable> {
  try {
    return loadRunnable(paths, io, (text) => io.err(`note: ${text}\n`));
  } catch (error) {
    if (!(error instanceof Unreadable) || formatOf(options) === 'text') throw error;
    if (formatOf(options) === 'json') io.out(runsJson([], EXIT.badInput, { unread: error.unread }));
    if (formatOf(options) !== 'junit') throw error;
    const unrun = error.scenarios.map(({ scenario, file }) => ({ file, scenario: scenario.name, seed: scenario.seed }));
    io.out(junit([], unrun, error.unread, NOT_RUN));
    throw error;
  }
}

async function once(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const { scenarios, skipped, unread } = loaded(paths, options, io);
  const code = await runChosen(chosenOf(scenarios, options), { paths, unread }, options, io);
  if (skipped.length === 0) return code;
  for (const line of ['files that could not be read were skipped:', ...skipped]) io.err(`${line}\n`);
  return EXIT.badInput;
}

async function runChosen(
  loaded: readonly LoadedScenario[],
  { paths, unread }: Pick<EachOptions, 'paths' | 'unread'>,
  options: Options,
  io: Io,
): Promise<number> {
  const format = formatOf(options);
  const rules = readRules(options.rules);
  readWord('--log-level', options.logLevel, LOG_LEVELS);
  const chosen = loaded.map((one) => underRules(one, rules));
  const jobs = options.jobs === undefined ? undefined : readJobs(options.jobs);
  if (!options.force) spareFiles(options, io);
  const pages = readPages(options);
  const seeds = options.seeds === undefined ? undefined : readSeeds(options.seeds);
  const seedsOf = ({ scenario }: LoadedScenario): readonly number[] =>
    seeds ?? [options.seed === undefined ? scenario.seed : readSeed(options.seed)];
  if (pages !== undefined)
    checkPageTargets(
      pages,
      chosen.flatMap((one) => seedsOf(one).map((seed) => ({ ...one, seed }))),
      io.cwd,
    );
  const paging = pages === undefined ? {} : { pages };
  if (seeds === undefined)
    return runEach(chosen, { paths, unread, format, jobs: jobs ?? 1, ...paging, ...eachOptions(chosen, options) }, io);
  for (const name of FILES)
    if (options[name] !== undefined) throw new BadInput(`${optionOf(name)}: a sweep does not keep its runs; choose one seed with --seed`);
  if (options.seed !== undefined) throw new BadInput('--seed and --seeds exclude one another');
  return runSweep(chosen, { seeds, unread, ...(jobs === undefined ? {} : { jobs }), format, coverage: options.coverage, ...paging }, io);
}

function readPages({ page, pageOnFailure, pageWindow, force, showSecrets }: Options): PageOptions | undefined {
  if (page === undefined && pageOnFailure === undefined) {
    if (pageWindow !== undefined) throw new BadInput('--page-window: there is no page to show it; add --page FILE');
    return undefined;
  }
  return {
    force,
    showSecrets,
    ...(page === undefined ? {} : { page }),
    ...(pageOnFailure === undefined ? {} : { onFailure: pageOnFailure }),
    ...(pageWindow === undefined ? {} : { window: readWindow(pageWindow) }),
  };
}

function readWindow(text: string): NonNullable<PageOptions['window']> {
  const [from = '', to = '', ...more] = text.split('..');
  const [fromMs, toMs] = [parseDurationMs(from).value, parseDurationMs(to).value];
  if (fromMs === undefined || toMs === undefined || toMs < fromMs || more.length > 0)
    throw new BadInput(`--page-window: expected two times since the start such as 10m..12m30s, found ${JSON.stringify(text)}`);
  return { fromMs, toMs };
}

function spareFiles(options: Options, { cwd }: Io): void {
  const taken = new Map<string, string>();
  for (const name of FILES) {
    const path = options[name];
    if (path === undefined) continue;
    refuseOverwrite(path, optionOf(name), cwd);
    const other = path === '-' ? undefined : taken.get(resolve(cwd, path));
    if (other !== undefined) throw new BadInput(`${optionOf(name)}: ${path} is where ${other} is written`);
    taken.set(resolve(cwd, path), optionOf(name));
  }
}

function eachOptions(
  chosen: readonly LoadedScenario[],
  { seed, verbose, logLevel, coverage, showSecrets, ...options }: Options,
): Omit<EachOptions, 'paths' | 'unread' | 'format' | 'jobs'> {
  const files: Partial<Record<FileName, string>> = Object.fromEntries(
    FILES.flatMap((name): (readonly [string, string])[] => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const first = FILES.find((name) => name in files);
  if (first !== undefined && chosen.length > 1)
    throw new BadInput(`${optionOf(first)}: a file holds one run, found ${chosen.length} scenarios; choose with --scenario NAME`);
  return { verbose, showSecrets, logLevel, coverage, ...(seed === undefined ? {} : { seed: readSeed(seed) }), files };
}

/** Runs now and after each change, until it is interrupted. Files with errors are reported, and the next change is awaited. */
async function watch(paths: readonly string[], options: Options, io: Io): Promise<number> {
  if (paths.includes('-')) throw new BadInput('--watch: standard input is read once: name a file');
  const { watchRuns } = await import('../run/watch.ts');
  await watchRuns(paths, io, ({ scenarios, unread }) => runChosen(chosenOf(scenarios, options), { paths, unread }, options, io));
  return EXIT.held;
}
