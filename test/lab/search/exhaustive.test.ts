/**
 * Every order within the instants of small scenarios, and every single fault: their number, completeness, and that planted bugs are found.
 */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/apiserver/kinds/index.ts';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import { defineController, idle, update, wakeAt, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { deviating, explore, OpaqueState, withLatency, type ExhaustiveOptions } from '../../../src/lab/search/index.ts';
import { baseline, type Baseline } from '../../../src/lab/search/baseline.ts';
import { seeing, withMutant } from '../../support/mutants.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const toy = (name: string, spec: string): Scenario =>
  withLatency(scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: ${name} }\nspec:\n${spec}`)).scenario;

const POD = toy(
  'pod',
  `  until: 5s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms }] }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } } }
    - { at: 5s, expect: { match: { kind: Pod, metadata: { name: p }, status: { phase: Running } } } }
`,
);
const jobOf = (many: number): Scenario =>
  toy(
    'job',
    `  until: 9s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
  steps:
    - { at: 1s, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: ${many}, parallelism: ${many}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
    - { at: 9s, expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: ${many} } } } }
`,
  );

function surveyed(scenario: Scenario, making: ExhaustiveOptions = {}): Baseline {
  const looked = baseline(scenario, making);
  if ('unfit' in looked) throw new Error(`${looked.unfit}: ${looked.messages.join('; ')}`);
  return looked;
}
const explored = (scenario: Scenario, looking: ExhaustiveOptions = {}) => explore(surveyed(scenario, looking).quiescence.scenario, looking);

describe('orders within instants', () => {
  /**
   * The prototype needed 1, 4 and 45 runs: it took all local events of a process as one group, which gives 1, 10 and 37 here. Groups are
   * finer now: within a process only events that read the same kinds are tried in every order. The end states are those of the coarser
   * groups.
   */
  it.each([
    ['a pod', POD, 1, 1],
    ['a Job of one pod', jobOf(1), 4, 10],
    ['a Job of two pods', jobOf(2), 23, 37],
  ])('of %s have this number, and the end states of the coarser groups', (_, scenario, runs, byProcess) => {
    const few = explored(scenario);
    const { complete, cut, findings, ends, runs: made } = few;
    expect({ complete, cut, findings, runs: made }).toEqual({ complete: true, cut: 0, findings: [], runs });
    expect(ends.size).toBe(1);
    const more = explored(scenario, { rules: { apart: true, drawn: true } });
    expect([more.complete, more.runs, [...more.ends]]).toEqual([true, byProcess, [...ends]]);
  });

  it.each([
    ['a pod', POD],
    ['a Job of one pod', jobOf(1)],
  ])('have the same end states as all possible orders, of %s', (_, scenario) => {
    const all = explored(scenario, { rules: { apart: false, drawn: true } });
    const few = explored(scenario);
    expect([...all.ends].sort()).toEqual([...few.ends].sort());
    expect(all.runs).toBeGreaterThan(10 * few.runs);
    expect(all.states).toBeGreaterThan(few.states);
  });

  it('are limited by a depth, and unexplored ones are counted', () => {
    const { complete, cut, runs } = explored(jobOf(2), { depth: 1 });
    expect({ complete, runs }).toEqual({ complete: false, runs: 2 });
    expect(cut).toBeGreaterThan(0);
  });

  it('show a race that the usual order hides, and the overtaking event', () => {
    const { findings, complete } = explored(RACE, { controllers: () => [left, right] });
    expect(complete).toBe(true);
    expect(findings.map(({ cause, seen }) => [cause.claim, seen > 0])).toEqual([['left-first', true]]);
    expect(findings[0]?.words).toEqual(['at 1001ms write 1 of right for default/bone came before write 1 of left for default/bone']);
  });

  it('name the livelock that one of them leads to', () => {
    const { expressed: _, ...peaceful } = RACE;
    const { findings, complete } = explored(peaceful, { controllers: () => [left, right, sulker] });
    expect(complete).toBe(true);
    expect(findings.map(({ cause: { claim, controller } }) => [claim, controller])).toEqual([['no livelock', 'sulker']]);
    expect(findings[0]?.cause.message).toMatch(/^livelock: the cluster was in one state 8 times, with 2 writes between/);
    expect(findings[0]?.words).toEqual(['at 1001ms write 1 of right for default/bone came before write 1 of left for default/bone']);
  });

  it('are refused where the state of a component is no data', () => {
    const secretive: Controller = { ...left, start: () => ({ ask: () => 1 }) };
    expect(() => explore(RACE, { controllers: () => [secretive, right] })).toThrow(OpaqueState);
    expect(() => explore(RACE, { controllers: () => [secretive, right] })).toThrow(
      /"controller-manager left knows" .*: ask is a function.*describe\(state\)/,
    );
    const described: Controller = { ...secretive, describe: () => 1 };
    expect(explore(RACE, { controllers: () => [described, right] }).complete).toBe(true);
  });
});

/** Two controllers that react to the same watch event: the order of their requests is not defined. */
const racer = (name: string, other: string): Controller =>
  defineController({
    name,
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing: it is planted',
    reconcile({ self }) {
      const { first } = (self['data'] ?? {}) as Readonly<Record<string, string>>;
      if (self.metadata.name !== 'bone' || first !== undefined) return idle(`nothing to do for ${name}, or ${other} was first`);
      return write(`${name} is first`, { op: 'update', object: { ...self, data: { first: name } } });
    },
  });
const left = racer('left', 'right');
const right = racer('right', 'left');
/** If `right` was first, it changes its mind twice a minute. */
const sulker = defineController<'ConfigMap', unknown, { changedAt: number }>({
  name: 'sulker',
  reconciles: 'ConfigMap',
  writes: ['ConfigMap'],
  models: 'nothing: it is planted',
  start: () => ({ changedAt: 0 }),
  observe(_, { state, now }) {
    state.changedAt = now;
  },
  reconcile({ self, state, now }) {
    const { first, a } = self.data ?? {};
    if (first !== 'right') return idle('it is content');
    if (now < state.changedAt + 30_000) return wakeAt(state.changedAt + 30_000, 'it has just changed it');
    return write('it is not content', { op: 'update', object: { ...self, data: { first, a: a === '1' ? '2' : '1' } } });
  },
});
const RACE = toy(
  'race',
  `  until: 3s
  cluster: { nodes: { count: 0 } }
  invariants: [{ name: left-first, foreach: ConfigMap, always: "self.metadata.name != 'bone' || self.data.?first.orValue('left') == 'left'" }]
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
    - { at: 3s, expect: { cel: "has(object('ConfigMap/bone').data.first)" } }
`,
);

/** Two controllers that react to the same watch event with one write each, of two independent objects. */
const marker = (name: string, kind: 'Pod' | 'Node'): Controller =>
  defineController({
    name,
    reconciles: 'ConfigMap',
    writes: [kind],
    models: 'nothing: it is planted',
    watches: [{ kind, enqueue: () => [] }],
    reconcile({ self, cache }) {
      const [object] = cache.list(kind);
      if (self.metadata.name !== 'bone' || object === undefined || object.metadata.labels?.['marked'] === 'yes')
        return idle('it is marked');
      return write(
        'it is to be marked',
        update(object, (draft) => void (draft.metadata.labels = { ...draft.metadata.labels, marked: 'yes' })),
      );
    },
  });
const MARKS = toy(
  'marks',
  `  until: 4s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 100ms }] }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } } }
    - { at: 2s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
    - { at: 4s, expect: { cel: "objects('Pod').all(p, p.metadata.labels['marked'] == 'yes')" } }
`,
);
const isMarked = (object: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }): boolean =>
  object.metadata.labels?.['marked'] === 'yes';
/** It stores which of the two was marked first, and reports it much later. */
const remembers = (describes: 'all' | 'nothing' | 'not'): Invariant => ({
  name: 'test/the-node-first',
  temporal: 'stable',
  description: 'The node is marked before the pod.',
  kinds: ['Pod', 'Node'],
  check() {
    let first = '';
    let exercised = 0;
    return {
      get exercised() {
        return exercised;
      },
      ...(describes === 'not' ? {} : { describe: () => (describes === 'all' ? first : undefined) }),
      onChange({ object }) {
        if (first === '' && isMarked(object)) {
          first = object.kind;
          exercised++;
        }
        return undefined;
      },
      onEnd: () => (first === 'Pod' ? { message: 'the pod was marked first' } : undefined),
    };
  },
});

describe('the state of an invariant between two writes', () => {
  const found = (invariant: Invariant) => {
    const { complete, findings } = explore(MARKS, {
      controllers: () => [marker('node-marker', 'Node'), marker('pod-marker', 'Pod')],
      invariants: [invariant],
    });
    return [complete, ...findings.map(({ cause }) => cause.claim)];
  };

  it('is part of a state: a later violation is not lost', () => {
    expect(found(remembers('all'))).toEqual([true, 'test/the-node-first']);
    // Without a description, its observations are its state.
    expect(found(remembers('not'))).toEqual([true, 'test/the-node-first']);
    // State that it does not describe is lost, so the violation is not found: this is why the description is required.
    expect(found(remembers('nothing'))).toEqual([true]);
  });

  it('makes writes of kinds that it checks together dependent', () => {
    const sees: Invariant = {
      name: 'test/never-the-pod-alone',
      temporal: 'always',
      description: 'A pod is marked after its node.',
      kinds: ['Pod', 'Node'],
      check: () => ({
        exercised: 1,
        describe: () => undefined,
        onChange: ({ object }, facts) =>
          object.kind === 'Pod' && isMarked(object) && ![...facts.list('Node')].some(isMarked)
            ? { message: 'the pod alone is marked' }
            : undefined,
      }),
    };
    expect(found(sees)).toEqual([true, 'test/never-the-pod-alone']);
  });
});

it('is no failure in an order in which a named invariant is never exercised', () => {
  // Only the first write exercises it, which another controller makes in the other order.
  const rightAt: Invariant = {
    name: 'test/left-was-first',
    temporal: 'always',
    description: 'Left is first where any controller is.',
    kinds: ['ConfigMap'],
    check() {
      let exercised = 0;
      return {
        get exercised() {
          return exercised;
        },
        describe: () => undefined,
        onChange({ object }) {
          if ((object['data'] as { readonly first?: string } | undefined)?.first === 'left') exercised++;
          return undefined;
        },
      };
    },
  };
  const { expressed: _, ...race } = RACE;
  const making = { controllers: () => [left, right], invariants: [rightAt] };
  expect(simulate({ ...race, invariants: ['test/left-was-first'] }, making).failures).toEqual([]);
  const { complete, findings, ends } = explore({ ...race, invariants: ['test/left-was-first'] }, making);
  expect([complete, findings, ends.size]).toEqual([true, [], 2]);
});

describe('single deviations', () => {
  it('do not break a small scenario, and are counted', () => {
    const looked = surveyed(POD);
    const all = [...deviating(looked, {}, ['lose', 'refuse', 'hold'])].at(-1);
    expect(all?.catches).toEqual([]);
    expect(all?.runs).toBe(all?.all);
    expect([...(all?.points ?? [])].map(([sort]) => sort)).toEqual(['see', 'decide', 'write']);
    expect(all?.all).toBeGreaterThan(60);
  });

  it('find a failure by one late watch event', { timeout: 60_000 }, () => {
    const controllers = withMutant(seeing<Job>(job, (input) => ({ ...input, expectationsSatisfied: true })));
    const looked = surveyed(jobOf(1), { controllers });
    for (const { catches, runs, all } of deviating(looked, { controllers }, ['hold'])) {
      const [found] = catches;
      if (found === undefined) {
        expect(runs).toBeLessThan(all);
        continue;
      }
      expect(found.cause).toMatchObject({ claim: 'job/active-within-parallelism', controller: 'job', action: 'create Pod' });
      const broken = simulate({ ...looked.quiescence.scenario, choices: found.choices }, { controllers });
      expect(broken.failures.map(({ invariant }) => invariant)).toContain('job/active-within-parallelism');
      break;
    }
  });
});
