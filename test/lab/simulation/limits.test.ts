/** A run without an end that makes no progress is stopped, and the report names the cause. */
import { expect, it } from 'vitest';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { withMutant } from '../../support/mutants.ts';

const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: circles }
spec:
  cluster: { nodes: { count: 0 } }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: idle }, spec: { parallelism: 0, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;

it('a controller that wakes endlessly and writes nothing is reported', () => {
  // With a limit of its own the run is not stopped earlier.
  const scenario = scenarioIn(STORY.replace('spec:', 'spec:\n  limits: { time: 1d }'));
  const real = job as unknown as Controller;
  const stillActive: Controller = { ...real, reconcile: ({ now }) => ({ why: 'it looks again', writes: [], wakeAt: now + 1 }) };
  const { verdict, failures } = simulate(scenario, { controllers: withMutant(stillActive) });
  expect(verdict).toBe('unsettled');
  expect(failures.map(({ message }) => message).join('\n')).toMatch(
    /no progress: 1000000 events without a write; next: job (waking for|reconciling) default\/idle/,
  );
});
