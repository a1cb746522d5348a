/** `npm run measures`: the quality of the search, as tables. */
import { readOptions, wrongUsage } from '../../../../bench/arguments.ts';
import { table } from '../../../../src/surfaces/report/index.ts';
import { INCIDENTS } from '../incidents/catalogue.ts';
import { BUGS } from '../bugs/registry.ts';
import { recordResults } from '../bugs/results.ts';
import { CORRECT } from '../correct/registry.ts';
import { exhaustiveRows } from './exhaustive.ts';
import { goingRows } from './going.ts';
import { bugRows, correctRows, type Measured } from './bugs.ts';
import { controllerMutantRows } from './controller-mutants.ts';
import { hunted, incidentRows, replayRows } from './incidents.ts';
import { memoryRows, speedRows } from './speed.ts';

const SECTIONS = ['incidents', 'replay', 'speed', 'exhaustive', 'going', 'memory', 'bugs', 'correct', 'controller-mutants'] as const;
/** They take a quarter of an hour, so they run only when they are named. */
const NAMED: readonly string[] = ['bugs', 'correct', 'controller-mutants'];
const USAGE = `usage: npm run measures -- [--only SECTION] [--seeds N] [--runs N] [--incident WORD] [--rare] [--memory N] [--bug WORD] [--seed N] [--mended-runs N] [--record]
  --only      ${SECTIONS.join(', ')} (default: all but bugs, correct and controller-mutants, in some minutes on a quiet machine)
  --seeds     searches an incident (default: 9)
  --runs      of a search (default: 250)
  --incident  those whose names contain WORD
  --rare      the rare ones too, which want --runs 2500
  --memory    runs after which memory is looked at, ten times on the way (default: 10000)
  --bug       of bugs, correct controllers and mutants, those whose names contain WORD
  --mended-runs  of the search of a mended controller (default: as many)
  --record    of bugs: records the results for the table of the guide (then: npm run update-readme)
  --seed      of a search of bugs and correct controllers (default: 1)`;
const asked = readOptions(
  process.argv.slice(2),
  {
    only: { type: 'string' },
    seeds: { type: 'string' },
    runs: { type: 'string' },
    incident: { type: 'string' },
    rare: { type: 'boolean' },
    memory: { type: 'string' },
    bug: { type: 'string' },
    'mended-runs': { type: 'string' },
    record: { type: 'boolean' },
    seed: { type: 'string' },
  },
  USAGE,
);
if (typeof asked === 'number') process.exit(asked);
const { only, incident = '', bug = '', rare: rareToo = false } = asked;
if (only !== undefined && !SECTIONS.some((each) => each === only))
  process.exit(wrongUsage(`--only: expected one of ${SECTIONS.join(', ')}, found ${JSON.stringify(only)}`, USAGE));
const [seeds, runs, memory, seed] = [
  Number(asked.seeds ?? 9),
  Number(asked.runs ?? 250),
  Number(asked.memory ?? 10_000),
  Number(asked.seed ?? 1),
];
if (![seeds, runs, memory, seed].every((count) => Number.isInteger(count) && count > 0))
  process.exit(wrongUsage('numbers are whole and positive', USAGE));
const wants = (section: (typeof SECTIONS)[number]): boolean => only === section || (only === undefined && !NAMED.includes(section));

const print = (title: string, rows: readonly (readonly string[])[]): void => {
  process.stdout.write(`\n${title}\n${table(rows).join('\n')}\n`);
};

if (wants('incidents') || wants('replay')) {
  const chosen = INCIDENTS.filter(({ name, rare }) => name.includes(incident) && (rareToo || rare === undefined));
  const hunts = hunted(chosen, seeds, runs, (line) => process.stderr.write(`${line}\n`));
  if (wants('incidents'))
    print(
      'known incidents: owed are 8 of 9 searches within 250 runs; of choices 2, of runs that shrink 150, of seconds 3',
      incidentRows(hunts),
    );
  if (wants('replay')) print('findings that outlive a change: 85 % are owed', replayRows(hunts));
}
if (wants('speed')) print('speed: owed are 300 runs a second and core, 120 under faults, 500 states of an exhaustive search', speedRows());
if (wants('exhaustive')) print('exhaustive search: owed are 5 times the states a second', await exhaustiveRows());
if (wants('going')) print('going to a moment: owed are 10 ms at any place of a run of 1,000 steps', await goingRows());
if (wants('memory')) print('memory: flat over all runs', memoryRows(memory));

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const printMeasured = (title: string, { rows, alarms, results }: Measured): void => {
  print(title, rows);
  if (asked.record === true && results !== undefined) recordResults(results);
  if (alarms.length > 0) print('alarms of controllers without a bug', alarms);
};
const isChosen = ({ name }: { readonly name: string }): boolean => name.includes(bug);
if (wants('bugs'))
  printMeasured(
    'known bugs: owed are 36 of 40 in 512 runs, mended ones quiet',
    bugRows(BUGS.filter(isChosen), runs, seed, progress, Number(asked['mended-runs'] ?? runs)),
  );
if (wants('correct')) printMeasured('correct controllers: owed is silence', correctRows(CORRECT, bug, runs, seed, progress));
if (wants('controller-mutants'))
  print('mutants of built-in controllers: owed are nine of ten killed', controllerMutantRows(bug, runs, seed, progress));
