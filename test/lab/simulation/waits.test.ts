/** What the objects of a failed expectation wait for, in runs that keep their trace; and endless activity of those that do not settle. */
import { describe, expect, it } from 'vitest';
import { defineController, idle, update, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import type { Step } from '../../../src/lab/scenario/index.ts';
import { livenessIn } from '../../../src/lab/simulation/index.ts';
import { runScenario, scenarioIn } from '../../support/scenarios.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';

const big = (name: string, kind = 'Pod') =>
  kind === 'Pod'
    ? `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: c, image: i, resources: { requests: { cpu: "9" } } }] } }`
    : `{ apiVersion: batch/v1, kind: Job, metadata: { name: ${name} }, spec: { parallelism: 2, completions: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i, resources: { requests: { cpu: "9" } } }] } } } }`;
const waitsOf = (expectation: string, objects: readonly string[] = [big('a'), big('b')], trace = true) =>
  runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: waits }\nspec:\n  until: 20s\n  cluster: { nodes: { count: 1 } }\n  steps:\n${objects.map((object) => `    - create: ${object}\n`).join('')}    - { at: 10s, expect: [${expectation}] }\n`,
    { trace },
  ).failures.map(({ waits }) => waits?.map((line) => line.replace(/: 0\/1 nodes.*/, '')));
const LINE = (name: string) => `Pod ${name} waits for a node since 0.000s`;

describe('a failed expectation', () => {
  it.each<[string, readonly string[]]>([
    ['{ match: { kind: Pod, metadata: { name: a }, status: { phase: Running } } }', [LINE('a')]],
    ['{ match: { kind: Pod, metadata: { name: b, namespace: default }, status: { phase: Running } } }', [LINE('b')]],
    ['{ count: { of: Pod/b, is: 3 } }', [LINE('b')]],
    [`{ cel: "object('Pod/b').status.phase == 'Running'" }`, [LINE('b')]],
    [`{ cel: "object('Pod/default/b').status.phase == 'Running' && object('Pod/a') != null" }`, [LINE('b'), LINE('a')]],
    // What names no object is explained by the workloads that wait.
    [`{ cel: "objects('Pod').size() == 7" }`, [LINE('a'), LINE('b')]],
    ['{ count: { of: Pod, is: 7 } }', [LINE('a'), LINE('b')]],
    ['{ match: { kind: Job } }', [LINE('a'), LINE('b')]],
  ])('%s says what its objects wait for', (expectation, lines) => {
    expect(waitsOf(expectation)).toEqual([lines]);
  });

  it('explains three workloads at most, and those that others control with theirs', () => {
    expect(
      waitsOf(
        `{ match: { kind: Secret } }`,
        ['a', 'b', 'c', 'd'].map((name) => big(name)),
      ),
    ).toEqual([[LINE('a'), LINE('b'), LINE('c')]]);
    expect(waitsOf(`{ match: { kind: Secret } }`, [big('pi', 'Job')])[0]?.[0]).toMatch(/^Job pi waits for 2 pods to end/);
  });

  it('says nothing without a trace, or where nothing waits', () => {
    expect(waitsOf('{ match: { kind: Job } }', [big('a')], false)).toEqual([undefined]);
    expect(waitsOf('{ match: { kind: Job } }', [])).toEqual([undefined]);
  });
});

describe('a run that does not settle', () => {
  const wants = (value: string): Controller =>
    defineController({
      name: `wants-${value}`,
      reconciles: 'ConfigMap',
      writes: ['ConfigMap'],
      models: 'nothing: it is planted',
      reconcile({ self }) {
        const { data = {} } = self as { readonly data?: Readonly<Record<string, string>> };
        if (self.metadata.name !== 'bone' || data['a'] === value) return idle('it is as it should be');
        return write(
          `it should be ${value}`,
          update(self, (draft) => void ((draft as { data?: unknown }).data = { a: value })),
        );
      },
    });
  const scenario = scenarioIn(
    'apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: fight }\nspec:\n  until: 3s\n  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }\n  steps:\n    - { at: 1s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }\n',
  );
  const ended = (controllers: readonly Controller[], more: readonly Step[] = []) => {
    const own = { controllers };
    return livenessIn(simulate({ ...scenario, steps: [...scenario.steps, ...more] }, { with: own, mayBeIdle: true }), own);
  };

  it('is in a livelock where the same states come again, with their first and last moments', () => {
    const found = ended([wants('1'), wants('2')]);
    expect(found?.message).toMatch(/^livelock: the cluster was in one state \d+ times, with 2 writes between, \d+ms long$/);
    for (const name of ['wants-1', 'wants-2']) expect(found?.detail.join('\n')).toContain(name);
    expect([
      found && found.fromMs >= 999,
      found && found.toMs > found.fromMs,
      found && found.toMs < 3_000,
      (found?.detail.length ?? 0) > 0,
    ]).toEqual([true, true, true, true]);
  });

  it('is in one where the following steps only wait or check', () => {
    const waiting: Step = { verb: 'waitFor', expectation: { expect: 'match', match: { kind: 'Job' } }, timing: { when: 'next' } };
    expect(ended([wants('1'), wants('2')], [waiting])?.message).toMatch(/^livelock: /);
  });

  it('is in none where it settles, or hardly decides anything', () => {
    expect(ended([wants('1')])).toBeUndefined();
    expect(ended([])).toBeUndefined();
  });
});
