/** What failing runs have in common is often the order of two events: a fault right after a certain write. */
import { expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { collectFeatures, distinguish, type Features } from '../../../src/lab/trace/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

/** The features of a run that writes two objects, with a fault between them. */
function featuresOf(fault: string, names: readonly [string, string]): Features {
  const [first, second] = names.map((name) => `apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`);
  const scenario = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: between }
spec:
  steps: [{ at: 1s, ${first} }, { at: 2s, fault: ${fault} }, { at: 3s, ${second} }]
`);
  const collector = collectFeatures(scenario.startAt);
  simulate(scenario, { onEntry: (entry) => collector.observe(entry) });
  return collector.features;
}

it.each([
  ['a lag', '{ lag: controller-manager, by: 5s }', ['fault lag controller-manager sees changes 5000 ms late (by: 5s)']],
  [
    'a crash',
    '{ crash: controller-manager, restartAfter: 5s }',
    ['controller-manager crashed', 'fault crash controller-manager crashed (restartAfter: 5s)'],
  ],
])('%s right after another write discriminates between runs that have the same events', (_what, fault, breaks) => {
  const found = distinguish([featuresOf(fault, ['a', 'b'])], [featuresOf(fault, ['b', 'a'])], 10_000, Infinity);
  const one = { here: 1, elsewhere: 0 };
  expect(found).toEqual([
    ...breaks.map((text) => ({ ...one, text: `${text}, right after user a create ConfigMap`, sinceStartMs: 2000 })),
    ...breaks.map((text) => ({ ...one, text: `it lacks: ${text}, right after user b create ConfigMap` })),
  ]);
});
