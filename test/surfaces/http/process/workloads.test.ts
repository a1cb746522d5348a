/** Common use of workloads: `orchsim serve` as a process, and the real kubectl. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl } from '../../../conformance/kubectl/stories.ts';
import { notBuilt, startServing, type Process } from './serving.ts';

const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: workloads }
spec:
  domain: k8s.io
  cluster:
    nodes: { count: 2 }
    usage:
      - { selector: { matchLabels: { app: web } }, cpu: 250m, memory: 100Mi }
      - { container: side, cpu: 50m, memory: 28Mi }
      - { system: true, cpu: 100m, memory: 1Gi }
  steps:
    - apply:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web }
        spec:
          replicas: 2
          selector: { matchLabels: { app: web } }
          template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }, { name: side, image: "s:1" }] } }
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: waits }, spec: { nodeSelector: { none: here }, containers: [{ name: c, image: "c:1" }] } }
`;

describe.skipIf(notBuilt !== undefined || !hasKubectl())('kubectl with workloads', { timeout: 60_000 }, () => {
  let serving: Process;
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-workloads-'));
  beforeAll(async () => {
    const file = join(folder, 'scenario.yaml');
    writeFileSync(file, SCENARIO);
    serving = await startServing(file, '--kubeconfig', join(folder, 'config'));
    await advance('20s');
  }, 60_000);
  afterAll(async () => {
    await serving.stop();
    rmSync(folder, { recursive: true });
  });
  const advance = async (by: string): Promise<void> => {
    expect((await serving.ask('POST', '/sim/v1/advance', { by })).status).toBe(200);
  };
  /** The output, including errors. */
  const kubectl = (line: string): Promise<string> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: join(folder, 'config') };
      execFile('kubectl', line.split(' '), { encoding: 'utf8', env }, (_, out, err) => {
        resolve(out + err);
      });
    });
  /** Replaces random suffixes of pod names, and normalises spaces between columns. */
  const cells = (text: string): string[] =>
    text
      .trim()
      .split('\n')
      .map((line) =>
        line
          .trim()
          .replace(/-[a-z0-9]{8,10}-[a-z0-9]{5}/g, '-…')
          .replace(/ +/g, ' '),
      );

  it('top shows the usage of pods and nodes, without pods that do not run', async () => {
    expect(cells(await kubectl('top pods'))).toEqual(['NAME CPU(cores) MEMORY(bytes)', 'web-… 300m 128Mi', 'web-… 300m 128Mi']);
    expect(cells(await kubectl('top pods -A -l app=web --sum'))).toEqual([
      'NAMESPACE NAME CPU(cores) MEMORY(bytes)',
      'default web-… 300m 128Mi',
      'default web-… 300m 128Mi',
      '________ ________',
      '600m 256Mi',
    ]);
    expect(cells(await kubectl('top pods -l app=other'))).toEqual(['No resources found in default namespace.']);
    const pod = cells(await kubectl('get pods -l app=web -o jsonpath={.items[0].metadata.name}'));
    const name = (await kubectl('get pods -l app=web -o jsonpath={.items[0].metadata.name}')).trim();
    expect(cells(await kubectl(`top pod ${name} --containers`))).toEqual([
      'POD NAME CPU(cores) MEMORY(bytes)',
      `${pod[0]} c 250m 100Mi`,
      `${pod[0]} side 50m 28Mi`,
    ]);
    expect(await kubectl('top pod waits')).toBe('Error from server (NotFound): podmetrics.metrics.k8s.io "default/waits" not found\n');
    const nodes = cells(await kubectl('top nodes'));
    expect(nodes[0]).toBe('NAME CPU(cores) CPU(%) MEMORY(bytes) MEMORY(%)');
    expect(nodes.slice(1).sort()).toEqual(['node-0 400m 10% 1152Mi 14%', 'node-1 400m 10% 1152Mi 14%']);
    expect(cells(await kubectl('top node node-1'))).toHaveLength(2);
    expect(await kubectl('get --raw /apis/metrics.k8s.io/v1beta1')).toContain('"kind":"PodMetrics"');
    expect(await kubectl('delete nodes.metrics.k8s.io node-0')).toContain('MethodNotAllowed');
  });

  it('an autoscaler created by kubectl uses the same metrics', async () => {
    expect(await kubectl('set resources deployment/web --requests=cpu=200m')).toBe('deployment.apps/web resource requirements updated\n');
    await advance('20s');
    expect(await kubectl('autoscale deployment web --min=2 --max=5 --cpu-percent=50')).toBe(
      'horizontalpodautoscaler.autoscaling/web autoscaled\n',
    );
    await advance('17s');
    // 300m of 400m are 75 %, so two pods are scaled to three.
    expect(cells(await kubectl('get hpa web'))[1]).toMatch(/^web Deployment\/web (cpu: )?75%\/50% 2 5 2 17s$/);
    expect(await kubectl('describe hpa web')).toContain(
      'New size: 3; reason: cpu resource utilization (percentage of request) above target',
    );
    expect(await kubectl('rollout status deployment/web')).toContain('successfully rolled out');
    expect(cells(await kubectl('top pods'))).toHaveLength(4);
  });

  it('a deletion deletes dependents, or orphans them', async () => {
    await kubectl('delete hpa web --wait=false');
    await kubectl('delete deployment web --wait=false --cascade=orphan');
    await advance('5s');
    expect(await kubectl('get pods -l app=web -o name')).toMatch(/^(pod\/web-\S+\n){3}$/);
    await kubectl('delete rs -l app=web --wait=false --cascade=foreground');
    await advance('40s');
    expect(await kubectl('get rs,pods -l app=web -o name')).toBe('');
  });
});
