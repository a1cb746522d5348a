/** Matchers for runs. */
import { expect, it } from 'vitest';
// oxlint-disable-next-line no-unassigned-import -- it adds matchers to expect
import '../../src/vitest.ts';
import { readScenarios, search, simulate } from '../../src/index.ts';

const read = readScenarios(
  '{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: a }, spec: { steps: [{ apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: m }, data: { k: v } } }, { expect: { absent: ConfigMap/m } }] } }',
);
if ('problems' in read) throw new Error(JSON.stringify(read.problems));
const run = simulate(read.scenarios[0] as (typeof read.scenarios)[number]);

it('a run holds, or the matcher reports why not and how to repeat it in code', () => {
  expect(run).not.toHold();
  expect(() => {
    expect(run).toHold();
  }).toThrow(/did not hold[^]*expected no ConfigMap\/m[^]*see it again: simulate\(scenario, \{ seed: 1, trace: true \}\)/);
});

it('a run reaches an object, or the matcher names the nearest', () => {
  expect(run).toReach({ kind: 'ConfigMap', metadata: { name: 'm' }, data: { k: 'v' } });
  expect(() => {
    expect(run).toReach({ kind: 'ConfigMap', metadata: { name: 'm' }, data: { k: 'w' } });
  }).toThrow(/data\.k/);
});

it('a search finds nothing, or the matcher tells each finding', () => {
  const [scenario] = read.scenarios;
  const unfit = search(scenario as NonNullable<typeof scenario>);
  expect(unfit).not.toFindNothing();
  expect(() => {
    expect(unfit).toFindNothing();
  }).toThrow(/it breaks without any choice[^]*expected no ConfigMap\/m/);
});
