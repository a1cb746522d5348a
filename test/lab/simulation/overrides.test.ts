/** The invariants of a run, and which of them must have been exercised. */
import { expect, it } from 'vitest';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import { chosenOf } from '../../../src/lab/simulation/overrides.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const scenarioWith = (more = '') =>
  scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: chosen }
spec:
  until: 1m
  invariants: [job/counts-never-shrink, { name: own, foreach: Pod, always: "true" }]
${more}  steps: []`);
const RECORDED = `  recorded: { within: 1s, writes: "1s  Pod/a  created" }\n`;
const given: readonly Invariant[] = ['job/counts-never-shrink', 'other'].map((name) => ({
  name,
  temporal: 'always',
  description: name,
  kinds: ['Job'],
  check: () => ({ exercised: 0 }),
}));

it.each<[string, readonly Invariant[] | undefined, boolean, readonly string[]]>([
  ['those that the scenario names or defines, and its record', undefined, true, ['job/counts-never-shrink!', 'own!', 'recorded-writes']],
  ['in a search those, without its record', undefined, false, ['job/counts-never-shrink', 'own']],
  ['those given that the scenario selects', given, true, ['job/counts-never-shrink!']],
  ['in a search those given that the scenario selects', given, false, ['job/counts-never-shrink']],
])('%s', (_, invariants, named, expected) => {
  const printed = (more?: string): readonly string[] =>
    chosenOf(scenarioWith(more), invariants, {}, named).map((each) => `${each.invariant.name}${each.named ? '!' : ''}`);
  expect(printed(RECORDED)).toEqual(expected);
  expect(printed()).toEqual(expected.filter((name) => name !== 'recorded-writes'));
});
