/** What a step does has the operation of the step as its cause. */
import { expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const map = (name: string): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`;

/** The operations of a run, each with the entries that it caused. */
function caused(...steps: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const { trace, failures } = runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  until: 60s\n  cluster: { nodes: { count: 1 } }\n  steps:\n${steps.map((step) => `    - ${step}\n`).join('')}`,
    { trace: true },
  );
  expect(failures).toEqual([]);
  const { entries } = trace ?? { entries: [] };
  const effectOf = (entry: (typeof entries)[number]): string =>
    entry.type === 'write' || entry.type === 'refusal'
      ? `${entry.type} ${entry.request}`
      : entry.type === 'process'
        ? `${entry.process} ${entry.what}`
        : entry.type;
  return entries.flatMap(({ id, ...entry }) =>
    entry.type === 'operation' ? [[entry.label, entries.filter(({ causes }) => causes.includes(id)).map(effectOf)] as const] : [],
  );
}

it.each<readonly [string, readonly (readonly [string, readonly string[]])[]]>([
  [
    `create: [${map('a')}, ${map('b')}]`,
    [['create ConfigMap/a, ConfigMap/b', ['write create ConfigMap default/a', 'write create ConfigMap default/b']]],
  ],
  [
    `expectError: { code: 404, delete: ConfigMap/gone }`,
    [['delete ConfigMap/gone, which must fail', ['refusal delete ConfigMap default/gone']]],
  ],
  ['cordon: Node/node-0', [['cordon Node/node-0', ['write patch Node node-0']]]],
  ['drain: Node/node-0', [['drain Node/node-0', ['write patch Node node-0']]]],
  ['fault: { crash: scheduler, restartAfter: 5s }', [['fault crash scheduler', ['scheduler crashed', 'fault', 'scheduler started']]]],
  ['note: nothing', []],
  [`expect: { absent: ConfigMap/a }`, []],
])('%s', (step, operations) => {
  expect(caused(step)).toEqual(operations);
});
