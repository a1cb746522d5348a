/** Traces of real runs for all tests that read one. */
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import type { Trace } from '../../../src/lab/trace/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

/** A Job of three pods that is deleted in the end, while the controller manager crashes. */
export const STORY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  cluster: { podBehaviors: [{ runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { completions: 3, parallelism: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - { at: 1s, note: "Half way.", fault: { crash: controller-manager, restartAfter: 5s } }
    - when: settled
      delete: { target: Job/pi, propagationPolicy: Background }
`;

export function storyRun(): Run & { readonly trace: Trace } {
  const scenario = scenarioIn(STORY);
  const run = simulate(scenario, { trace: true });
  if (run.trace === undefined) throw new Error('no trace');
  return { ...run, trace: run.trace };
}
