/** `search`: searches a scenario, or merges the reports of parts, and prints the result. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { addUp, baseline, beginSearch, isBroken, momentCoverage, reachOf } from '../../../lab/search/index.ts';
import type { Baseline, Ground, Judge, Statistics } from '../../../lab/search/index.ts';
import { shellWord } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { readText, refuseOverwrite, writeWhole } from '../files.ts';
import type { LoadedScenario } from '../load.ts';
import { knownTo } from '../run/task.ts';
import { progressOn } from '../run/progress.ts';
import { counted, runRounds, reduceAll, type ReducedFindings } from './runner.ts';
import { addToCorpus, also, readCorpus, rawOne, smallOne, writeFindingPages, writeFound, type Reported } from './files.ts';
import { inlinePool, type SearchMaterial, threadPool, type WorkerPool } from './worker-pool.ts';
import { type Report, type SearchIdentity, missingIn, readReports, reportLine, identityOf } from './report.ts';
import type { Part, Story } from './report-lines.ts';
import { printSearch, type SearchResult } from './several.ts';
import type { SearchOptions } from './options.ts';

/** Searches a scenario; `present` gets the result, which is printed by default. Returns the exit code. */
export async function searchOne(
  loaded: LoadedScenario,
  searchOptions: SearchOptions,
  io: Io,
  present = (result: SearchResult): void => printSearch(result, searchOptions.format, io),
): Promise<number> {
  const startedAt = Date.now();
  // What is wrong with the command is told before anything runs.
  const reports = searchOptions.merge === undefined ? [] : reportsIn(searchOptions.merge, io);
  const judge = judgeIn(reports, searchOptions);
  const base = baseline(loaded.scenario, { with: loaded.plugins.definitions, judge });
  if ('unfit' in base) {
    const code = searchOptions.format === 'junit' ? EXIT.broken : printUnfit(base, loaded, io, searchOptions.json);
    present({ loaded, code, ...base });
    return code;
  }
  const { shard } = searchOptions;
  const { seed, faults } = reports[0] ?? searchOptions;
  const reported = reportFileOf(loaded, searchOptions);
  if (reported !== undefined && !searchOptions.force) refuseOverwrite(reported, '--report', io.cwd);
  const corpus = searchOptions.corpus === undefined ? [] : readCorpus(searchOptions.corpus, io);
  const identity = identityOf({ baseline: base, name: loaded.scenario.name, ...searchOptions, judge, corpus });
  const search = beginSearch(base, { seed, faults, shard, corpus });
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const how = { ...searchOptions, interruption, elapsed: () => Date.now() - startedAt, report: progress.show };
  const material = { ground: search.ground, plugins: loaded.plugins, judge };
  const pool = poolFor(searchOptions.jobs, material, interruption !== undefined);
  let result: Made;
  try {
    if (searchOptions.merge === undefined) await runRounds(search, pool, how);
    result = searchOptions.merge === undefined ? { statistics: search.statistics, part: partOf(searchOptions) } : merged(reports, identity);
    // Parts may have the same findings: they are reduced once, when the parts are merged.
    const reduced =
      shard === undefined ? await reduceAll(result.statistics, pool, how) : asFound(result.statistics, interruption?.aborted === true);
    progress.clear();
    const done = { ...result, base, ground: search.ground, reduced, identity, seed, seconds: (Date.now() - startedAt) / 1_000 };
    return printResult(done, loaded, searchOptions, io, present);
  } finally {
    progress.clear();
    pool.end();
  }
}

/** The path of the report; undefined: none is written. */
const reportFileOf = ({ scenario: { name } }: LoadedScenario, { shard, report }: SearchOptions): string | undefined =>
  report ?? (shard === undefined ? undefined : `search-${name}-${shard.index}-of-${shard.of}.json`);

interface Made {
  readonly statistics: Statistics;
  readonly part: Part | undefined;
}

// A run cannot be interrupted, so if Ctrl-C must be handled, even one worker runs in a thread.
const poolFor = (jobs: number, material: SearchMaterial, interruptible: boolean): WorkerPool =>
  jobs === 1 && !interruptible ? inlinePool(material) : threadPool(jobs, material);

/** Reports that are merged were judged already. */
const judgeIn = ([first]: readonly Report[], { judge }: SearchOptions): Judge =>
  first === undefined ? judge : first.judge === 'all' ? 'all' : 'mine';

const partOf = ({ shard }: SearchOptions): Part | undefined => (shard === undefined ? undefined : { ...shard, missing: [] });

const asFound = (statistics: Statistics, interrupted: boolean): ReducedFindings => ({
  findings: [],
  raw: counted(statistics),
  lost: [],
  interrupted,
});

const reportsIn = (files: readonly string[], io: Io): readonly Report[] =>
  files.flatMap((file) => readReports(file === '-' ? readFileSync(0, 'utf8') : readText(resolve(io.cwd, file), file), file));

function merged(reports: readonly Report[], identity: SearchIdentity): Made {
  const missing = missingIn(reports);
  const [first] = reports;
  if (first !== undefined && (first.scenario !== identity.scenario || first.print !== identity.print))
    throw new BadInput(
      `--merge: reports of ${first.scenario === identity.scenario ? 'another version of this scenario' : `the scenario ${first.scenario}, not of ${identity.scenario}`}; search again, or name the scenario that they were made from`,
    );
  return { statistics: addUp(reports.map(({ statistics }) => statistics)), part: { of: first?.of ?? 1, missing } };
}

interface Done extends Made {
  readonly base: Baseline;
  readonly ground: Ground;
  readonly reduced: ReducedFindings;
  readonly identity: SearchIdentity;
  readonly seed: number;
  readonly seconds: number;
}

function printResult(
  { base, ground, statistics, part, reduced, identity, seed, seconds }: Done,
  loaded: LoadedScenario,
  searchOptions: SearchOptions,
  io: Io,
  present: (result: SearchResult) => void,
): number {
  const { shard, corpus, out, coverage, pageOnFailure } = searchOptions;
  const { findings, raw, lost, interrupted } = reduced;
  const all = [...findings.map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const names = shard === undefined ? writeFound(all, loaded, seed, out, io.cwd) : [];
  const outcomes = all.map((each, at): Reported => ({ ...each, file: names[at] }));
  const reported = reportFileOf(loaded, searchOptions);
  const line = reportLine(identity, shard?.index ?? 1, statistics, interrupted);
  // The merged report decides, not a part.
  const code = interrupted ? EXIT.interrupted : outcomes.length > 0 && shard === undefined ? EXIT.broken : EXIT.held;
  // All parts start with the same corpus, and the merge adds to it.
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
    elsewhere: [...statistics.catches.values()].filter(({ cause }) => !isBroken([cause])),
    judge: identity.judge === 'all' ? 'all' : 'mine',
    moments: momentCoverage(base.moments, statistics.moments, ground.field.faults, base.mine),
    lost: lost.length,
    left: base.quiescence.left,
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
  present({ loaded, code, tookMs: seconds * 1_000, story });
  if (pageOnFailure !== undefined) writeFindingPages(outcomes, pageOnFailure, loaded, io);
  if (reported === '-') io.out(line);
  return code;
}

export function printUnfit(
  { unfit, messages }: { readonly unfit: string; readonly messages: readonly string[] },
  { scenario: { name }, file, flags }: LoadedScenario,
  io: Io,
  json: boolean,
): number {
  if (messages.length === 0) throw new BadInput(`${file}: ${unfit}`);
  if (json) io.out(jsonText({ exitCode: EXIT.broken, scenario: name, runs: 0, unfit, messages }));
  else
    io.out(
      fitted(
        [
          io.palette.bad(`✗ ${name}: ${unfit}`),
          ...messages.flatMap((message) => message.split('\n')).map((line) => `  ${line}`),
          '  there is nothing to search for until it holds',
          `  see it: npx orchsim run ${shellWord(file)}${also(flags)}`,
        ],
        io,
      ),
    );
  return EXIT.broken;
}
