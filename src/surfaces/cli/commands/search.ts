/** `search PATH`: searches for faults and orders that break an assertion of a scenario. */
import { defineCommand } from '../command.ts';
import type { Io } from '../io.ts';
import { loadOne, underRules } from '../load.ts';
import { readRules } from '../options.ts';
import { writeJob } from '../search/as-job.ts';
import { spareOut } from '../search/files.ts';
import { searchOne } from '../search/main.ts';
import { searchExhaustively } from '../search/exhaustive.ts';
import { readSearchOptions, SEARCH_OPTIONS, type Options } from '../search/options.ts';

export const search = defineCommand({
  arguments: [['<path>', 'a scenario']],
  options: SEARCH_OPTIONS,
  act: ({ io }, given, path) => start(path, given, io),
});

async function start(path: string, options: Options, io: Io): Promise<number> {
  const searchOptions = readSearchOptions(options);
  spareOut(searchOptions.out, io.cwd);
  const loaded = underRules(loadOne(path, io, options.scenario), readRules(options.rules));
  if (searchOptions.mode !== undefined) return searchExhaustively(loaded, searchOptions, searchOptions.mode, io);
  return searchOptions.asJob === undefined
    ? searchOne(loaded, searchOptions, io)
    : writeJob(loaded, searchOptions, searchOptions.asJob, io);
}
