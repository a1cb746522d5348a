/** A question among the steps of a scenario, the objects that it may name, and its answer. */
import { describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../../src/lab/scenario/index.ts';
import { ASKED_AT_MS, askWhatIf, objectsAt, withoutQuestion, withQuestion } from '../../../src/lab/what-if/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { beginWith } from '../snapshot/setup.ts';

const scenario = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: asked }
spec:
  until: 6m
  cluster: { nodes: [{ name: node-0, capacity: { cpu: "2", memory: 1Gi, pods: "10" } }], podBehaviors: [{ startDelay: 1s, runFor: 1h }] }
  steps:
    - apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 2, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i, resources: { requests: { cpu: 500m } } }] } } } }
    - { at: 30s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: early } } }
    - { at: 40s, delete: ConfigMap/early }
    - { at: 90s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: late } } }
`);
const scaleTo = (replicas: number, atMs = ASKED_AT_MS): Step => ({
  verb: 'scale',
  target: { kind: 'Deployment', name: 'web' },
  replicas,
  timing: { when: 'at', atMs },
});

describe('the steps of a question', () => {
  const stepAt = (atMs: number, more: object = {}) => ({ verb: 'note', timing: { when: 'at', atMs }, ...more });
  const next = { verb: 'note', timing: { when: 'next' } };
  const question = { verb: 'cordon' };
  const ask = (steps: readonly object[], askedAtMs: number) =>
    withQuestion({ steps, recorded: 'writes', name: 'x' } as unknown as Scenario, [question as never], askedAtMs);

  it('stand before the first that comes later, and nothing is compared with a record', () => {
    const [one, two, three] = [stepAt(10), stepAt(20), stepAt(30)];
    expect(ask([one, next, two, three], 20)).toEqual({ name: 'x', steps: [one, next, two, question, three] });
    expect(ask([one, next, two, three], 19).steps).toEqual([one, next, question, two, three]);
    expect(ask([one, next], 20).steps).toEqual([one, next, question]);
    expect(ask([], 20).steps).toEqual([question]);
  });

  it('end what is expected of later ones', () => {
    const expected = stepAt(30, { code: 201, expect: 'x' });
    const steps = [stepAt(10, { code: 201 }), stepAt(30, { code: 409, verb: 'delete' }), stepAt(31, { expect: [] }), expected];
    expect(ask(steps, 20).steps).toEqual([steps[0], question, stepAt(30, { verb: 'delete' }), stepAt(30, { expect: 'x' })]);
  });
});

describe('the objects at a moment', () => {
  const names = (atMs: number, kind: string) =>
    objectsAt(scenario, atMs)
      .filter((object) => object.kind === kind)
      .map(({ metadata }) => metadata.name.replace(/-\w+$/, ''));

  it('are those that were made until then, and not deleted', () => {
    expect(
      [0, 30_000, 40_000, 90_000].map((atMs) => names(atMs, 'ConfigMap').filter((name) => name === 'early' || name === 'late')),
    ).toEqual([[], ['early'], [], ['late']]);
    expect([names(0, 'Deployment'), names(10_000, 'Pod').length]).toEqual([['web'], 2]);
    expect(objectsAt(scenario, 5_000).find(({ kind }) => kind === 'Pod')).toMatchObject({ status: { phase: 'Running' } });
  });

  it('are those of the dump with which it begins, as far as they are not changed', () => {
    const dumped = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', uid: `uid-${name}` },
    });
    const read = beginWith(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [dumped('stays'), dumped('goes')] }), {
      spec: { steps: [{ at: '10s', delete: 'ConfigMap/goes' }] },
    });
    if ('problems' in read) throw new Error(read.problems.join());
    const kept = (atMs: number) =>
      objectsAt(read.scenario, atMs).flatMap(({ metadata: { name } }) => (name === 'stays' || name === 'goes' ? [name] : []));
    expect([0, 9_999, 10_000].map(kept)).toEqual([['stays', 'goes'], ['stays', 'goes'], ['stays']]);
  });
});

describe('the answer', () => {
  it('says what changes from the question on, and that it comes to rest', () => {
    const { run, nodes, workloads, ...answer } = askWhatIf(withQuestion(scenario, [scaleTo(3)], ASKED_AT_MS));
    expect(answer).toEqual({
      askedAtMs: 60_000,
      atRest: true,
      gone: 0,
      made: 1,
      others: { ConfigMap: { gone: 0, made: 1 } },
      evictions: 0,
      refused: {},
      restarts: 0,
      runs: 0,
      restMs: 30_000,
      waiting: [],
      why: [],
    });
    expect(workloads).toEqual([
      {
        workload: { kind: 'Deployment', namespace: 'default', name: 'web' },
        before: { wanted: 2, available: 2 },
        after: { wanted: 3, available: 3 },
        least: 2,
        leastAtMs: 0,
      },
    ]);
    expect(nodes).toEqual([
      {
        node: 'node-0',
        room: { milliCpu: 2_000, memory: (1024 - 100) * 1024 * 1024, pods: 10 },
        before: { milliCpu: 1_000, memory: 0, pods: 2 },
        after: { milliCpu: 1_500, memory: 0, pods: 3 },
      },
    ]);
    expect([run.failures, run.lengthMs, run.trace === undefined, run.invariants]).toEqual([[], 360_000, false, []]);
  });

  it('says why pods wait: those that wait alike are said once', () => {
    const { waiting, why } = askWhatIf(withQuestion(scenario, [scaleTo(6, 10_000)], 10_000), { askedAtMs: 10_000 });
    expect(waiting).toHaveLength(2);
    expect(why).toEqual([expect.stringMatching(/0\/1 nodes are available: 1 Insufficient cpu.* \(and 1 alike\)$/)]);
  });

  it('is not at rest where something was written in the last two minutes', () => {
    const restOf = (untilMs: number) => askWhatIf(withQuestion({ ...scenario, untilMs }, [scaleTo(3)], ASKED_AT_MS));
    // The last write is the ConfigMap at 90 s.
    expect([restOf(209_999).atRest, restOf(210_000).atRest]).toEqual([false, true]);
  });

  it('without the question is the same run without its effects', () => {
    const { failures, trace, invariants } = withoutQuestion(scenario, { seed: 5 });
    expect([failures, invariants]).toEqual([[], []]);
    const scaled = trace?.entries.filter((entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED');
    expect(scaled).toHaveLength(2);
  });
});
