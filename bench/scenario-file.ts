/** A scenario of one Job, and the same in a temporary file, for benchmarks of the command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScenarioFile {
  readonly path: string;
  remove(): void;
}

interface OneJob {
  readonly pods: number;
  readonly parallelism: number;
}

/** One Job that runs to completion. */
export const scenarioText = ({ pods, parallelism }: OneJob): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: bench }
spec:
  cluster:
    podBehaviors: [{ runFor: 1s }]
  steps:
    - apply:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: work }
        spec:
          completions: ${pods}
          parallelism: ${parallelism}
          template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "work:1" }] } }
    - waitFor: { match: { kind: Job, metadata: { name: work }, status: { succeeded: ${pods} } }, within: 10h }
`;

/** The same in a file. */
export function scenarioFile(job: OneJob): ScenarioFile {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-bench-'));
  const path = join(folder, 'job.yaml');
  writeFileSync(path, scenarioText(job));
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
