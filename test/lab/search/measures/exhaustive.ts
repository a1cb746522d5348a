/** An exhaustive search that runs again for each order, and one that goes back: the same counts, and states for each second. */
import { cpu } from '../../../../bench/measure.ts';
import type { Scenario } from '../../../../src/lab/scenario/index.ts';
import { baseline, exploring, withLatency, type Explored } from '../../../../src/lab/search/index.ts';
import { momentsProduct } from '../../../support/moments.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

/** A Job on nodes, to be completed. */
function jobs(completions: number, parallelism: number, nodes: number, until: string): Scenario {
  const text = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: jobs }
spec:
  until: ${until}
  cluster: { nodes: { count: ${nodes} }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - { at: 1s, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: ${completions}, parallelism: ${parallelism}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: ${until}, expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: ${completions} } } } }
`;
  const looked = baseline(withLatency(scenarioIn(text)).scenario, {});
  if ('unfit' in looked) throw new Error(looked.unfit);
  return looked.quiescence.scenario;
}

function limited(runs: Generator<Explored, Explored>, limit: number): Explored {
  for (;;) {
    const { done, value } = runs.next();
    if (done !== true && value.runs < limit) continue;
    runs.return(value);
    return value;
  }
}

/** The best of some rounds counts, of many searches each: first ones compile, and what else runs on the machine only adds. */
const ROUNDS = 6;
const ROUND_MS = 1_500;

/** Both ways take turns. */
export async function exhaustiveRows(): Promise<readonly (readonly string[])[]> {
  const { exploringMoments } = await momentsProduct();
  const rows = [['SCENARIO', 'RUNS', 'STATES', 'RUN AGAIN, STATES A SECOND', 'GOING BACK', 'TIMES']];
  for (const [name, scenario, limit] of [
    ['a Job of three pods, every order', jobs(3, 3, 1, '9s'), Infinity],
    ['six pods on two nodes, 60 runs', jobs(6, 2, 2, '30s'), 60],
  ] as const) {
    const ways = [exploring, exploringMoments].map((way) => ({ way, best: Infinity }));
    const found = new Set<string>();
    let [runs, states] = [0, 0];
    for (let round = 0; round < ROUNDS; round++)
      for (const each of ways) {
        let [searches, took] = [0, 0];
        for (; took < ROUND_MS; searches++) {
          const { value, ms } = cpu(() => limited(each.way(scenario), limit));
          took += ms;
          found.add(JSON.stringify({ ...value, ends: [...value.ends] }));
          ({ runs, states } = value);
        }
        each.best = Math.min(each.best, took / searches);
      }
    if (found.size > 1) throw new Error(`${name}: ${[...found].join(' is not ')}`);
    const [again, back] = ways.map(({ best }) => best);
    if (again === undefined || back === undefined) continue;
    const perSecond = (ms: number): string => String(Math.round((1_000 * states) / ms));
    rows.push([name, String(runs), String(states), perSecond(again), perSecond(back), (again / back).toFixed(1)]);
  }
  return rows;
}
