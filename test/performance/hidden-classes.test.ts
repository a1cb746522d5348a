/**
 * The load of a scenario makes no hidden classes of V8: objects of one form have one class, however many there are. What makes a class for
 * each object (a member that is added behind a spread, a frozen copy, a key of its own) costs a call of the runtime for each of its reads;
 * see `decisions/2026-11-23-one-hidden-class-for-repeated-literals.md`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/shipped.ts';

const scenario = (nodes: number, steps: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: classes }
spec:
  featureGates: { JobTrackingWithFinalizers: true }
  cluster:
    nodes: { count: ${nodes}, capacity: { cpu: "1000", memory: 1000Gi, pods: "10000" } }
    podBehaviors: [{ selector: { matchLabels: { app: web } } }, { runFor: 1s }]
  steps:
${steps}
`;
const job = (pods: number): string =>
  scenario(
    2,
    `    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: work }, spec: { completions: ${pods}, parallelism: 20, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "work:1" }] } } } }
    - waitFor: { match: { kind: Job, metadata: { name: work }, status: { succeeded: ${pods} } }, within: 10h }`,
  );
const pods = '{ metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "work:1" }] } }';
const set = (replicas: number): string =>
  scenario(
    2,
    `    - apply:
        - { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web }, ports: [{ port: 80 }] } }
        - { apiVersion: apps/v1, kind: StatefulSet, metadata: { name: web }, spec: { replicas: ${replicas}, podManagementPolicy: Parallel, serviceName: web, selector: { matchLabels: { app: web } }, template: ${pods} } }
    - waitFor: { match: { kind: StatefulSet, metadata: { name: web }, status: { readyReplicas: ${replicas} } }, within: 10h }`,
  );
const deployment = (replicas: number): string =>
  scenario(
    2,
    `    - apply: { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, template: ${pods} } }
    - waitFor: { match: { kind: Deployment, metadata: { name: web }, status: { readyReplicas: ${replicas} } }, within: 10h }`,
  );
const idle = (nodes: number): string => scenario(nodes, '    - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: one } }');

/** The hidden classes that the command makes for a scenario. */
function classesOf(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-classes-'));
  try {
    const [path, log] = [join(folder, 'load.yaml'), join(folder, 'v8.log')];
    writeFileSync(path, text);
    execFileSync(
      process.execPath,
      ['--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate', join(root, 'bin/orchsim.js'), 'run', path],
      { encoding: 'utf8' },
    );
    const count = readFileSync(log, 'latin1').split('\nmap,').length - 1;
    expect(count).toBeGreaterThan(1_000);
    return count;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each([
  ['a pod of a Job', job, 0.1],
  ['a replica behind a service', set, 0.1],
  ['a pod of a Deployment', deployment, 0.1],
  ['a node', idle, 2],
])('%s', (_, load, most) => {
  expect((classesOf(load(240)) - classesOf(load(80))) / 160).toBeLessThan(most);
});
