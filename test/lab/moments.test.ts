/**
 * The guard of moments: a shipped scenario runs to its end, goes to several moments of the run, in any order, and runs on from each. Digest,
 * verdict, failures and entries equal those of the sources, undisturbed. A write without a barrier would show here. A sample of scenarios
 * and moments, drawn with a fixed seed; `MOMENTS=all` takes every scenario and more moments.
 */
import { describe, expect, it } from 'vitest';
import { introspectionOf } from '../../src/controlplane/runtime/index.ts';
import { createRandom } from '../../src/engine/index.ts';
import type { Scenario } from '../../src/lab/scenario/index.ts';
import { replayTo, simulate, type Run } from '../../src/lab/simulation/index.ts';
import { forkAt, readForkStep } from '../../src/lab/fork/index.ts';
import { explore, exploredBy, withLatency } from '../../src/lab/search/index.ts';
import type { Entry, Trace } from '../../src/lab/trace/index.ts';
import { scenarioIn } from '../support/scenarios.ts';
import { momentsProduct } from '../support/moments.ts';
import { shipped } from '../support/shipped.ts';

const isWhole = process.env['MOMENTS'] === 'all';
const SCENARIOS = 9;
const MOMENTS = isWhole ? 12 : 3;
/** Longer runs are for `MOMENTS=all`. */
const MOST_ENTRIES = isWhole ? 100_000 : 1_500;

const FORKS = isWhole ? 6 : 2;
/** Forks that went on from a moment. */
let went = 0;

const { exploringMoments, replayMoments, stageMoments } = await momentsProduct();

const draw = createRandom(27).stream('moments');
const scenarios = (['scenarios', 'scenarios/broken'] as const).flatMap((of) => shipped(of).scenarios.map(({ scenario }) => scenario));
const drawn = isWhole ? scenarios : Array.from({ length: SCENARIOS }, () => draw.pick(scenarios)).filter((each) => each !== undefined);

const textOf = (value: unknown): string => JSON.stringify(value, (_key, each: unknown) => (each instanceof Map ? [...each] : each));
/** What must be equal of two runs, as text. */
const resultOf = ({
  digest,
  verdict,
  steps,
  failures,
  narrationSteps,
  lintWarnings,
  invariants,
  counters,
  settled,
  lengthMs,
}: Run): string => textOf({ digest, verdict, steps, failures, narrationSteps, lintWarnings, invariants, counters, settled, lengthMs });

function undisturbed(scenario: Scenario) {
  const entries: string[] = [];
  const run = simulate(scenario, { tries: false, onEntry: (entry: Entry) => void entries.push(textOf(entry)) });
  return { entries, result: resultOf(run) };
}

describe('a run goes on alike from any moment', () => {
  it.each([...new Set(drawn)].map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    (_name, scenario) => {
      const { entries: expected, result } = undisturbed(scenario);
      if (expected.length > MOST_ENTRIES) return;
      let entries: string[] = [];
      const run = stageMoments(scenario, { onEntry: (entry) => void entries.push(textOf(entry)) });
      const moments = [{ at: run.here(), entries: 0 }];
      while (run.advance()) moments.push({ at: run.here(), entries: entries.length });
      expect(resultOf(run.finish())).toBe(result);
      for (let tries = 0; tries < MOMENTS; tries++) {
        const moment = draw.pick(moments);
        if (moment === undefined) continue;
        run.go(moment.at);
        entries = expected.slice(0, moment.entries);
        expect(run.entries()).toBe(moment.entries);
        expect(resultOf(run.finish())).toBe(result);
        const wrong = entries.findIndex((entry, nth) => entry !== expected[nth]);
        expect([entries[wrong], entries.length]).toEqual([expected[wrong], expected.length]);
      }
      run.leave();
    },
    isWhole ? 1_200_000 : 120_000,
  );
});

describe('a fork that goes on from a moment is the one that runs from the start', () => {
  const typed = [
    'fault crash controller-manager restartAfter=5s',
    'fault lag scheduler by=2s for=10s',
    'apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: forked } }',
  ];
  const forkOf = (scenario: Scenario, trace: Trace, kinds: Run['cluster']['kinds']) => {
    const step = 1 + draw.below(trace.entries.length);
    const read = readForkStep(draw.pick(typed) ?? '', undefined, kinds);
    if ('problems' in read) throw new Error(read.problems.join());
    return forkAt(scenario, trace, { step, at: trace.entries[step - 1]?.at ?? trace.startAt }, read, {
      name: 'fork',
      said: 'it is otherwise',
      rightAfter: draw.below(3) > 0,
      keepLater: draw.below(2) > 0,
    });
  };

  it.each([...new Set(drawn)].map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    (_name, unended) => {
      const { seed } = unended;
      // A fork may not settle, so it has an end.
      const scenario: Scenario = { ...unended, untilMs: unended.untilMs ?? simulate(unended, { tries: false }).lengthMs + 10_000 };
      const first = simulate(scenario, { trace: true, tries: false });
      if (first.trace === undefined || first.trace.entries.length > MOST_ENTRIES) return;
      const { kinds } = first.cluster;
      // The run and its forks, and their forks: all of them live in one world.
      // Sometimes few moments are kept: then a run that is asked for an earlier one begins again, and so does a fork.
      const kept = draw.below(3) === 0 ? { most: 1 + draw.below(first.trace.entries.length) } : {};
      const living = [{ scenario, trace: first.trace, replays: replayMoments(scenario, seed, { trace: true, ...kept }) }];
      for (let tries = 0; tries < 2 * FORKS; tries++) {
        const of = draw.pick(living);
        if (of === undefined) throw new Error('the run is there');
        const fork = forkOf(of.scenario, of.trace, kinds);
        const whole = simulate(fork.scenario, { seed, trace: true, tries: false });
        if (fork.since === undefined) throw new Error('a fork with a step has a moment');
        const gone = of.replays.continueAs(fork.scenario, fork.since);
        // Only where a step that takes its time is under way from the start.
        if (gone === undefined) continue;
        went++;
        const { run, replays } = gone;
        // What the others are asked changes nothing of it.
        const asked = draw.pick(living) ?? of;
        const there = asked.replays.at(draw.below(asked.trace.entries.length));
        const again = replayTo(asked.scenario, seed, there.step);
        expect(textOf(introspectionOf(there.cluster))).toEqual(textOf(introspectionOf(again.cluster)));
        expect(resultOf(run)).toBe(resultOf(whole));
        expect(run.trace?.entries.map(textOf)).toEqual(whole.trace?.entries.map(textOf));
        expect(run.scenario).toBe(fork.scenario);
        expect(textOf(introspectionOf(replays.at(Infinity).cluster))).toEqual(textOf(introspectionOf(whole.cluster)));
        if (run.trace !== undefined) living.push({ scenario: fork.scenario, trace: run.trace, replays });
      }
    },
    isWhole ? 1_200_000 : 120_000,
  );

  it('and nearly all do', () => {
    expect(went).toBeGreaterThan(FORKS);
  });
});

it('a step notes few writes, of the digest one', () => {
  const scenario = scenarios.find(({ name }) => name === 'job-runs-to-completion');
  if (scenario === undefined) throw new Error('the scenario is gone');
  const run = stageMoments(scenario);
  let [steps, noted, most] = [0, 0, 0];
  run.here();
  for (; run.advance(); steps++) {
    // Four places each; those that note a variable hold a function.
    const { entries } = (run.here() as unknown as { readonly log: { readonly entries: readonly unknown[] } }).log;
    noted += entries.length / 4;
    most = Math.max(most, entries.filter((each) => typeof each === 'function' && /\.a, ?\w+\.b\]/.test(String(each))).length);
  }
  run.leave();
  expect(noted / steps).toBeLessThanOrEqual(49);
  expect(most).toBe(1);
});

it.each([undefined, 40])('a replay shows at any step, in any order, what one shows that begins at the start; moments kept: %s', (most) => {
  const scenario = scenarios.find(({ name }) => name === 'job-runs-to-completion');
  if (scenario === undefined) throw new Error('the scenario is gone');
  const replays = replayMoments(scenario, scenario.seed, most === undefined ? {} : { most });
  for (const step of [100, 99, 3, 188, 40, 41, 0, 120]) {
    const [one, other] = [replays.at(step), replayTo(scenario, scenario.seed, step)];
    expect([step, one.step]).toEqual([step, other.step]);
    expect(textOf(introspectionOf(one.cluster))).toEqual(textOf(introspectionOf(other.cluster)));
  }
  // Behind the moments that are forgotten, a fork runs from the start.
  replays.at(180);
  const goesOn = replays.continueAs({ ...scenario, name: 'other' }, { at: scenario.startAt });
  expect(goesOn === undefined).toBe(most !== undefined);
});

describe('an exhaustive search', () => {
  const job = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: job }
spec:
  until: 9s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - { at: 1s, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 2, parallelism: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: 9s, expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 2 } } } }
`);

  it.each([Infinity, 3])('that goes back finds what one finds that runs again, to depth %d', (depth) => {
    const { scenario } = withLatency(job);
    expect(exploredBy(exploringMoments(scenario, { depth }))).toEqual(explore(scenario, { depth }));
  });
});
