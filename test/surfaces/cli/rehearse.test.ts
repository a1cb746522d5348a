/** Rehearsals of releases: install, roll, drain, roll back, with hooks in their order and invariants of their own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, folderWith } from './cli.ts';

const hook = (name: string, weight: number, image = 'm:1') => `
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: shop
  annotations: { "helm.sh/hook": "pre-install,pre-upgrade,pre-rollback", "helm.sh/hook-weight": "${weight}", "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded" }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: m, image: "${image}" }] } } }
`;
const deployment = (image: string, more = '') => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  ${more}
  template:
    metadata: { labels: { app: web } }
    spec: { nodeSelector: { disk: fast }, containers: [{ name: web, image: "${image}", resources: { requests: { cpu: 500m } } }] }
`;
const budget = (least: number) => `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec: { minAvailable: ${least}, selector: { matchLabels: { app: web } } }
`;
const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: shop }
spec: { accessModes: [ReadWriteOnce], storageClassName: fast, resources: { requests: { storage: 1Gi } } }
`;
const config = (name: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: shop }
data: { a: "1" }
`;
const monitor = `
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: web, namespace: shop }
---
apiVersion: serving.example.dev/v1
kind: Service
metadata: { name: web, namespace: shop }
`;
const rendered = (...objects: readonly string[]): string =>
  ['# Source: shop/templates/empty.yaml\n', ...objects.map((each, at) => `# Source: shop/templates/${at}.yaml${each}`)].join('---\n');

interface Phase {
  readonly name: string;
  readonly effects?: { readonly evictions: number; readonly refused: object; readonly made: number };
  readonly failures: readonly { readonly message: string; readonly invariant?: string; readonly detail: readonly string[] }[];
}
interface Rehearsed {
  readonly comesThrough: boolean;
  readonly phases: readonly Phase[];
  readonly differences?: readonly string[];
  readonly available: readonly object[];
  readonly nodes: number;
}

async function rehearsed(old: string, next: string, ...words: readonly string[]) {
  const cwd = folderWith({ 'old.yaml': old, 'new.yaml': next });
  const { code, out, err } = await cli(['rehearse', 'old.yaml', 'new.yaml', '--json', ...words], { cwd });
  return { code, err, cwd, ...(JSON.parse(out) as Rehearsed) };
}
const failuresOf = ({ phases }: Rehearsed) =>
  phases.flatMap(({ name, failures }) => failures.map((each) => `${name}: ${each.invariant ?? each.message}`));

test('a release comes through: hooks by weight, a crash in each roll, drains within the budget, and back to the same', async () => {
  const checked = hook('checked', 0).replace('pre-install,pre-upgrade,pre-rollback', 'test');
  const found = await rehearsed(
    rendered(hook('second', 5), hook('first', -1), deployment('web:1'), budget(2), claim, monitor),
    rendered(hook('second', 5), hook('first', -1), deployment('web:2'), budget(2), claim, config('extra'), monitor, checked),
    '--crash',
    'controller-manager',
    '--save',
    'r.yaml',
  );
  expect(failuresOf(found)).toEqual([]);
  expect(found).toMatchObject({ code: 0, comesThrough: true, differences: [], nodes: 3 });
  expect(found.err).toContain('left out, because the server lacks the kinds: 1 ServiceMonitor');
  expect(found.err).toContain('left out: 1 hook of tests and deletions (Job checked: test)');
  expect(found.phases.map(({ name }) => name)).toEqual(['install', 'roll', 'drain node-0', 'drain node-1', 'drain node-2', 'roll back']);
  expect(found.available).toContainEqual({ workload: 'Deployment shop/web', wanted: 3, roll: 3, drains: 2, back: 3 });
  const saved = readFileSync(join(found.cwd, 'r.yaml'), 'utf8');
  expect(saved.indexOf('Hook pre-install: Job/shop/first')).toBeLessThan(saved.indexOf('Hook pre-install: Job/shop/second'));
  expect(saved).toMatch(/disk: fast/);
  expect(await cli(['run', 'r.yaml'], { cwd: found.cwd })).toMatchObject({ code: 0, out: expect.stringMatching(/^✓ rehearsal/) });
});

test('a budget that allows nothing blocks the drain, and the phases after it are not reached', async () => {
  const found = await rehearsed(rendered(deployment('web:1'), budget(3)), rendered(deployment('web:2'), budget(3)));
  expect(found).toMatchObject({ code: 1, comesThrough: false });
  const drained = found.phases.find(({ failures }) => failures.length > 0);
  expect(drained?.name).toMatch(/^drain/);
  expect(drained?.failures[0]?.message).toMatch(/not .*after 10m|10m/);
  expect(Object.keys(drained?.effects?.refused ?? {})).toEqual(['PodDisruptionBudget shop/web']);
  expect(found.phases.at(-1)?.effects).toBeUndefined();
  expect(found.differences).toBeUndefined();
});

test('a roll below what the budget says, a lost claim and a field that stays are found', async () => {
  const recreate = 'strategy: { type: Recreate }';
  const below = await rehearsed(
    rendered(deployment('web:1', recreate), budget(2), claim),
    rendered(deployment('web:2', recreate), budget(2)),
    '--drain',
    'none',
  );
  expect(failuresOf(below)).toEqual(expect.arrayContaining(['roll: budgets-kept', 'roll: claims-kept']));
  expect(JSON.stringify(below.phases)).toMatch(/"said":"PodDisruptionBudget shop\/web: [01] pods? (?:is|are) healthy, and it asks for 2"/);
  expect(below.phases.map(({ name }) => name)).toEqual(['install', 'roll', 'roll back']);
  const kept = claim.replace('namespace: shop', 'namespace: shop, annotations: { "helm.sh/resource-policy": keep }');
  expect(failuresOf(await rehearsed(rendered(kept), rendered(config('extra')), '--drain', 'none'))).toEqual([]);
});

test('a roll that cannot end says what it waits for; JUnit has a case for each phase and invariant', async () => {
  const cwd = folderWith({
    'old.yaml': rendered(deployment('web:1')),
    'new/web.yaml': deployment('web:2').replace('disk: fast', 'topology.kubernetes.io/zone: z'),
    'gpu.yaml': deployment('web:2').replace('requests: { cpu: 500m }', 'limits: { example.com/gpu: "2" }'),
  });
  const { code, out } = await cli(['rehearse', 'old.yaml', 'new', '--drain', 'node-1', '--format', 'junit'], { cwd });
  expect(code).toBe(1);
  expect(out).toMatch(/<testcase name="roll" [^]*?<failure type="expectation"[^]*?not for Deployment shop\/web[^]*?<\/testcase>/);
  expect(out).toMatch(/<testcase name="drain node-1" [^>]*>\s*<skipped message="not reached"/);
  for (const name of ['install', 'roll back', 'budgets-kept', 'available/Deployment/shop/web', 'rollback comes to the same'])
    expect(out).toContain(`<testcase name="${name}"`);
  // Nodes have what pods ask for.
  expect(await cli(['rehearse', 'old.yaml', 'gpu.yaml', '--drain', 'none'], { cwd })).toMatchObject({ code: 0 });
});

test('what is wrong with the manifests is told all at once', async () => {
  const cwd = folderWith({
    'old.yaml': rendered(deployment('web:1').replace('replicas', 'replica')),
    'new.yaml': rendered(config('x').replace('ConfigMap', 'ConfigMab'), budget(1).replace('policy/v1', 'policy/v1beta1')),
    'empty.yaml': '# Source: nothing\n',
  });
  const { code, err } = await cli(['rehearse', 'old.yaml', 'new.yaml'], { cwd });
  expect(code).toBe(2);
  expect(err).toMatch(/^old\.yaml:\d+:3: spec\.replica: .*did you mean "replicas"\?/m);
  expect(err).toMatch(/^new\.yaml:\d+:\d+: kind: .*did you mean "ConfigMap"\?/m);
  expect(err).toMatch(/^new\.yaml:\d+:\d+: apiVersion: expected policy\/v1/m);
  expect(await cli(['rehearse', 'empty.yaml', 'empty.yaml'], { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('empty.yaml: expected a file or folder of manifests'),
  });
  expect(await cli(['rehearse', 'nowhere', 'old.yaml'], { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('nowhere: expected'),
  });
  const good = folderWith({ 'a.yaml': deployment('web:1') });
  const wrong = await cli(['rehearse', 'a.yaml', 'a.yaml', '--drain', 'node-9', '--crash', 'schedular'], { cwd: good });
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--drain: there is no "node-9"') });
});

const DEFINED = (scope: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: dials.example.com }
spec:
  group: example.com
  scope: ${scope}
  names: { kind: Dial, plural: dials }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, x-kubernetes-preserve-unknown-fields: true } } } }
`;
const DIAL = '\napiVersion: example.com/v1\nkind: Dial\nmetadata: { name: x }\nspec: { a: 1 }\n';

test.each([
  ['Cluster', 'Dial/x', '{ name: x }'],
  ['Namespaced', 'Dial/default/x', '{ name: x, namespace: default }'],
])('an object of a kind that the manifests define is of its scope: %s', async (scope, target, metadata) => {
  const words = ['--drain', 'none', '--nodes', '5', '--seed', '9', '--save', 'r.yaml'];
  const found = await rehearsed(rendered(DEFINED(scope), DIAL), rendered(DEFINED(scope)), ...words);
  expect(found).toMatchObject({ code: 0, comesThrough: true, nodes: 5, seed: 9 });
  expect(found.err).toBe('r.yaml: the rehearsal as a scenario; orchsim run r.yaml --page rehearsal.html shows it\n');
  const saved = readFileSync(join(found.cwd, 'r.yaml'), 'utf8');
  expect(saved).toMatch(/^# Written by orchsim rehearse: old\.yaml → new\.yaml\n/);
  expect(saved).toContain(`- { delete: { target: ${target}, ignoreNotFound: true } }`);
  expect(saved).toContain(`- { match: { kind: Dial, metadata: ${metadata} } }`);
});

test('one of the two may come from the input, and names are those of the cluster', async () => {
  const cwd = folderWith({ 'new.yaml': config('x') });
  const run = (...words: readonly string[]) => cli(['rehearse', ...words], { cwd, stdin: () => config('x') });
  const both = await run('-', 'new.yaml', '--drain', 'none');
  expect([both.code, both.out.split('\n')[0], both.err]).toEqual([0, 'rehearse - → new.yaml, on 3 nodes', '']);
  expect((await run('new.yaml', '-', '--drain', 'none')).code).toBe(0);
  expect(await run('-', '-')).toEqual({ code: 2, out: '', err: '-: standard input is read once: name a file\n' });
  expect((await run('new.yaml', 'new.yaml', '--nodes', '9', '--drain', 'node-x,node-8,y')).err).toBe(
    `--drain: there is no "node-x"; did you mean "node-0"?; there are ${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `node-${at}`).join(', ')}, …
--drain: there is no "y"; there are ${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `node-${at}`).join(', ')}, …
`,
  );
  expect((await run('new.yaml', 'new.yaml', '--crash', 'schedular')).err).toBe(
    '--crash: there is no "schedular"; did you mean "scheduler"?; there are controller-manager, scheduler, agent/node-0, agent/node-1, agent/node-2\n',
  );
});
