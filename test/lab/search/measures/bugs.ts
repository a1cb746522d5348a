/** Known bugs, and controllers that have none: what a search finds of the first, and what it says of the second. */
import type { Cause } from '../../../../src/lab/search/index.ts';
import { hunted, type Hunted } from '../bugs/hunt.ts';
import { type Bug, definitionsOf, isCauseOf, scenarioOf } from '../bugs/model.ts';
import type { Result, Results } from '../bugs/results.ts';
import { present } from '../../../../src/schema/values/index.ts';
import { type Correct, definitionsOf as definitionsOfCorrect, scenarioOf as scenarioOfCorrect } from '../correct/model.ts';

type Rows = readonly (readonly string[])[];
type Print = (line: string) => void;

const seconds = (since: NodeJS.CpuUsage): number => process.cpuUsage(since).user / 1e6;
const causeWords = ({ claim, controller, action, why }: Cause): string =>
  [claim, controller, action, why === undefined ? undefined : `"${why}"`].filter((each) => each !== undefined).join(' · ');
const percent = (part: number, whole: number): string =>
  `${part} of ${whole}${whole === 0 ? '' : `, ${Math.round((part / whole) * 100)} %`}`;
const median = (numbers: readonly number[]): string =>
  String([...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? '-');

/** The alarms of a search that should have been quiet, one line each. */
const alarmRows = (name: string, { causes }: Hunted): Rows =>
  causes.map(({ cause, firstRun, seen }) => [name, String(firstRun), String(seen), causeWords(cause)]);

export interface Measured {
  readonly rows: Rows;
  readonly alarms: Rows;
  readonly results?: Results;
}

const ALARM_TITLES = ['ALARM IN', 'FIRST RUN', 'SEEN', 'WHAT BROKE'] as const;

/** Of each bug: one search of the buggy controller until its claim breaks, and one of the mended controller to the end. */
export function bugRows(bugs: readonly Bug[], runs: number, seed: number, print: Print, mendedRuns = runs): Measured {
  const results: Record<string, Result> = {};
  const rows: string[][] = [];
  const alarms: (readonly string[])[] = [];
  const firstRuns: number[] = [];
  let quiet = 0;
  for (const bug of bugs) {
    const since = process.cpuUsage();
    const found = hunted(scenarioOf(bug), definitionsOf(bug, false), runs, seed, isCauseOf(bug));
    const choices = found.foundIn === undefined ? undefined : found.small()?.choices.length;
    const took = seconds(since).toFixed(1);
    const mended = hunted(scenarioOf(bug), definitionsOf(bug, true), mendedRuns, seed);
    alarms.push(...alarmRows(bug.name, mended));
    if (found.foundIn !== undefined) firstRuns.push(found.foundIn);
    if (mended.causes.length === 0) quiet++;
    const verdict = mended.causes.length === 0 ? 'quiet' : `${mended.causes.length} alarms`;
    results[bug.name] = present({ seed, runs, foundIn: found.foundIn, choices, mendedRuns, alarms: mended.causes.length });
    rows.push([bug.name, bug.pattern, String(found.foundIn ?? 'not found'), String(choices ?? '-'), took, verdict]);
    print(rows.at(-1)?.join('  ') ?? '');
  }
  const total = [
    `all, in ${runs} runs`,
    '',
    `${percent(firstRuns.length, bugs.length)}; median run ${median(firstRuns)}`,
    '',
    '',
    percent(quiet, bugs.length),
  ];
  return {
    rows: [['BUG', 'PATTERN', 'FOUND IN RUN', 'CHOICES', 'CPU SECONDS', 'MENDED'], ...rows, total],
    alarms: titled(alarms),
    results,
  };
}

const titled = (alarms: Rows): Rows => (alarms.length === 0 ? [] : [[...ALARM_TITLES], ...alarms]);

/** Of each correct controller and story whose names contain the word: one search to the end. */
export function correctRows(all: readonly Correct[], word: string, runs: number, seed: number, print: Print): Measured {
  const rows: string[][] = [];
  const alarms: (readonly string[])[] = [];
  let quiet = 0;
  for (const correct of all)
    for (const [told, story] of Object.entries(correct.stories)) {
      const name = `${correct.name}, ${told}`;
      if (!name.includes(word)) continue;
      const since = process.cpuUsage();
      const judged = hunted(scenarioOfCorrect(correct, told, story), definitionsOfCorrect(correct), runs, seed);
      alarms.push(...alarmRows(name, judged));
      if (judged.causes.length === 0) quiet++;
      rows.push([name, judged.causes.length === 0 ? 'quiet' : `${judged.causes.length} alarms`, seconds(since).toFixed(1)]);
      print(rows.at(-1)?.join('  ') ?? '');
    }
  const total = [`all, in ${runs} runs`, percent(quiet, rows.length), ''];
  return { rows: [['CONTROLLER, STORY', 'VERDICT', 'CPU SECONDS'], ...rows, total], alarms: titled(alarms) };
}
