/** `search PATH`: searches for faults and orders that break an assertion of a scenario. */
import { baseline, withLatency } from '../../../lab/search/index.ts';
import { defineCommand } from '../command.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { type LoadedScenario, loadOne, underRules } from '../load.ts';
import { readDomain, readRules } from '../options.ts';
import { writeJob } from '../search/as-job.ts';
import { spareOut } from '../search/files.ts';
import { deviateOne, exploreOne } from '../search/exhaustive.ts';
import { printUnfit, searchOne } from '../search/main.ts';
import { searchWithPrograms } from '../drive/search.ts';
import { concernedSince, searchEach } from '../search/several.ts';
import { type ExhaustiveMode, readSearchOptions, SEARCH_OPTIONS, type SearchOptions, type Options } from '../search/options.ts';

export const command = defineCommand({
  arguments: [
    ['<path>', 'a scenario; with --since also a folder'],
    ['[command...]', 'after --: a program and its arguments, as of drive; the search is then for faults on it'],
  ],
  options: SEARCH_OPTIONS,
  act: ({ io }, given, path, words) => start(path, words, given, io),
});

async function start(path: string, words: readonly string[], options: Options, io: Io): Promise<number> {
  // With programs other faults are drawn, whose names are read there.
  const { faults: _, ...others } = options;
  const searchOptions = readSearchOptions(words.length > 0 ? others : options);
  spareOut(searchOptions.out, io.cwd);
  if (searchOptions.since !== undefined && words.length > 0)
    throw new BadInput('--since and a program after -- do not go together: search one scenario with it');
  if (searchOptions.since !== undefined) return searchSince(searchOptions.since, path, searchOptions, readRules(options.rules), io);
  const loaded = underRules(loadOne(path, io, options.scenario), readRules(options.rules));
  refuseWithoutProgram(words, options);
  if (words.length > 0) return searchWithPrograms(loaded, words, options, searchOptions, io);
  if (searchOptions.mode !== undefined) return searchExhaustively(loaded, searchOptions, searchOptions.mode, io);
  return searchOptions.asJob === undefined
    ? searchOne(loaded, searchOptions, io)
    : writeJob(loaded, searchOptions, searchOptions.asJob, io);
}

/** Options of a program say nothing where none is given. */
function refuseWithoutProgram(words: readonly string[], { domain, start: startTime, ...options }: Options): void {
  if (domain !== undefined) readDomain(domain);
  const given = Object.entries({ domain, start: startTime, timers: options.timers, realtime: options.realtime });
  const [option] = given.find(([, value]) => value !== undefined) ?? [];
  if (words.length === 0 && option !== undefined)
    throw new BadInput(`--${option} is about a program: give one after --, such as search scenario.yaml -- ./my-operator`);
}

async function searchSince(
  ref: string,
  path: string,
  searchOptions: SearchOptions,
  rules: ReturnType<typeof readRules>,
  io: Io,
): Promise<number> {
  const { concerned, all } = concernedSince(ref, path, io);
  if (concerned.length === 0) io.err(`nothing that ${path} holds has changed since ${ref}: no search of ${all} was made\n`);
  return searchEach(concerned, searchOptions.format, io, (loaded, present) =>
    searchOne(underRules(loaded, rules), searchOptions, io, present),
  );
}

async function searchExhaustively(loaded: LoadedScenario, wanted: SearchOptions, mode: ExhaustiveMode, io: Io): Promise<number> {
  const { scenario, given } = mode.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const base = baseline(scenario, { with: loaded.plugins.definitions, judge: wanted.judge });
  if ('unfit' in base) return printUnfit(base, loaded, io, wanted.json);
  return mode.of === 'orders' ? exploreOne(base, loaded, { ...wanted, most: mode.depth, given }, io) : deviateOne(base, loaded, wanted, io);
}
