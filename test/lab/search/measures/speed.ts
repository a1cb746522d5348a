/** Runs for each second, alone and under faults; two threads against one; the memory at the end. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { literalLoop } from '../../../../bench/literal-loop.ts';
import { cpu } from '../../../../bench/measure.ts';
import { formatScenario } from '../../../../src/lab/scenario/index.ts';
import { beginSearch, explore, make, baseline, withLatency, type Explored, type Search } from '../../../../src/lab/search/index.ts';
import { attempt } from '../../../../src/lab/search/reproduction.ts';
import { scenarioIn } from '../../../support/scenarios.ts';
import { INCIDENTS } from '../incidents/catalogue.ts';

/** A hand-written loop that runs a Job: its time for each pod does not depend on this program, and calibrates the machine. */
function podMicroseconds(): number {
  const pods = 40_000;
  const act = (): unknown => literalLoop(pods, 1_000, 20);
  act();
  return (cpu(act).ms / pods) * 1_000;
}

const [innocent] = INCIDENTS;
if (innocent === undefined) throw new Error('the catalogue is empty');
const { scenario } = innocent;

function begun(): Search {
  const looked = baseline(scenario, {});
  if ('unfit' in looked) throw new Error(looked.unfit);
  return beginSearch(looked);
}

/** The number of runs until V8 has optimized the code. */
const WARM = 1_500;

/** Runs for each second of processor time, after a warm-up. */
function runsPerSecond(runs: number, act: (nth: number) => void, after = WARM): string {
  for (let nth = 0; nth < after; nth++) act(nth);
  const since = process.cpuUsage();
  for (let nth = 0; nth < runs; nth++) act(nth);
  return String(Math.round(runs / (process.cpuUsage(since).user / 1e6)));
}

/** Seconds of a program for so many runs on so many threads; undefined: it is not built. */
function seconds(jobs: number, runs: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-measures-'));
  try {
    const file = join(folder, 'innocent.yaml');
    writeFileSync(file, formatScenario(scenario));
    const began = performance.now();
    const program = new URL('../../../../dist/orchsim.js', import.meta.url).pathname;
    const options = ['--budget', String(runs), '--jobs', String(jobs), '--faults', 'hold,late', '--out', folder];
    const { status, stderr } = spawnSync(process.execPath, [program, 'search', file, ...options], { encoding: 'utf8' });
    if (status !== 0 && status !== 1) throw new Error(stderr);
    return (performance.now() - began) / 1_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Job of three pods, every order of it: long enough to be measured, and complete. */
const TOY = withLatency(
  scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: toy }
spec:
  until: 9s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - { at: 1s, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: 9s, expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 3 } } } }
`),
).scenario;

/** Distinct states and runs of an exhaustive search for each second of processor time, after a warm-up. */
function wholePerSecond(): { readonly states: string; readonly runs: string } {
  const looked = baseline(TOY, {});
  if ('unfit' in looked) throw new Error(looked.unfit);
  const { scenario } = looked.quiescence;
  explore(scenario);
  const since = process.cpuUsage();
  const all = [explore(scenario), explore(scenario), explore(scenario)];
  const took = process.cpuUsage(since).user / 1e6;
  const perSecond = (of: (one: Explored) => number): string => String(Math.round(all.reduce((sum, one) => sum + of(one), 0) / took));
  return { states: perSecond(({ states }) => states), runs: perSecond(({ runs }) => runs) };
}

export function speedRows(): readonly (readonly string[])[] {
  const { ground } = begun();
  // The loop runs beside the measured code, because the load of the machine varies.
  const pod = podMicroseconds();
  const early = runsPerSecond(250, () => attempt(ground.scenario, {}), 0);
  const alone = runsPerSecond(400, () => attempt(ground.scenario, {}));
  const faults = runsPerSecond(400, (nth) => make(ground, { number: nth + 1 }, {}));
  const whole = wholePerSecond();
  const threads = [1_024, 8_192].map((runs) => [runs, seconds(1, runs), seconds(2, runs)] as const);
  const inPods = (perSecond: string): string => `${Math.round(1e6 / Number(perSecond) / pod)} pods`;
  return [
    ['WHAT', 'MEASURED'],
    ['(a pod of the loop written by hand, microseconds)', pod.toFixed(1)],
    ['(a run in pods of that loop; owed are 256)', inPods(alone)],
    ['(the same under faults; owed are 641)', inPods(faults)],
    ['(a state of an exhaustive search; owed are 154)', inPods(whole.states)],
    ['the first 250 runs, a second and core, nothing goes otherwise', early],
    ['runs a second and core, nothing goes otherwise', alone],
    ['runs a second and core, under faults', faults],
    ['exhaustive: states a second and core (runs)', `${whole.states} (${whole.runs})`],
    ...threads.map(([runs, one, two]) => [
      `${runs} runs on one thread and on two, seconds`,
      `${one.toFixed(1)}, ${two.toFixed(1)}: ${(one / two).toFixed(2)} times`,
    ]),
  ];
}

/** The heap after every tenth of the runs; `node --expose-gc` makes it exact. */
export function memoryRows(runs: number): readonly (readonly string[])[] {
  const search = begun();
  const rows: string[][] = [['RUNS', 'HEAP, MB']];
  while (search.within(runs)) {
    search.take(search.round().map((draw) => make(search.ground, draw, {})));
    if (Math.floor(search.statistics.runs / (runs / 10)) < rows.length) continue;
    globalThis.gc?.();
    rows.push([String(search.statistics.runs), (process.memoryUsage().heapUsed / 1e6).toFixed(1)]);
  }
  return rows;
}
