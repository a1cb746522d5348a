/** Questions to a cluster from a dump: what goes, comes and waits. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cli } from '../cli.ts';
import { clusterDump } from './dump.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'what-if-'));
  writeFileSync(join(folder, 'dump.json'), clusterDump({ nodes: 3, workloads: 2, replicas: 6 }));
});

const ask = (...words: readonly string[]) => cli(['what-if', 'dump.json', ...words], { cwd: folder });
interface Answered {
  readonly code: number;
  readonly refused: object;
  readonly restMs: number;
  readonly workloads: readonly object[];
  readonly nodes: readonly { readonly node: string }[];
}

const answerTo = async (...words: readonly string[]): Promise<Answered> => {
  const { code, out } = await ask(...words, '--json');
  return { ...(JSON.parse(out) as Answered), code };
};

test('a drain moves the pods, as fast as budgets allow', async () => {
  const answer = await answerTo('drain', 'node-1');
  expect(answer.code).toBe(0);
  expect(answer).toMatchObject({ comesThrough: true, gone: 4, made: 4, evictions: 4, atRest: true });
  // A budget allows one at a time: the second of each workload is refused at first.
  expect(Object.keys(answer.refused)).toEqual(['PodDisruptionBudget shop/web-0', 'PodDisruptionBudget shop/web-1']);
  expect(answer.workloads[0]).toMatchObject({ before: { wanted: 6, available: 6 }, least: 5, after: { available: 6 } });
  expect(answer.nodes.find(({ node }) => node === 'node-1')).toMatchObject({
    before: { pods: 4 },
    after: { pods: 0 },
  });
  expect(answer.restMs).toBeLessThan(60_000);
});

test('a lost zone is missed after the grace period, and comes back', async () => {
  const answer = await answerTo('lose', 'zone', 'a', 'for', '20m');
  expect(answer).toMatchObject({ code: 0, gone: 4, evictions: 0 });
  expect(answer.workloads[0]).toMatchObject({ least: 4, after: { available: 6 } });
});

test('what does not fit waits, and says why', async () => {
  const { code, out } = await ask('scale', 'deploy/web-0', '400');
  expect(code).toBe(1);
  expect(out).toMatch(/pods wait at the end/);
  expect(out).toMatch(/0\/3 nodes are available: 3 .+ \(and \d+ alike\)/);
});

test('a drain that a budget refuses fails, and is not called at rest; the page has both futures', async () => {
  const dump = JSON.parse(readFileSync(join(folder, 'dump.json'), 'utf8')) as {
    items: { kind: string; spec: { minAvailable?: number } }[];
  };
  for (const { kind, spec } of dump.items) if (kind === 'PodDisruptionBudget') spec.minAvailable = 6;
  writeFileSync(join(folder, 'blocked.json'), JSON.stringify(dump));
  const { code, out } = await cli(['what-if', 'blocked.json', 'drain', 'node-1', '--page', 'both.html'], { cwd: folder });
  expect(code).toBe(1);
  expect(out).toContain('✗ it does not come through; it fails after 20m\n');
  expect(out).not.toContain('at rest');
  const page = readFileSync(join(folder, 'both.html'), 'utf8');
  expect(page).toMatch(/"beside":\{"said":"without it","packed":"/);
});

test('a saved question is a scenario that runs from where it stands', async () => {
  const { code } = await ask('delete', 'ns/shop', '--save', 'question.yaml');
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'question.yaml'), 'utf8')).toMatch(/from: dump.json\n(?:.*\n)*.*delete: Namespace\/shop/);
  const again = await cli(['run', 'question.yaml'], { cwd: folder });
  expect(again.code).toBe(0);
});

test('JUnit has a case for each workload that changed', async () => {
  const { out } = await ask('scale', 'deploy/web-1', '400', '--format', 'junit');
  expect(out).toMatch(/<testcase name="Deployment shop\/web-1"[^]*<failure type="what-if" message="\d+ of 400 available at the end"/);
});

test('questions that cannot be asked say what can', async () => {
  expect(await ask('drian', 'node-1')).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "drain"?') });
  expect(await ask('drain', 'node-11')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no node "node-11"; did you mean "node-1"?'),
  });
  expect(await ask('drain', 'omega')).toMatchObject({ code: 2, err: expect.stringContaining('there is no node "omega"; there are node-') });
  expect(await cli(['what-if', 'nowhere.yaml', 'drain', 'node-1'], { cwd: folder })).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^nowhere\.yaml:1:1: expected a file or folder that can be read, found none/),
  });
  expect(await ask('lose', 'zone', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('there are a, b, c') });
  expect(await ask('scale', 'deploy/wbe-0', '3')).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "web-0"?') });
});

test('apply takes what helm writes: documents without an object, kinds that nobody has, namespaces last; also from the input', async () => {
  const rendered = `---
# Source: a/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: late }
---
# Source: a/templates/none.yaml
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: web }
---
apiVersion: v1
kind: Pod
metadata: { name: try, namespace: late, annotations: { helm.sh/hook: test } }
spec: { containers: [{ name: c, image: try }] }
---
apiVersion: v1
kind: Namespace
metadata: { name: late }
...
`;
  const { code, out, err } = await cli(['what-if', 'dump.json', 'apply', '-'], { cwd: folder, stdin: () => rendered });
  expect(err).toContain('left out, because the server lacks the kinds: 1 ServiceMonitor');
  expect(out).toMatch(/ {2}0 pods gone, 0 made.*\n {2}also made: 2 ConfigMap, 1 Namespace, 1 ServiceAccount\n/);
  expect(code).toBe(0);
});
