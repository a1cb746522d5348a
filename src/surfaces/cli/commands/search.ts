/** `search PATH`: searches for faults and orders that break an assertion of a scenario. */
import type { CommandModule } from '../command.ts';
import type { Io } from '../io.ts';
import { FORCE_TEXT } from '../files.ts';
import { loadOne, underRules } from '../load.ts';
import { readRules, RULES_TEXT } from '../options.ts';
import { writeJob } from '../search/as-job.ts';
import { searchOne } from '../search/main.ts';
import { searchExhaustively } from '../search/exhaustive.ts';
import { readSearchOptions, type Options } from '../search/options.ts';

export const search: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<path>', 'a scenario')
      .option(
        '--budget <how-much>',
        'a duration such as 60s, a number such as "500 runs", or plateau: until 256 runs show nothing new',
        '60s',
      )
      .option('--seed <n>', 'of the search: the same seed makes the same runs (default: 1)')
      .option('--jobs <n>', 'worker threads; their number does not change what a number of runs finds (default: one for each processor)')
      .option('--scenario <name>', 'the scenario of this name, where a file has several')
      .option('--rules <mode>', RULES_TEXT)
      .option(
        '--faults <names>',
        'only these, such as crash,lose; +hang adds one that does not end by itself to the default ones, -relist leaves one out',
      )
      .option('--out <dir>', 'the folder for findings: found-NAME-1.yaml and so on, the next free number', '.')
      .option('--until-found', 'ends with the round that finds something')
      .option('--exhaustive', 'tries every order of events within instants: for small scenarios')
      .option('--depth <n>', 'of an exhaustive search: the number of branchings of a run (default: all)')
      .option('--deviations <n>', 'tries every single fault at every point; only 1 is supported')
      .option('--corpus <dir>', 'tries its scenario files first, and adds runs that reach something new')
      .option('--coverage', 'lists everything that was tried, and everything that was not')
      .option('--shard <i/n>', 'makes the i-th of n parts of the search and reports it, for --merge')
      .option('--report <file>', 'where the report of the search goes, - for the output (with --shard: search-NAME-i-of-n.json)')
      .option(
        '--merge <file...>',
        'merges the reports of parts (logs that contain reports are accepted, - is the input), and reduces the findings',
      )
      .option('--as-job <n>', 'writes an Indexed Job and a workflow for CI that run n parts and merge them')
      .option('--image <image>', 'with --as-job: an image that holds this project, orchsim included, in its working directory')
      .option('--force', `with --report and --as-job: ${FORCE_TEXT}`)
      .option('--format <format>', 'text or json', 'text')
      .option('--json', 'the same as --format json')
      .action(action((path: string, options: Options) => start(path, options, io)));
  },
};

async function start(path: string, options: Options, io: Io): Promise<number> {
  const searchOptions = readSearchOptions(options);
  const loaded = underRules(loadOne(path, io, options.scenario), readRules(options.rules));
  if (searchOptions.mode !== undefined) return searchExhaustively(loaded, searchOptions, searchOptions.mode, io);
  return searchOptions.asJob === undefined
    ? searchOne(loaded, searchOptions, io)
    : writeJob(loaded, searchOptions, searchOptions.asJob, io);
}
