/** `search PATH`: looks for what may go otherwise in a scenario until a claim of it breaks. */
import { availableParallelism } from 'node:os';
import { didYouMean } from '../../../grammar/values/index.ts';
import { deedKinds } from '../../../lab/choices/index.ts';
import { beginSearch, survey, usualDeeds, type Finding, type Catch, type Search, type Survey } from '../../../lab/search/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadOne, underRules, type LoadedScenario } from '../load.ts';
import { readJobs, readRules, readSeed, readWord, RULES_TEXT } from '../options.ts';
import { progressOn } from '../run/progress.ts';
import { readBudget, type Budget } from '../search/budget.ts';
import { conduct } from '../search/conduct.ts';
import { writeFound, type Found } from '../search/files.ts';
import { ownHands, threadHands } from '../search/hands.ts';
import { storyDocument, storyLines, type Story, type Told } from '../search/tell.ts';

interface Options {
  readonly budget: string;
  readonly seed?: string;
  readonly jobs?: string;
  readonly scenario?: string;
  readonly rules?: string;
  readonly deeds?: string;
  readonly out: string;
  readonly untilFound?: boolean;
  readonly format: string;
  readonly json?: boolean;
}

export const search: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<path>', 'a scenario')
      .option('--budget <how-much>', 'a duration such as 60s, a number such as "500 runs", or plateau: until nothing new comes', '60s')
      .option('--seed <n>', 'of the search: the same seed looks at the same runs (default: 1)')
      .option('--jobs <n>', 'worker threads; what a number of runs finds is the same whatever their number (default: one a processor)')
      .option('--scenario <name>', 'the scenario of this name, where a file has several')
      .option('--rules <mode>', RULES_TEXT)
      .option('--deeds <names>', 'only these, such as crash,lose; +hang adds one that never mends to the usual ones')
      .option('--out <dir>', 'where what is found is written: found-NAME-1.yaml and so on', '.')
      .option('--until-found', 'ends with the round that finds something')
      .option('--format <format>', 'text or json', 'text')
      .option('--json', 'the same as --format json')
      .action(action((path: string, options: Options) => searchOne(path, options, io)));
  },
};

async function searchOne(path: string, options: Options, io: Io): Promise<number> {
  const json = options.json === true || readWord('--format', options.format, ['text', 'json']) === 'json';
  const budget = readBudget(options.budget);
  const seed = options.seed === undefined ? 1 : readSeed(options.seed);
  const jobs = options.jobs === undefined ? availableParallelism() : readJobs(options.jobs);
  const deeds = readDeeds(options.deeds);
  const loaded = underRules(loadOne(path, io, options.scenario), readRules(options.rules));
  const making = { with: loaded.own.definitions };
  const startedAt = Date.now();
  const looked = survey(loaded.scenario, making);
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, json);
  const going = beginSearch(looked, seed, deeds);
  const { told, lost, interrupted } = await found(
    going,
    loaded,
    { budget, jobs, seed, out: options.out, untilFound: options.untilFound === true },
    startedAt,
    io,
  );
  const code = interrupted ? EXIT.interrupted : told.length > 0 ? EXIT.broken : EXIT.held;
  const story: Story = {
    name: loaded.scenario.name,
    seed,
    search: going,
    findings: told,
    lost,
    left: (looked satisfies Survey).calm.left,
    interrupted,
    seconds: (Date.now() - startedAt) / 1_000,
    flags: loaded.flags,
  };
  io.out(json ? `${JSON.stringify(storyDocument(story, code), null, 2)}\n` : `${storyLines(story, io.palette).join('\n')}\n`);
  return code;
}

interface Wishes {
  readonly budget: Budget;
  readonly jobs: number;
  readonly seed: number;
  readonly out: string;
  readonly untilFound: boolean;
}

async function found(search_: Search, loaded: LoadedScenario, { budget, jobs, seed, out, untilFound }: Wishes, startedAt: number, io: Io) {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  // A run hears of nothing while it goes on: whoever may be interrupted has even one thread make them.
  const hands =
    jobs === 1 && interruption === undefined ? ownHands(search_.ground, loaded.own) : threadHands(jobs, search_.ground, loaded.own);
  try {
    const { findings, raw, lost, interrupted } = await conduct(search_, hands, {
      budget,
      untilFound,
      interruption,
      elapsed: () => Date.now() - startedAt,
      tell: progress.show,
    });
    const all = [...findings.map(smallOne), ...raw.map((caught) => rawOne(caught, search_))];
    const files = writeFound(all, loaded, seed, out, io.cwd);
    const told = all.map((each, at): Told => ({ ...each, file: files[at] ?? '' }));
    return { told, lost: lost.length, interrupted };
  } finally {
    progress.clear();
    hands.end();
  }
}

type Counted = Found & Pick<Told, 'seen' | 'firstRun' | 'shrinks'>;

const smallOne = ({ cause, scenario, choices, words, seen, firstRun, shrinks }: Finding): Counted => ({
  claim: cause.claim,
  scenario,
  choices,
  words,
  seen,
  firstRun,
  shrinks,
});

const rawOne = ({ cause, choices, seen, firstRun }: Catch, { ground: { scenario } }: Search): Counted => ({
  claim: cause.claim,
  scenario,
  choices,
  words: [...cause.message.split('\n'), `(${choices.length} choices, of which some may not be needed)`],
  seen,
  firstRun,
});

function tellUnfit(
  { unfit, messages }: { readonly unfit: string; readonly messages: readonly string[] },
  { scenario: { name }, file, flags }: LoadedScenario,
  io: Io,
  json: boolean,
): number {
  if (messages.length === 0) throw new BadInput(`${file}: ${unfit}`);
  if (json) io.out(`${JSON.stringify({ exitCode: EXIT.broken, scenario: name, runs: 0, unfit, messages }, null, 2)}\n`);
  else
    io.out(
      [
        io.palette.bad(`✗ ${name}: ${unfit}`),
        ...messages.map((message) => `  ${message.split('\n').join('\n  ')}`),
        '  there is nothing to search for until it holds',
        `  see it: npx orchsim run ${file}${flags === undefined ? '' : ` ${flags}`}`,
        '',
      ].join('\n'),
    );
  return EXIT.broken;
}

/** Names of deeds; what begins with + is added to the usual ones. */
function readDeeds(text: string | undefined): readonly string[] {
  if (text === undefined) return usualDeeds();
  const names = deedKinds.map(({ name }) => name);
  const wanted = text.split(',').map((each) => each.trim());
  for (const each of wanted) {
    const name = each.replace(/^\+/, '');
    if (!names.some((known) => known === name))
      throw new BadInput(`--deeds: expected names of ${names.join(', ')}, found ${JSON.stringify(name)}${didYouMean(name, names)}`);
  }
  const added = wanted.filter((each) => each.startsWith('+')).map((each) => each.slice(1));
  const only = wanted.filter((each) => !each.startsWith('+'));
  return [...new Set([...(only.length === 0 ? usualDeeds() : only), ...added])];
}
