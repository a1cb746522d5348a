/** Searches a scenario, or adds up what parts of a search have found, and tells what came of it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { addUp, beginSearch, reachOf, survey, type Ground, type Ledger, type Survey } from '../../../lab/search/index.ts';
import { shellWord } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { readText, spare } from '../files.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { writeWhole } from '../write.ts';
import { knownTo } from '../run/known.ts';
import { progressOn } from '../run/progress.ts';
import { goThrough, makeSmall, type Conducted } from './conduct.ts';
import { addToCorpus, readCorpus } from './corpus.ts';
import { rawOne, smallOne } from './counted.ts';
import { writeFound } from './files.ts';
import { ownHands, threadHands, type Hands } from './hands.ts';
import type { Report, Whole } from './report-shape.ts';
import { missingIn, readReports, reportLine, wholeOf } from './report.ts';
import { storyDocument, storyLines, type Part, type Story, type Told } from './tell.ts';
import type { Wishes } from './wishes.ts';

/** Answers the exit code. */
export async function searchOne(loaded: LoadedScenario, wishes: Wishes, io: Io): Promise<number> {
  const startedAt = Date.now();
  const looked = survey(loaded.scenario, { with: loaded.own.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, wishes.json);
  const { shard } = wishes;
  const reports = wishes.merge === undefined ? [] : reportsIn(wishes.merge, io);
  const { seed, deeds } = reports[0] ?? wishes;
  const reported = reportFileOf(loaded, wishes);
  if (reported !== undefined && !wishes.force) spare(reported, '--report', io.cwd);
  const corpus = wishes.corpus === undefined ? [] : readCorpus(wishes.corpus, io);
  const whole = wholeOf({ survey: looked, name: loaded.scenario.name, ...wishes, corpus });
  const search = beginSearch(looked, { seed, deeds, shard, corpus });
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const how = { ...wishes, interruption, elapsed: () => Date.now() - startedAt, tell: progress.show };
  const hands = handsFor(wishes, search.ground, loaded, interruption !== undefined);
  let books: Books;
  try {
    if (wishes.merge === undefined) await goThrough(search, hands, how);
    books = wishes.merge === undefined ? { ledger: search.ledger, part: partOf(wishes) } : merged(reports, whole);
    // The parts of a search may have found the same: what is made small is made so once, when they are added up.
    const conducted =
      shard === undefined ? await makeSmall(books.ledger, hands, how) : asFound(books.ledger, interruption?.aborted === true);
    progress.clear();
    return tell(looked, search.ground, { ...books, conducted, whole, seed, seconds: (Date.now() - startedAt) / 1_000 }, loaded, wishes, io);
  } finally {
    progress.clear();
    hands.end();
  }
}

/** Where the report goes; undefined: nowhere. */
const reportFileOf = ({ scenario: { name } }: LoadedScenario, { shard, report }: Pick<Wishes, 'shard' | 'report'>): string | undefined =>
  report ?? (shard === undefined ? undefined : `search-${name}-${shard.index}-of-${shard.of}.json`);

interface Books {
  readonly ledger: Ledger;
  readonly part: Part | undefined;
}

// A run hears of nothing while it goes on: whoever may be interrupted has even one thread make them.
const handsFor = ({ jobs }: Wishes, ground: Ground, { own }: LoadedScenario, heard: boolean): Hands =>
  jobs === 1 && !heard ? ownHands(ground, own) : threadHands(jobs, ground, own);

const partOf = ({ shard }: Wishes): Part | undefined => (shard === undefined ? undefined : { ...shard, missing: [] });

const asFound = ({ catches }: Ledger, interrupted: boolean): Conducted => ({
  findings: [],
  raw: [...catches.values()],
  lost: [],
  interrupted,
});

const reportsIn = (files: readonly string[], io: Io): readonly Report[] =>
  files.flatMap((file) => readReports(file === '-' ? readFileSync(0, 'utf8') : readText(resolve(io.cwd, file), file), file));

/** The books of the parts that are reported. */
function merged(reports: readonly Report[], whole: Whole): Books {
  const missing = missingIn(reports);
  const [first] = reports;
  if (first !== undefined && (first.scenario !== whole.scenario || first.print !== whole.print))
    throw new BadInput(
      `--merge: reports of ${first.scenario === whole.scenario ? 'another version of this scenario' : `the scenario ${first.scenario}, not of ${whole.scenario}`}; search again, or name what they were made of`,
    );
  return { ledger: addUp(reports.map(({ ledger }) => ledger)), part: { of: first?.of ?? 1, missing } };
}

interface Done extends Books {
  readonly conducted: Conducted;
  readonly whole: Whole;
  readonly seed: number;
  readonly seconds: number;
}

function tell(
  looked: Survey,
  ground: Ground,
  { ledger, part, conducted, whole, seed, seconds }: Done,
  loaded: LoadedScenario,
  { shard, report, corpus, out, coverage, json }: Wishes,
  io: Io,
): number {
  const { findings, raw, lost, interrupted } = conducted;
  const all = [...findings.map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const names = shard === undefined ? writeFound(all, loaded, seed, out, io.cwd) : [];
  const told = all.map((each, at): Told => ({ ...each, file: names[at] }));
  const reported = reportFileOf(loaded, { shard, report });
  const line = reportLine(whole, shard?.index ?? 1, ledger, interrupted);
  // Of a part that is added up later, the sum has the verdict.
  const code = interrupted ? EXIT.interrupted : told.length > 0 && shard === undefined ? EXIT.broken : EXIT.held;
  // Parts begin with one corpus: the sum of them adds to it.
  const added =
    corpus === undefined || shard !== undefined
      ? undefined
      : { folder: corpus, added: addToCorpus(corpus, ledger.kept.values(), loaded, io.cwd) };
  if (reported !== undefined && reported !== '-') writeWhole({ option: '--report', path: reported, cwd: io.cwd }, line);
  const story: Story = {
    name: loaded.scenario.name,
    seed,
    ledger,
    looked: { reach: reachOf(ledger, ground.field), runs: ledger.runs, known: knownTo([loaded]), whole: coverage },
    findings: told,
    lost: lost.length,
    left: looked.calm.left,
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
  io.out(json ? `${JSON.stringify(storyDocument(story, code), null, 2)}\n` : `${storyLines(story, io.palette).join('\n')}\n`);
  if (reported === '-') io.out(line);
  return code;
}

/** Tells why there is nothing to search in a scenario; answers the exit code. */
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
