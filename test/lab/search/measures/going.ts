/** Going to moments of a run of a thousand events: one back, and to any other; and what the log costs a run. */
import { cpu } from '../../../../bench/measure.ts';
import { stage } from '../../../../src/lab/simulation/index.ts';
import { momentsProduct } from '../../../support/moments.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const scenario = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: thousand }
spec:
  until: 60s
  cluster: { nodes: { count: 3 }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - { at: 1s, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 60, parallelism: 6, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: 60s, expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 60 } } } }
`);

/** Milliseconds in order: the middle one, and the longest. */
function middleAndMost(all: number[]): readonly string[] {
  all.sort((a, b) => a - b);
  return [all[all.length >> 1] ?? 0, all.at(-1) ?? 0].map((ms) => ms.toFixed(3));
}

function plain(): void {
  const { passing, end } = stage(scenario, { tries: false });
  for (;;) {
    const { done, value } = passing.next();
    if (done !== true) continue;
    end(value);
    return;
  }
}

export async function goingRows(): Promise<readonly (readonly string[])[]> {
  const { stageMoments } = await momentsProduct();
  const through = (eachMoment: boolean) => {
    const run = stageMoments(scenario);
    const moments = [run.here()];
    while (run.advance()) if (eachMoment) moments.push(run.here());
    return { run, moments };
  };
  const took = { plain: 0, logged: 0 };
  for (let round = 0; round < 12; round++) {
    const [bare, logged] = [cpu(plain).ms, cpu(() => through(true).run.leave()).ms];
    // The first rounds warm up.
    if (round < 4) continue;
    took.plain += bare;
    took.logged += logged;
  }
  const { run, moments } = through(true);
  const goTo = (at: number): number => {
    const moment = moments[at];
    return moment === undefined ? 0 : cpu(() => run.go(moment)).ms;
  };
  const around = [moments.length - 1, 0, moments.length - 1, 0, moments.length - 1].map(goTo);
  const back = moments.map((_, at) => goTo(moments.length - 1 - at));
  const anywhere = moments.map((_, at) => goTo((at * 617) % moments.length));
  run.leave();
  return [
    ['WHAT', 'MEDIAN, MS', 'LONGEST'],
    [`${moments.length} moments: one back`, ...middleAndMost(back)],
    ['to any other', ...middleAndMost(anywhere)],
    ['from one end to the other', ...middleAndMost(around)],
    ['a run without and with the log and a moment at each event', (took.plain / 8).toFixed(1), (took.logged / 8).toFixed(1)],
  ];
}
