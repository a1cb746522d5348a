/** Files of the reader's own: what becomes of them, and that the engine runs it. */
import { expect, it } from 'vitest';
import { scenarioOf } from '../../../src/surfaces/page/own-files.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';

const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: own }
spec:
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }
`;
const JOB = `apiVersion: batch/v1
kind: Job
metadata: { name: trio }
spec: { completions: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: c }] } } }
`;
const DUMP = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'kept',
        namespace: 'default',
        uid: '6f0a7c1e-0000-4000-8000-000000000001',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
    },
  ],
});

/** The kinds that the run has written, and where it says it is. */
function ran(...files: readonly { readonly name: string; readonly text: string }[]) {
  const scenario = scenarioOf(files);
  if ('refused' in scenario) return scenario;
  const answer = createBench().answer({ ask: 'run', scenario });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  const { prologue, entries } = answer.run.trace;
  return new Set(
    [...prologue, ...entries].flatMap((entry) =>
      entry.type === 'write' ? [`${entry.change.kind} ${entry.change.object.metadata.name}`] : [],
    ),
  );
}

it('runs a scenario, manifests, and a dump', () => {
  expect(ran({ name: 'own.yaml', text: SCENARIO })).toContain('ConfigMap c');
  expect(ran({ name: 'job.yaml', text: JOB })).toContain('Job trio');
  const both = ran({ name: 'job.yaml', text: JOB }, { name: 'c.yaml', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n' });
  expect(both).toContain('ConfigMap c');
  expect(both).toContain('Job trio');
  expect(ran({ name: 'My Dump.json', text: DUMP })).toContain('ConfigMap kept');
});

it('refuses two scenarios, and keeps names of files that mean something', () => {
  expect(
    scenarioOf([
      { name: 'a.yaml', text: SCENARIO },
      { name: 'b.yaml', text: SCENARIO },
    ]),
  ).toEqual({
    refused: 'expected one scenario, found a.yaml and b.yaml',
  });
  const made = scenarioOf([{ name: '__proto__', text: DUMP }]);
  expect('files' in made && Object.keys(made.files ?? {})).toEqual(['__proto__']);
});
