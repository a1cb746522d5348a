/** `search`: searches a scenario, or merges the reports of parts, and prints the result. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { addUp, beginSearch, reachOf, baseline, type Ground, type Statistics, type Baseline } from '../../../lab/search/index.ts';
import { shellWord } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { fitted } from '../fitted.ts';
import { readText, spare } from '../files.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { writeWhole } from '../write.ts';
import { knownTo } from '../run/known.ts';
import { progressOn } from '../run/progress.ts';
import { goThrough, makeSmall, type Conducted } from './runner.ts';
import { addToCorpus, readCorpus } from './corpus.ts';
import { rawOne, smallOne } from './written-findings.ts';
import { writeFound } from './files.ts';
import { ownHands, threadHands, type Hands } from './worker-pool.ts';
import type { Report, Whole } from './report-shape.ts';
import { missingIn, readReports, reportLine, wholeOf } from './report.ts';
import { storyDocument, storyLines, type Part, type Story, type Reported } from './report-lines.ts';
import type { SearchOptions } from './options.ts';

/** Returns the exit code. */
export async function searchOne(loaded: LoadedScenario, searchOptions: SearchOptions, io: Io): Promise<number> {
  const startedAt = Date.now();
  // What is wrong with the command is told before anything runs.
  const reports = searchOptions.merge === undefined ? [] : reportsIn(searchOptions.merge, io);
  const looked = baseline(loaded.scenario, { with: loaded.own.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, searchOptions.json);
  const { shard } = searchOptions;
  const { seed, faults } = reports[0] ?? searchOptions;
  const reported = reportFileOf(loaded, searchOptions);
  if (reported !== undefined && !searchOptions.force) spare(reported, '--report', io.cwd);
  const corpus = searchOptions.corpus === undefined ? [] : readCorpus(searchOptions.corpus, io);
  const whole = wholeOf({ baseline: looked, name: loaded.scenario.name, ...searchOptions, corpus });
  const search = beginSearch(looked, { seed, faults, shard, corpus });
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const how = { ...searchOptions, interruption, elapsed: () => Date.now() - startedAt, tell: progress.show };
  const hands = handsFor(searchOptions, search.ground, loaded, interruption !== undefined);
  let books: Books;
  try {
    if (searchOptions.merge === undefined) await goThrough(search, hands, how);
    books = searchOptions.merge === undefined ? { statistics: search.statistics, part: partOf(searchOptions) } : merged(reports, whole);
    // Parts may have the same findings: they are reduced once, when the parts are merged.
    const conducted =
      shard === undefined ? await makeSmall(books.statistics, hands, how) : asFound(books.statistics, interruption?.aborted === true);
    progress.clear();
    return tell(
      looked,
      search.ground,
      { ...books, conducted, whole, seed, seconds: (Date.now() - startedAt) / 1_000 },
      loaded,
      searchOptions,
      io,
    );
  } finally {
    progress.clear();
    hands.end();
  }
}

/** The path of the report; undefined: none is written. */
const reportFileOf = (
  { scenario: { name } }: LoadedScenario,
  { shard, report }: Pick<SearchOptions, 'shard' | 'report'>,
): string | undefined => report ?? (shard === undefined ? undefined : `search-${name}-${shard.index}-of-${shard.of}.json`);

interface Books {
  readonly statistics: Statistics;
  readonly part: Part | undefined;
}

// A run cannot be interrupted: so where Ctrl-C matters, even one worker runs in a thread.
const handsFor = ({ jobs }: SearchOptions, ground: Ground, { own }: LoadedScenario, heard: boolean): Hands =>
  jobs === 1 && !heard ? ownHands(ground, own) : threadHands(jobs, ground, own);

const partOf = ({ shard }: SearchOptions): Part | undefined => (shard === undefined ? undefined : { ...shard, missing: [] });

const asFound = ({ catches }: Statistics, interrupted: boolean): Conducted => ({
  findings: [],
  raw: [...catches.values()],
  lost: [],
  interrupted,
});

const reportsIn = (files: readonly string[], io: Io): readonly Report[] =>
  files.flatMap((file) => readReports(file === '-' ? readFileSync(0, 'utf8') : readText(resolve(io.cwd, file), file), file));

/** The statistics of the parts. */
function merged(reports: readonly Report[], whole: Whole): Books {
  const missing = missingIn(reports);
  const [first] = reports;
  if (first !== undefined && (first.scenario !== whole.scenario || first.print !== whole.print))
    throw new BadInput(
      `--merge: reports of ${first.scenario === whole.scenario ? 'another version of this scenario' : `the scenario ${first.scenario}, not of ${whole.scenario}`}; search again, or name what they were made of`,
    );
  return { statistics: addUp(reports.map(({ statistics }) => statistics)), part: { of: first?.of ?? 1, missing } };
}

interface Done extends Books {
  readonly conducted: Conducted;
  readonly whole: Whole;
  readonly seed: number;
  readonly seconds: number;
}

function tell(
  looked: Baseline,
  ground: Ground,
  { statistics, part, conducted, whole, seed, seconds }: Done,
  loaded: LoadedScenario,
  { shard, report, corpus, out, coverage, json }: SearchOptions,
  io: Io,
): number {
  const { findings, raw, lost, interrupted } = conducted;
  const all = [...findings.map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const names = shard === undefined ? writeFound(all, loaded, seed, out, io.cwd) : [];
  const outcomes = all.map((each, at): Reported => ({ ...each, file: names[at] }));
  const reported = reportFileOf(loaded, { shard, report });
  const line = reportLine(whole, shard?.index ?? 1, statistics, interrupted);
  // The merged report decides, not a part.
  const code = interrupted ? EXIT.interrupted : outcomes.length > 0 && shard === undefined ? EXIT.broken : EXIT.held;
  // All parts begin with one corpus: the merge adds to it.
  const added =
    corpus === undefined || shard !== undefined
      ? undefined
      : { folder: corpus, added: addToCorpus(corpus, statistics.kept.values(), loaded, io.cwd) };
  if (reported !== undefined && reported !== '-') writeWhole({ option: '--report', path: reported, cwd: io.cwd }, line);
  const story: Story = {
    name: loaded.scenario.name,
    seed,
    statistics,
    looked: { reach: reachOf(statistics, ground.field), runs: statistics.runs, known: knownTo([loaded]), whole: coverage },
    findings: outcomes,
    lost: lost.length,
    left: looked.quiescence.left,
    interrupted,
    seconds,
    flags: loaded.flags,
    part,
    corpus: added,
    merge:
      shard === undefined || reported === undefined
        ? undefined
        : `npx orchsim search ${shellWord(loaded.file)} --merge ${reported === '-' ? 'LOGS' : 'REPORT...'}`,
  };
  io.out(json ? `${JSON.stringify(storyDocument(story, code), null, 2)}\n` : fitted(storyLines(story, io.palette), io));
  if (reported === '-') io.out(line);
  return code;
}

/** Prints why a scenario cannot be searched; returns the exit code. */
export function tellUnfit(
  { unfit, messages }: { readonly unfit: string; readonly messages: readonly string[] },
  { scenario: { name }, file, flags }: LoadedScenario,
  io: Io,
  json: boolean,
): number {
  if (messages.length === 0) throw new BadInput(`${file}: ${unfit}`);
  if (json) io.out(`${JSON.stringify({ exitCode: EXIT.broken, scenario: name, runs: 0, unfit, messages }, null, 2)}\n`);
  else
    io.out(
      fitted(
        [
          io.palette.bad(`✗ ${name}: ${unfit}`),
          ...messages.flatMap((message) => message.split('\n')).map((line) => `  ${line}`),
          '  there is nothing to search for until it holds',
          `  see it: npx orchsim run ${file}${flags === undefined ? '' : ` ${flags}`}`,
        ],
        io,
      ),
    );
  return EXIT.broken;
}
