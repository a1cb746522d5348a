/** A whole run as data: its findings, its records, and what its observers are called with. */
import { describe, expect, it } from 'vitest';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import { simulate, stage, type Run, type SimulateOptions } from '../../../src/lab/simulation/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const scenarioWith = (spec: string): Scenario =>
  scenarioIn(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: run }\nspec:\n  seed: 3\n  cluster: { nodes: { count: 0 } }\n${spec}`,
  );
const MAP = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }';
const TWO = scenarioWith(`  until: 5s\n  steps:\n    - create: ${MAP}\n    - { at: 2s, note: Half way., delete: ConfigMap/a }\n`);
const of = ({ cluster: _cluster, scenario: _scenario, digest, counters: _counters, steps: _steps, trace: _trace, ...run }: Run) => ({
  ...run,
  digest: digest.length > 0,
});
const A = { kind: 'ConfigMap', namespace: 'default', name: 'a' };

describe('a run', () => {
  const held = {
    seed: 3,
    verdict: 'held',
    failures: [],
    narrationSteps: [
      { does: 'create ConfigMap/a', taken: 1, traceStep: 2, sinceStartMs: 0, about: A, source: { file: '<text>', line: 9, col: 7 } },
      {
        does: 'delete ConfigMap/a',
        taken: 2,
        sinceStartMs: 2_000,
        about: A,
        text: 'Half way.',
        source: { file: '<text>', line: 10, col: 7 },
      },
    ],
    lintWarnings: [],
    invariants: [],
    digest: true,
    lengthMs: 5_000,
    taken: [],
    unused: [],
  };

  it('is its findings and records', () => {
    expect(of(simulate(TWO, { invariants: [] }))).toMatchObject(held);
    expect(simulate(TWO, { invariants: [] })).not.toHaveProperty('trace');
    expect(simulate(TWO, { invariants: [] })).not.toHaveProperty('firstWrites');
    const { trace, narrationSteps } = simulate(TWO, { invariants: [], trace: true });
    expect(trace?.narrationSteps).toEqual(narrationSteps);
    expect(trace?.startAt).toBe(Date.UTC(2024, 2, 1));
    expect(trace?.prologue.length).toBeGreaterThan(0);
  });

  it('with another seed is another run of the same scenario', () => {
    const [one, same, other] = [simulate(TWO), simulate(TWO, { seed: 3 }), simulate(TWO, { seed: 4 })];
    expect([one.digest === same.digest, other.seed, other.scenario === TWO]).toEqual([true, 4, true]);
    expect(simulate(TWO, { digest: false }).digest).not.toBe(one.digest);
  });

  it('calls its observers with entries, changes and failures', () => {
    const calls: string[] = [];
    const before = { entries: 0, changes: 0 };
    const startAt = TWO.startAt;
    const { trace } = simulate(TWO, {
      trace: true,
      invariants: [],
      onPrologue: (entry) => void (entry.at < startAt ? before.entries++ : calls.push('late prologue')),
      onEntry: (entry) => void (entry.type === 'operation' ? calls.push(entry.label) : entry.at < startAt && calls.push('early entry')),
      onObjectChange: ({ type, kind, at }) =>
        void (kind === 'ConfigMap' && at >= startAt ? calls.push(`${type} ${kind}`) : at < startAt && before.changes++),
      onCluster: (cluster) => void calls.push(`cluster at ${cluster.now - startAt}`),
      onFailure: () => void calls.push('failure'),
    });
    expect(calls).toEqual(['cluster at 0', 'create ConfigMap/a', 'ADDED ConfigMap', 'delete ConfigMap/a', 'DELETED ConfigMap']);
    expect([before.entries, before.changes]).toEqual([trace?.prologue.length, 0]);
  });
});

describe('an invariant', () => {
  const noMaps: Invariant = {
    name: 'mine/no-maps',
    temporal: 'always',
    description: 'There is no ConfigMap a.',
    kinds: ['ConfigMap'],
    check: () => ({
      exercised: 1,
      onChange: ({ type, object }) =>
        type === 'ADDED' && object.metadata.name === 'a' ? { message: 'there is one', detail: ['  so it is'], object } : undefined,
    }),
  };

  it('that a write breaks is a failure at that write, and an entry of the trace', () => {
    const seen: unknown[] = [];
    const { failures, verdict, trace, invariants } = simulate(TWO, {
      trace: true,
      onFailure: (failure, isByWrite) => void seen.push([failure.message, isByWrite]),
      invariants: [noMaps],
    });
    expect([verdict, invariants]).toEqual(['broken', [{ name: 'mine/no-maps', temporal: 'always', held: false, exercised: 1 }]]);
    expect(failures).toEqual([
      {
        kind: 'invariant',
        message: 'there is one',
        detail: ['  so it is'],
        sinceStartMs: 0,
        traceStep: 2,
        about: A,
        invariant: 'mine/no-maps',
      },
    ]);
    const write = trace?.entries[1];
    expect([write?.type, trace?.entries[2]]).toEqual([
      'write',
      { id: write?.id, at: TWO.startAt, causes: [write?.id], type: 'check', name: 'mine/no-maps', held: false, detail: 'there is one' },
    ]);
    expect(seen).toEqual([['there is one', true]]);
  });

  it('of a user is checked beside the others', () => {
    const { failures, invariants } = simulate(TWO, { with: { invariants: [noMaps] } });
    expect(failures.map(({ invariant, message }) => [invariant, message])).toEqual([['mine/no-maps', 'there is one']]);
    expect(invariants.length).toBeGreaterThan(10);
  });

  it('that the scenario names must have been exercised, unless the run may be idle', () => {
    const named = scenarioWith(`  until: 1s\n  invariants: [job/finished-is-final]\n  steps: []\n`);
    const failuresOf = (more: SimulateOptions) => simulate(named, more).failures.map(({ message }) => message.split(':')[0]);
    expect([failuresOf({}), failuresOf({ mayBeIdle: true })]).toEqual([['it was never exercised'], []]);
  });
});

describe('a choice', () => {
  it('whose point the run does not reach is unused, and the report says so', () => {
    const { unused, taken, lintWarnings } = simulate(scenarioWith(`  until: 1s\n  choices: [{ at: write job default/a, lose: true }]\n`));
    expect(unused).toEqual([{ at: 'write job default/a', injectedFault: { do: 'lose' }, source: { file: '<text>', line: 8, col: 13 } }]);
    expect([taken, lintWarnings]).toEqual([
      [],
      [{ file: '<text>', line: 8, col: 13, text: 'this choice no longer applies: the run reached no point write job default/a' }],
    ]);
  });
});

describe('a run that is set up', () => {
  it('pauses between two events, from an entry on', () => {
    const staged = stage(TWO, { invariants: [] });
    expect([staged.entries(), staged.position, staged.judges]).toEqual([0, { items: 0, stage: 'due', since: TWO.startAt }, []]);
    staged.pauseAt(2);
    expect(staged.passing.next()).toEqual({ done: false, value: undefined });
    expect([staged.entries(), staged.position.items, staged.cluster.now - TWO.startAt]).toEqual([2, 0, 0]);
    staged.pauseAt(Infinity);
    const ended = staged.passing.next();
    expect([ended.done, staged.position.stage, staged.passing.next()]).toEqual([true, 'end', { done: true, value: ended.value }]);
    expect(of(staged.end(ended.value ?? false))).toMatchObject({ verdict: 'held', settled: ended.value });
  });

  it('goes on as another scenario with the same beginning', () => {
    const longer: Scenario = {
      ...TWO,
      untilMs: 6_000,
      steps: [...TWO.steps, { verb: 'note', note: 'The end.', timing: { when: 'at', atMs: 5_500 } }],
    };
    const staged = stage(TWO, { invariants: [] });
    staged.pauseAt(1);
    staged.passing.next();
    expect(staged.passing.continueAs({ ...longer, steps: [] })).toBe(false);
    expect(staged.passing.continueAs(longer)).toBe(true);
    staged.pauseAt(Infinity);
    expect(staged.passing.next().done).toBe(true);
    expect(staged.passing.continueAs(TWO)).toBe(false);
    expect(staged.end(true).narrationSteps.map(({ text }) => text)).toEqual([undefined, 'Half way.', 'The end.']);
  });

  it('does not let time pass while something outside is at work', () => {
    const asked: number[] = [];
    let busy = true;
    const staged = stage(TWO, { invariants: [] }, (to) => {
      asked.push(to - TWO.startAt);
      return busy;
    });
    expect([staged.passing.next().done, staged.passing.next().done, staged.cluster.now - TWO.startAt]).toEqual([false, false, 0]);
    expect(asked[0]).toBe(0);
    busy = false;
    expect(staged.passing.next().done).toBe(true);
    expect(asked.every((each) => each >= 0)).toBe(true);
  });

  it('that is short is not reported as a long one', () => {
    let calls = 0;
    simulate(TWO, { onLongRun: () => calls++ });
    expect(calls).toBe(0);
  });
});
