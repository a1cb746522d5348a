/** Predicates leave no change out that matters: random scenarios under faults run alike when every change goes to every controller. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  jobScenarios,
  ownershipScenarios,
  serviceScenarios,
  statefulSetScenarios,
  volumeScenarios,
} from '../../../src/lab/explore/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';

const SEED = 27;

it.each([
  ['Jobs', jobScenarios()],
  ['Services', serviceScenarios()],
  ['StatefulSets', statefulSetScenarios()],
  ['volumes', volumeScenarios()],
  ['owners', ownershipScenarios()],
])('%s', { timeout: 60_000 }, (_, scenarios) => {
  for (const scenario of fc.sample(scenarios, { seed: SEED, numRuns: 3 }))
    expect(simulate(scenario, { broadcast: true }).digest, `seed ${SEED}, ${scenario.name}`).toBe(simulate(scenario).digest);
});
