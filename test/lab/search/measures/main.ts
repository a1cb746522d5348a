/**
 * `npm run measures`: how well the search does what is owed of it, as tables. `-- --only incidents|replay|speed|memory --seeds 9 --runs 250
 * --incident WORD --rare`; without, all of it but the rare incidents, in some minutes on a quiet machine.
 */
import { parseArgs } from 'node:util';
import { table } from '../../../../src/surfaces/report/index.ts';
import { INCIDENTS } from '../incidents/catalogue.ts';
import { hunted, incidentRows, replayRows } from './incidents.ts';
import { memoryRows, speedRows } from './speed.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '9' },
    runs: { type: 'string', default: '250' },
    incident: { type: 'string', default: '' },
    rare: { type: 'boolean', default: false },
    memory: { type: 'string', default: '10000' },
  },
});

const SECTIONS = ['incidents', 'replay', 'speed', 'memory'] as const;
const wants = (section: (typeof SECTIONS)[number]): boolean => values.only === undefined || values.only === section;
if (values.only !== undefined && !SECTIONS.some((each) => each === values.only))
  throw new Error(`--only: expected one of ${SECTIONS.join(', ')}`);

const print = (title: string, rows: readonly (readonly string[])[]): void => {
  process.stdout.write(`\n${title}\n${table(rows).join('\n')}\n`);
};

if (wants('incidents') || wants('replay')) {
  const chosen = INCIDENTS.filter(({ name, rare }) => name.includes(values.incident) && (values.rare || rare === undefined));
  const hunts = hunted(chosen, Number(values.seeds), Number(values.runs), (line) => process.stderr.write(`${line}\n`));
  if (wants('incidents'))
    print(
      'known incidents: owed are 8 of 9 searches within 250 runs; of choices 2, of runs that shrink 150, of seconds 3',
      incidentRows(hunts),
    );
  if (wants('replay')) print('findings that outlive a change: 85 % are owed', replayRows(hunts));
}
if (wants('speed')) print('speed: owed are 300 runs a second and core, 120 under faults, 500 states of an exhaustive search', speedRows());
if (wants('memory')) print('memory: flat over all runs', memoryRows(Number(values.memory)));
