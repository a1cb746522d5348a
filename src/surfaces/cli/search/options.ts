/** The options of a search, with its budget: a number of runs, a time, or until nothing new has been reached for some runs. */
import { expectedDuration, formatDurationMs, parseDurationMs, didYouMean } from '../../../schema/values/index.ts';
import { ROUND, type Judge, type Search, defaultFaults, type Shard } from '../../../lab/search/index.ts';
import { BadInput } from '../exit.ts';
import { availableParallelism } from 'node:os';
import { faultKinds } from '../../../lab/choices/index.ts';
import { readCount, readJobs, readSeed, readWord, RULES, ONE_SCENARIO } from '../options.ts';
import type { OptionsOf } from '../command.ts';
import { FORCE_TEXT } from '../files.ts';
import { DRIVE_OPTIONS, SERVED_OPTIONS } from '../drive/options.ts';

export type Budget = { readonly runs: number } | { readonly ms: number } | 'plateau';

/** Runs without anything new, and at least as many in all, that are a plateau. */
const PLATEAU = 8 * ROUND;
const MOST_RUNS = 100_000_000;

/** `60s`, `500 runs`, `500`, `plateau`; throws BadInput for anything else. */
export function readBudget(text: string): Budget {
  if (text === 'plateau') return text;
  const runs = /^(\d{1,9}) ?(?:runs?)?$/.exec(text.trim());
  if (runs !== null) {
    const many = Number(runs[1]);
    if (many < 1 || many > MOST_RUNS) throw new BadInput(`--budget: expected from 1 to ${MOST_RUNS} runs, found ${many}`);
    return { runs: many };
  }
  const { value: ms } = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return { ms };
  throw new BadInput(
    `--budget: expected ${expectedDuration(text, 'a duration such as 60s, a number of runs such as "500 runs", or plateau')}, found ${JSON.stringify(text)}`,
  );
}

/** Whether the budget is spent after this many milliseconds. */
export const isSpent = (budget: Budget, { sinceNewReason, within }: Pick<Search, 'sinceNewReason' | 'within'>, ms: number): boolean =>
  budget === 'plateau' ? sinceNewReason >= PLATEAU : 'runs' in budget ? !within(budget.runs) : ms >= budget.ms;

/** The number of runs; undefined: the budget is not a number of runs. */
export const runsOf = (budget: Budget): number | undefined => (budget !== 'plateau' && 'runs' in budget ? budget.runs : undefined);

export const budgetText = (budget: Budget): string =>
  budget === 'plateau' ? budget : 'runs' in budget ? `${budget.runs} runs` : formatDurationMs(budget.ms);

export const SEARCH_OPTIONS = [
  ...SERVED_OPTIONS,
  ...DRIVE_OPTIONS,
  ['--confirm <n>', 'with programs: a finding breaks in at least n of 5 runs, or n/m: of m', '3'],
  ['--budget <how-much>', 'a duration such as 60s, a number such as "500 runs", or plateau: until 256 runs show nothing new', '60s'],
  ['--seed <n>', 'of the search: the same seed makes the same runs (default: 1)'],
  ['--jobs <n>', 'worker threads; their number does not change what a number of runs finds (default: one for each processor)'],
  ONE_SCENARIO,
  RULES,
  [
    '--faults <names>',
    'only these, such as crash,lose; +hang adds one that does not end by itself to the default ones, -relist leaves one out',
  ],
  [
    '--judge <whose>',
    'mine: your expectations, invariants and controllers; all: built-in code too (without controllers of yours, always)',
    'mine',
  ],
  ['--out <dir>', 'the folder for findings: found-NAME-1.yaml and so on, the next free number', '.'],
  ['--until-found', 'ends with the round that finds something'],
  ['--exhaustive', 'tries every order of events within instants: for small scenarios'],
  ['--depth <n>', 'of an exhaustive search: the number of branchings of a run (default: all)'],
  ['--deviations <n>', 'tries every single fault at every point; only 1 is supported'],
  ['--corpus <dir>', 'tries its scenario files first, and adds runs that reach something new'],
  ['--coverage', 'lists everything that was tried, and everything that was not'],
  ['--shard <i/n>', 'makes the i-th of n parts of the search and reports it, for --merge'],
  ['--report <file>', 'where the report of the search goes, - for the output (with --shard: search-NAME-i-of-n.json)'],
  ['--merge <file...>', 'merges the reports of parts (logs that contain reports are accepted, - is the input), and reduces the findings'],
  ['--as-job <n>', 'writes an Indexed Job and a workflow for CI that run n parts and merge them'],
  ['--image <image>', 'with --as-job: an image that holds this project, orchsim included, in its working directory'],
  ['--force', `with --report and --as-job: ${FORCE_TEXT}`],
  ['--since <commit>', 'searches the scenarios under the path that have changed since a commit, with their definitions'],
  ['--page-on-failure <dir>', 'writes a page for each finding, which opens where it breaks'],
  ['--format <format>', 'text, json or junit', 'text'],
  ['--json', 'the same as --format json'],
] as const;
export type Options = OptionsOf<typeof SEARCH_OPTIONS>;

/** Every order within instants, to a depth; or every single fault at every point. */
export type ExhaustiveMode = { readonly of: 'orders'; readonly depth?: number } | { readonly of: 'faults' };

export type SearchOptions = ReturnType<typeof readSearchOptions>;

const MOST_PARTS = 10_000;

/** The options with their values read; `mode`: an exhaustive search in place of a random one. */
export function readSearchOptions(options: Options) {
  const format = options.json ? 'json' : readWord('--format', options.format, ['text', 'json', 'junit']);
  const asJob = options.asJob === undefined ? undefined : readCount('--as-job', options.asJob);
  if (asJob !== undefined && asJob > MOST_PARTS) throw new BadInput(`--as-job: at most ${MOST_PARTS} parts, found ${asJob}`);
  const given = Object.entries({ '--shard': options.shard, '--merge': options.merge, '--as-job': options.asJob }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1)
    throw new BadInput(
      `${given.map(([name]) => name).join(' and ')}: they exclude each other: a part of a search, the merge of parts, or the job that runs them`,
    );
  if (options.image !== undefined && asJob === undefined) throw new BadInput('--image: the image of --as-job, which is not given');
  if (options.untilFound && (options.shard !== undefined || asJob !== undefined))
    throw new BadInput(
      '--until-found: a part of a search does not know the findings of the others, so it would end at another run each time',
    );
  const { since, corpus, scenario, exhaustive, deviations } = options;
  if (since !== undefined)
    refuseBeside('--since', {
      ...partial(options),
      '--corpus': corpus,
      '--scenario': scenario,
      '--exhaustive': exhaustive,
      '--deviations': deviations,
    });
  const mode = readExhaustiveMode(options);
  if (mode !== undefined && format === 'junit') throw new BadInput('--format junit: exhaustive searches report as text or json');
  return {
    ...options,
    format,
    json: format === 'json',
    mode,
    budget: readBudget(options.budget),
    seed: options.seed === undefined ? 1 : readSeed(options.seed),
    jobs: options.jobs === undefined ? availableParallelism() : readJobs(options.jobs),
    faults: readFaults(options.faults),
    judge: readWord<Judge>('--judge', options.judge, ['mine', 'all']),
    shard: options.shard === undefined ? undefined : readShard(options.shard),
    asJob,
  };
}

function refuseBeside(name: string, others: Readonly<Record<string, unknown>>): void {
  const [wrong] = Object.entries(others).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (wrong !== undefined) throw new BadInput(`${name} and ${wrong}: they exclude each other; run one after the other`);
}

const partial = ({ shard, report, merge, asJob }: Options) => ({
  '--shard': shard,
  '--report': report,
  '--merge': merge,
  '--as-job': asJob,
});

function readExhaustiveMode(options: Options): ExhaustiveMode | undefined {
  const { exhaustive, deviations, depth, corpus, coverage } = options;
  if (depth !== undefined && !exhaustive) throw new BadInput('--depth: it needs --exhaustive');
  if (!exhaustive && deviations === undefined) return undefined;
  refuseBeside(exhaustive ? '--exhaustive' : '--deviations', {
    '--deviations': exhaustive ? deviations : undefined,
    '--corpus': corpus,
    '--coverage': coverage,
    ...partial(options),
  });
  if (deviations !== undefined && deviations !== '1')
    throw new BadInput(`--deviations: expected 1, found ${JSON.stringify(deviations)}: combinations of faults are searched without it`);
  if (!exhaustive) return { of: 'faults' };
  return { of: 'orders', ...(depth === undefined ? {} : { depth: readCount('--depth', depth) }) };
}

/** `2/8`: the second of eight parts. */
export function readShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (of > MOST_PARTS || index < 1 || index > of)
    throw new BadInput(
      `--shard: expected a part and how many there are, from 1/1 to ${MOST_PARTS}/${MOST_PARTS}, found ${JSON.stringify(text)}`,
    );
  return { index, of };
}

/** Names of faults: one that begins with + is added to the default ones, one that begins with - is removed. */
function readFaults(text: string | undefined): readonly string[] {
  if (text === undefined) return defaultFaults();
  const known: readonly string[] = faultKinds.map(({ name }) => name);
  const wanted = text.split(',').map((each) => each.trim());
  for (const each of wanted) {
    const name = each.replace(/^[+-]/, '');
    if (!known.includes(name))
      throw new BadInput(`--faults: expected names of ${known.join(', ')}, found ${JSON.stringify(name)}${didYouMean(name, known)}`);
  }
  const signed = (feature: string): readonly string[] => wanted.flatMap((each) => (each.startsWith(feature) ? [each.slice(1)] : []));
  const only = wanted.filter((each) => !/^[+-]/.test(each));
  const left = new Set([...(only.length === 0 ? defaultFaults() : only), ...signed('+')]);
  for (const each of signed('-')) left.delete(each);
  if (left.size === 0) throw new BadInput(`--faults: ${JSON.stringify(text)} leaves no fault`);
  return [...left];
}
