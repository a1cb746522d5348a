/** Searches from scenarios that hold: their findings, how small they become, and that they vanish with the bug. */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/apiserver/kinds/index.ts';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { formatScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { beginSearch, make, search, baseline, type Searched, type SearchOptions } from '../../../src/lab/search/index.ts';
import { fewest, smaller } from '../../../src/lab/search/shrink/smaller.ts';
import type { OpenStatistics } from '../../../src/lab/search/statistics.ts';
import { quiesced } from '../../../src/lab/search/healing.ts';
import { seeing, withMutant } from '../../support/mutants.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { LATCH, latch } from './incidents/latch.ts';

const JOB = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: job }
spec:
  until: 20s
  cluster:
    nodes: { count: 2 }
    latency: { api: 2ms, watch: 1ms }
    podBehaviors: [{ startDelay: 200ms, runFor: 3s }]
  steps:
    - at: 1s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 3, parallelism: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 20s
      expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 3 } } }
`);

const searched = (scenario: Scenario, options: SearchOptions = {}): Searched => {
  const found = search(scenario, options);
  if ('unfit' in found) throw new Error(`${found.unfit}: ${found.messages.join('; ')}`);
  return found;
};

/** Delays alone, which break nothing with the real controllers. */
const DELAYS = ['hold', 'late', 'slow'];

describe('a search', () => {
  it('finds nothing with delays alone', () => {
    const { findings, runs, statistics } = searched(JOB, { runs: 32, faults: DELAYS });
    expect(findings).toEqual([]);
    expect(runs).toBe(32);
    expect([...new Set([...statistics.tried.values()].map(({ injectedFault }) => injectedFault))].sort()).toEqual([...DELAYS].sort());
    expect(statistics.kept.size).toBeGreaterThan(0);
  });

  it('finds a controller that does not wait for its own writes, with one choice, a description, and a file that reproduces it', () => {
    const controllers = withMutant(seeing<Job>(job, (input) => ({ ...input, expectationsSatisfied: true })));
    const { findings } = searched(JOB, { runs: 96, faults: DELAYS, controllers, untilFound: true });
    const [first] = findings;
    if (first === undefined) throw new Error('nothing was found');
    expect(first.cause).toMatchObject({ claim: 'job/active-within-parallelism', controller: 'job', action: 'create Pod' });
    expect(first.choices).toHaveLength(1);
    expect(first.story.broke).toMatch(/^job\/active-within-parallelism at \S+: Job default\/a has \d active pods, its parallelism is \d$/);
    expect(first.story.saw).toMatch(/ job decided about a, but its cache lacked Pod a-…, created/);
    expect(first.story.did).toMatch(/^it wrote create Pod .*, because ".*more pods? to create"/);
    const file = scenarioIn(formatScenario(first.scenario));
    const broken = (options: Parameters<typeof simulate>[1]): readonly unknown[] =>
      simulate(file, options).failures.map(({ invariant }) => invariant);
    expect(broken({ controllers })).toContain('job/active-within-parallelism');
    expect(broken({ controllers, seed: 7 })).toContain('job/active-within-parallelism');
    // It vanishes with the fix, and without the choice.
    expect(broken({})).toEqual([]);
    const { choices: _, ...without } = file;
    expect(simulate(without, { controllers }).failures).toEqual([]);
  });

  it('finds what needs three faults in order, and none of its choices could be left out', () => {
    const controllers = (): readonly Controller[] => [latch];
    const [found] = searched(LATCH, { runs: 256, controllers, untilFound: true }).findings;
    const { scenario, choices } = found ?? { scenario: LATCH, choices: [] };
    expect(choices.length).toBeGreaterThanOrEqual(3);
    const breaks = (some: Scenario['choices'] = []): boolean =>
      simulate({ ...scenario, choices: some }, { controllers }).failures.some(({ invariant }) => invariant === 'never-refused-thrice');
    expect(breaks(choices)).toBe(true);
    expect(choices.map((_, at) => breaks(choices.filter((__, other) => other !== at)))).toEqual(choices.map(() => false));
  });

  it('makes the same runs for the same seed, in whatever portions', () => {
    const looked = baseline(JOB, {});
    if ('unfit' in looked) throw new Error(looked.unfit);
    const portions = [1, 5].map((size) => {
      const going = beginSearch(looked, { seed: 3 });
      for (let round = 0; round < 2; round++) {
        const draws = going.round();
        const outcomes = [];
        for (let from = 0; from < draws.length; from += size)
          outcomes.push(...draws.slice(from, from + size).map((draw) => make(going.ground, draw, {})));
        going.take(outcomes.sort((a, b) => a.number - b.number));
      }
      const { enter: _, ...statistics } = going.statistics as OpenStatistics;
      return statistics;
    });
    expect(portions[0]).toEqual(portions[1]);
  });

  it('stops at a scenario that breaks without any choice, and at one that has choices', () => {
    const broken = {
      ...JOB,
      steps: JOB.steps.map((step) => (step.verb === 'expect' ? { ...step, timing: { when: 'at', atMs: 2_000 } as const } : step)),
      untilMs: 2_000,
    };
    expect(search(broken)).toMatchObject({
      unfit: 'it breaks without any choice',
      messages: [expect.stringContaining('no Job matches'), '  status.succeeded  expected 3  found nothing'],
    });
    expect(search({ ...JOB, choices: [{ at: 'see a Pod b #1', injectedFault: { do: 'hold', ms: 1 } }] })).toMatchObject({ messages: [] });
  });

  it('reports a named invariant that is never exercised', () => {
    const said = (name: string, cel: string) => ({ name, temporal: 'sometimes', condition: { cel } }) as const;
    const asked = { ...JOB, expressed: [said('two', "objects('Pod').size() >= 2"), said('none', "objects('Service').size() > 90")] };
    // An expectation that never holds breaks the scenario itself, so only what the run without faults has seen is reported.
    expect(search(asked)).toMatchObject({ unfit: 'it breaks without any choice' });
    expect(search({ ...JOB, invariants: ['job/one-pod-per-index'] })).toMatchObject({
      unfit: expect.stringContaining('it has assertions that nothing in its run could break'),
      messages: [expect.stringContaining('job/one-pod-per-index: it was never exercised')],
    });
    // An invariant that breaks at its first evaluation has an exercised count of 0, and is not reported as never exercised.
    const wrong = { ...JOB, expressed: [{ name: 'none', temporal: 'always', condition: { cel: "objects('Pod').size() > 90" } } as const] };
    expect(search(wrong)).toMatchObject({ unfit: 'it breaks without any choice' });
    expect(searched({ ...asked, expressed: asked.expressed.slice(0, 1) }, { runs: 1, faults: DELAYS }).statistics.idle).toEqual(new Set());
  });
});

describe('shrinking', () => {
  it('removes exactly the unnecessary parts', () => {
    const needs =
      (...wanted: readonly number[]) =>
      (items: readonly number[]): boolean =>
        wanted.every((each) => items.includes(each));
    const all = Array.from({ length: 17 }, (_, at) => at);
    expect(fewest(all, needs(3))).toEqual([3]);
    expect(fewest(all, needs(3, 11, 12))).toEqual([3, 11, 12]);
    expect(fewest(all, needs())).toEqual([]);
    expect(fewest([], needs())).toEqual([]);
  });

  it('proposes scenarios with fewer steps, nodes and objects', () => {
    const sizes = [...smaller(JOB)].map(
      ({ steps, cluster }) =>
        `${steps.length} ${cluster.nodes.length} ${JSON.stringify(steps).replace(/.*?"completions":(\d+),"parallelism":(\d+).*/, '$1/$2')}`,
    );
    expect(sizes.some((each) => each.startsWith('1 2'))).toBe(true);
    expect(sizes.some((each) => each.startsWith('2 1'))).toBe(true);
    expect(sizes).toEqual(expect.arrayContaining(['2 2 1/2', '2 2 2/2', '2 2 3/1']));
  });
});

describe('the healing phase', () => {
  it('checks the final expectations in the settled cluster, and not those in the middle', () => {
    const { scenario, left } = quiesced(
      {
        ...JOB,
        steps: [
          ...JOB.steps.slice(0, 1),
          { timing: { when: 'at', atMs: 5_000 }, verb: 'expect', expectations: [{ expect: 'cel', expression: { cel: 'true' } }] },
          { timing: { when: 'after', afterMs: 1_000 }, verb: 'delete', target: { kind: 'Job', name: 'a' } },
          ...JOB.steps.slice(1),
        ],
      },
      20_000,
      true,
    );
    expect(left).toBe(1);
    expect(scenario.untilMs).toBeUndefined();
    expect(scenario.steps.map(({ verb, timing }) => [verb, timing.when])).toEqual([
      ['apply', 'at'],
      ['note', 'at'],
      ['delete', 'after'],
      ['expect', 'settled'],
    ]);
    expect(quiesced(JOB, 20_000, false).scenario.untilMs).toBeGreaterThan(20_000);
  });
});
