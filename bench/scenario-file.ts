/** A scenario in a temporary file, for benchmarks of the command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScenarioFile {
  readonly path: string;
  remove(): void;
}

/** One Job that runs to completion. */
export function scenarioFile({ pods, parallelism }: { readonly pods: number; readonly parallelism: number }): ScenarioFile {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-bench-'));
  const path = join(folder, 'job.yaml');
  writeFileSync(
    path,
    `apiVersion: scenario.orch.io/v1
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
`,
  );
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
