/** Forks: the same run up to a moment, a step right after a write on request, with or without the later steps of the original. */
import { describe, expect, it } from 'vitest';
import { faults } from '../../../src/lab/faults/index.ts';
import { beforeFork, forkAt, readForkStep, type ForkOptions } from '../../../src/lab/fork/index.ts';
import { formatScenario, parseScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import type { Entry, Trace } from '../../../src/lab/trace/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';

const TEXT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: trio }
spec:
  cluster: { podBehaviors: [{ startDelay: 500ms, runFor: 10s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: trio }, spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - note: Three.
      waitFor: { count: { of: Pod/*, is: 3 } }
    - at: 4s
      delete: { target: { kind: Pod, nth: 1 } }
    - note: One is replaced.
      waitFor: { count: { of: { kind: Pod }, atLeast: 3 } }
    - at: 8s
      expectError: { code: 404, delete: Pod/nobody }
    - at: 9s
      delete: { target: Pod/nobody, ignoreNotFound: true }
    - when: settled
      expect: { match: { kind: Job, metadata: { name: trio }, status: { succeeded: 3 } } }
`;

function read(text: string): Scenario {
  const parsed = parseScenario(
    text.replace('of: Pod/*', 'of: { kind: Pod }').replace('- note: One is replaced.\n      waitFor', '- waitFor'),
    {
      ...vocabulary(),
      file: 'trio.yaml',
    },
  );
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.scenario;
}

const scenario = read(TEXT);
const original = traced(simulate(scenario, { trace: true }));
function traced(run: Run): Run & { readonly trace: Trace } {
  const { trace } = run;
  if (trace === undefined) throw new Error('no trace');
  return { ...run, trace };
}

function fork(isThere: (entry: Entry) => boolean, typed: string, options: Partial<ForkOptions> = {}) {
  const step = original.trace.entries.findIndex(isThere) + 1;
  const at = original.trace.entries[step - 1]?.at ?? 0;
  const typedStep = readForkStep(typed);
  if ('problems' in typedStep) throw new Error(typedStep.problems.join('\n'));
  const made = forkAt(scenario, original.trace, { step, at }, typedStep, { name: 'fork', said: typed, ...options });
  return { made, step, run: traced(simulate(made.scenario, { trace: true })) };
}

const isWrite = (type: string, nth: number) => {
  let left = nth;
  return (entry: Entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === type && --left === 0;
};
const ids = (trace: Trace, upTo: number) =>
  trace.entries
    .slice(0, upTo)
    .filter(({ type }) => type !== 'note' && type !== 'check')
    .map(({ id, type, at }) => `${id} ${type} ${at}`);

describe('a fork', () => {
  it.each([
    ['the second of three creations', isWrite('ADDED', 2)],
    ['a deletion, which leaves no object', isWrite('DELETED', 1)],
  ])('is right after %s, before its effects', (_what, isThere) => {
    const { made, step, run } = fork(isThere, 'fault crash controller-manager restartAfter=5s', { rightAfter: true });
    const before = beforeFork(run.trace, made);
    expect(ids(run.trace, before)).toEqual(ids(original.trace, step));
    expect(run.trace.entries[before - 1]).toMatchObject({ type: 'write' });
    expect(run.trace.entries[before]).toMatchObject({ type: 'operation', label: 'fault crash controller-manager' });
    expect(run.failures).toEqual([]);
  });

  it('is otherwise after all events of its instant', () => {
    const { made, run } = fork(isWrite('ADDED', 2), 'fault crash controller-manager restartAfter=5s');
    const before = run.trace.entries.slice(0, beforeFork(run.trace, made));
    expect(before.filter((entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED')).toHaveLength(
      3,
    );
  });

  it('is a file with the same contents', () => {
    const { made, run } = fork(isWrite('DELETED', 1), 'fault crash controller-manager restartAfter=5s', { rightAfter: true });
    expect(simulate(read(formatScenario(made.scenario, { faults }))).digest).toBe(run.digest);
  });

  it('leaves out later steps, or repeats them at the same instants; a write that had to be refused is not repeated', () => {
    const operations = ({ entries }: Trace) =>
      entries.flatMap((entry) => (entry.type === 'operation' ? [`${entry.at - scenario.startAt} ${entry.label}`] : []));
    const bare = fork(isWrite('ADDED', 2), 'fault crash scheduler restartAfter=1s');
    expect(operations(bare.run.trace).slice(1)).toEqual(['0 fault crash scheduler']);
    const kept = fork(isWrite('ADDED', 2), 'fault crash scheduler restartAfter=1s', { keepLater: true });
    expect(operations(kept.run.trace).slice(1)).toEqual([
      '0 fault crash scheduler',
      '4000 delete Pod (number 1 by creation)',
      '9000 delete Pod/nobody',
    ]);
    expect([kept.made.repeated, kept.made.kept]).toEqual([2, 1]);
    expect(kept.run.failures).toEqual([]);
  });
});
