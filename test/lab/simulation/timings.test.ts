/** When steps are due, what a run says where they never are, and what it warns of. */
import { describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../../src/lab/scenario/index.ts';
import { introspectionOf } from '../../../src/lab/simulation/facts.ts';
import { lookAt } from '../../../src/lab/simulation/lesson.ts';
import { performFault } from '../../../src/lab/simulation/actions.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { runScenario, scenarioIn } from '../../support/scenarios.ts';
import { clusterWith, map, node } from './world.ts';

const text = (steps: string, spec = '  until: 9s\n  cluster: { nodes: { count: 0 } }\n') =>
  `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: timings }\nspec:\n${spec}  steps:\n    - create: ${map('a')}\n${steps}`;
const moments = (steps: string) => runScenario(text(steps)).narrationSteps.map(({ does, sinceStartMs }) => `${does} at ${sinceStartMs}`);
const withStep = (step: object): Scenario => {
  const scenario = scenarioIn(text(''));
  return { ...scenario, steps: [...scenario.steps, step as Step] };
};
const failuresOf = (scenario: Scenario) =>
  simulate(scenario).failures.map(({ kind, message, detail, sinceStartMs }) => [kind, message, [...detail], sinceStartMs]);

describe('a step', () => {
  it('is due at an instant, after a while, at once, or when a condition holds', () => {
    expect(
      moments(
        '    - { after: 2s, note: x }\n    - { at: 5s, note: x }\n    - { at: 5s, note: x }\n    - { after: 500ms, note: x }\n    - { note: x }\n',
      ),
    ).toEqual(['create ConfigMap/a at 0', 'note at 2000', 'note at 5000', 'note at 5000', 'note at 5500', 'note at 5500']);
    expect(moments(`    - { when: { cel: "object('ConfigMap/a') != null" }, note: x }\n`)).toEqual([
      'create ConfigMap/a at 0',
      'note at 0',
    ]);
  });

  it('is due right after a write of a revision', () => {
    const { cluster } = runScenario(text(''));
    const revision = Number(cluster.store.get('ConfigMap', 'default/a')?.metadata.resourceVersion);
    const last = cluster.store.revision;
    const at = (nth: number) => failuresOf(withStep({ verb: 'note', timing: { when: 'revision', revision: nth } }));
    expect([at(revision), at(last)]).toEqual([[], []]);
    expect(at(last + 100)).toEqual([['step', `revision ${last + 100} was never reached`, [`  the last one is ${last}`], 9_000]]);
  });

  it('whose condition is none fails', () => {
    expect(failuresOf(withStep({ verb: 'note', timing: { when: 'cel', expression: { cel: '1 +' } } }))).toEqual([
      ['step', 'the expression is wrong: Unexpected token: EOF', [], 0],
    ]);
    expect(
      failuresOf(
        withStep({
          verb: 'waitFor',
          expectation: { expect: 'absent', target: { kind: 'ConfigMap', name: 'a' } },
          withinMs: 2_000,
          timing: { when: 'next' },
        }),
      ),
    ).toEqual([['expectation', 'expected no ConfigMap/a, found 1', ['  found ConfigMap default/a'], 2_000]]);
    expect(
      failuresOf(withStep({ verb: 'waitFor', expectation: { expect: 'match', match: { kind: 'Job' } }, timing: { when: 'next' } })),
    ).toEqual([['expectation', 'there is no Job at all', [], 9_000]]);
  });

  it('with a question whose answer is no expression fails', () => {
    const choices = [
      { say: 'One', expression: { cel: '1 +' }, because: '' },
      { say: 'Two', expression: { cel: 'true' }, because: '' },
    ];
    expect(failuresOf(withStep({ verb: 'note', note: 'x', ask: { question: 'Is it?', choices }, timing: { when: 'next' } }))).toEqual([
      ['expectation', 'the assertion of an answer could not be evaluated: Unexpected token: EOF', ['  1 +'], 0],
    ]);
  });

  it('whose fault nobody knows fails', () => {
    expect(
      failuresOf(withStep({ verb: 'fault', fault: { name: 'none', subject: 'x', parameters: {} }, timing: { when: 'next' } })),
    ).toEqual([['step', 'there is no fault named none', [], 0]]);
  });
});

describe('what is shown', () => {
  const cluster = clusterWith([map('a'), node('n1')]);
  it('is an object that is there, and the cache of a process that is there', () => {
    const at = { kind: 'ConfigMap', name: 'a' };
    expect(lookAt(cluster, { at })).toEqual({ look: { at: { kind: 'ConfigMap', namespace: 'default', name: 'a' } } });
    expect(lookAt(cluster, { at: { kind: 'Node', name: 'n1' }, as: 'scheduler' })).toEqual({
      look: { at: { kind: 'Node', name: 'n1' }, as: 'scheduler' },
    });
    expect(lookAt(cluster, { at: { kind: 'Job', name: 'pi' } })).toEqual({
      trouble: { message: 'there is no Job/pi to show when the step has ended', detail: [] },
    });
    expect(lookAt(cluster, { at, as: 'schedular' })).toEqual({
      trouble: { message: 'there is no process schedular; did you mean scheduler?', detail: ['  there are controller-manager, scheduler'] },
    });
    expect(lookAt(cluster, { at, as: 'zzz' })).toMatchObject({ trouble: { message: 'there is no process zzz' } });
  });

  it('a fault that is not registered has no effect', () => {
    expect(performFault(cluster, [], { name: 'crash', subject: 'scheduler', parameters: {} })).toEqual({
      message: 'there is no fault named crash',
      detail: [],
    });
  });
});

describe('a suggestion', () => {
  const tried = (suggestion: string, until = '  until: 9s\n') =>
    runScenario(text(`    - { at: 1s, note: x, try: ${suggestion} }\n`, `${until}  cluster: { nodes: { count: 0 } }\n`)).failures.map(
      ({ message, sinceStartMs, kind }) => [kind, message, sinceStartMs],
    );
  const gone = '{ absent: ConfigMap/a }';

  it('is checked after a while, at the end, or in the settled cluster', () => {
    for (const [after, until] of [
      ['after: 2s, ', undefined],
      ['', undefined],
      ['', ''],
    ] as const)
      expect(tried(`{ say: Go, delete: ConfigMap/a, ${after}then: ${gone} }`, until)).toEqual([]);
    expect(tried(`{ say: Go, delete: ConfigMap/a, then: { cel: "elapsed == duration('9s')" } }`)).toEqual([]);
    expect(tried(`{ say: Go, delete: ConfigMap/a, after: 2s, then: { cel: "elapsed == duration('3s')" } }`)).toEqual([]);
    expect(tried(`{ say: Go, delete: ConfigMap/b, then: ${gone} }`)).toEqual([
      ['expectation', 'what if? Go: the server refused it: 404 NotFound: configmaps "b" not found', 1_000],
    ]);
    expect(tried(`{ say: Go, create: ${map('b')}, then: ${gone} }`)).toEqual([
      ['expectation', 'what if? Go: expected no ConfigMap/a, found 1', 1_000],
    ]);
  });

  it('breaks what it says, and nothing else', () => {
    const invariants =
      '  invariants: [{ name: own/no-b, always: "object(\'ConfigMap/b\') == null" }, { name: own/no-c, always: "object(\'ConfigMap/c\') == null" }]\n';
    const breaking = (name: string, breaks: string) =>
      tried(`{ say: Go, create: ${map(name)}, breaks: ${breaks} }`, `  until: 9s\n${invariants}`);
    expect(breaking('b', 'own/no-b')).toEqual([]);
    expect(breaking('d', 'own/no-b')).toEqual([['expectation', 'what if? Go: own/no-b holds, and was expected to break', 1_000]]);
    expect(breaking('c', 'own/no-b').map(([, message]) => message)).toEqual([
      'what if? Go: own/no-b holds, and was expected to break',
      expect.stringMatching(/^what if\? Go: own\/no-c is broken: /),
    ]);
  });
});

describe('faults on a client', () => {
  const warned = (steps: string) =>
    runScenario(text(steps, '  until: 2s\n  clients: { mine: {} }\n  cluster: { nodes: { count: 0 } }\n')).lintWarnings.map(
      ({ text: warning, line }) => [warning, line],
    );
  it('change nothing where no program plays it, which is said once', () => {
    expect(warned('    - { at: 1s, note: x }\n')).toEqual([]);
    expect(warned('    - { at: 1s, fault: { partition: mine, for: 1s } }\n    - { fault: { partition: mine, for: 1s } }\n')).toEqual([
      ['faults on mine change nothing here, because no program plays it: run orchsim drive PATH -- COMMAND', 10],
    ]);
  });
});

describe('the inside of what runs', () => {
  it('is the environment of a pod, and the containers of a machine', () => {
    const { cluster } = runScenario(
      'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: inside }\nspec:\n  until: 5s\n  cluster: { nodes: { count: 1 } }\n  steps:\n    - create: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i }] } }\n',
    );
    expect(introspectionOf(cluster, 'Pod', 'default', 'p')).toBeDefined();
    expect(introspectionOf(cluster, 'Node', undefined, 'node-0')).toMatchObject({ containers: [{ pod: 'default/p' }], strangers: [] });
  });
});
