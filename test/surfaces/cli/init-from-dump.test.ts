/** `init --from`: behaviours that a dump shows, and a scenario that uses them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse } from 'yaml';
import { cli } from './cli.ts';
import { clusterDump } from './what-if/dump.ts';

type Item = Record<string, unknown> & { kind: string; metadata: { name: string; namespace?: string; uid: string } };

const at = (time: string) => `2024-05-02T${time}Z`;
const uid = (number: number) => `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`;
const controlledBy = (kind: string, name: string, number: number) => [
  { apiVersion: kind === 'ReplicaSet' ? 'apps/v1' : 'batch/v1', kind, name, uid: uid(number), controller: true, blockOwnerDeletion: true },
];
const template = (labels: object) => ({
  metadata: { labels },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] },
});
const pod = (name: string, number: number, owner: object, status: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', uid: uid(number), creationTimestamp: at('09:00:00'), ownerReferences: owner, labels: { app: name } },
  spec: { nodeName: 'node-0', restartPolicy: 'Always', containers: [{ name: 'c', image: 'c:1' }] },
  status: { startTime: at('09:00:00'), ...status },
});

/** A dump with slow starts, a restart loop, a CronJob, a Job that runs, and an autoscaler that measured. */
function lived(): string {
  const dump = JSON.parse(clusterDump({ nodes: 3, workloads: 2, replicas: 3 })) as { items: Item[] };
  for (const { kind, metadata, status } of dump.items as (Item & { status: Record<string, Record<string, unknown>[]> })[]) {
    if (kind !== 'Pod' || !metadata.name.startsWith('web-1-')) continue;
    for (const each of status['containerStatuses'] ?? []) each['state'] = { running: { startedAt: at('09:00:04') } };
    for (const each of status['conditions'] ?? []) if (each['type'] === 'Ready') each['lastTransitionTime'] = at('09:00:16');
  }
  const ended = { exitCode: 3, reason: 'Error', startedAt: at('09:50:00'), finishedAt: at('09:50:20') };
  const looping = { name: 'c', image: 'c:1', imageID: 'x', ready: false, restartCount: 4, lastState: { terminated: ended } };
  const labels = { app: 'loop' };
  dump.items.push(
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'loop', namespace: 'shop', uid: uid(1) },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
      },
      status: { replicas: 1, observedGeneration: 1 },
    },
    pod('loop', 2, controlledBy('ReplicaSet', 'loop', 1), {
      phase: 'Running',
      containerStatuses: [
        { ...looping, state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 1m20s restarting failed container' } } },
      ],
    }),
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly', namespace: 'shop', uid: uid(3) },
      spec: { schedule: '*/15 * * * *', jobTemplate: { spec: { template: template({}) } } },
      status: { lastScheduleTime: at('09:45:00'), lastSuccessfulTime: at('09:46:10') },
    },
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'import', namespace: 'shop', uid: uid(4) },
      spec: {
        selector: { matchLabels: { 'controller-uid': uid(4) } },
        template: template({ 'controller-uid': uid(4), 'job-name': 'import' }),
      },
      status: { active: 1, startTime: at('09:00:00') },
    },
    pod('import-x', 5, controlledBy('Job', 'import', 4), { phase: 'Running' }),
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop', uid: uid(6) },
      spec: {
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web-0' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
      status: {
        currentReplicas: 3,
        desiredReplicas: 3,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '70m', averageUtilization: 70 } } }],
      },
    },
  );
  return JSON.stringify(dump, null, 1);
}

let cwd = '';
let said = { code: -1, out: '', err: '' };
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'init-from-'));
  writeFileSync(join(cwd, 'dump.json'), lived());
  said = await cli(['init', 'mine', '--from', 'dump.json'], { cwd });
});

const behaviors = () => readFileSync(join(cwd, 'mine/behaviors.yaml'), 'utf8');

test('behaviours are what the dump shows, each with its reason', () => {
  expect(said.code).toBe(0);
  const { podBehaviors, usage } = parse(behaviors()) as Record<string, unknown[]>;
  expect(podBehaviors).toEqual([
    { namespace: 'shop', owner: 'Job/nightly-*', runFor: '1m10s', exitCodes: [0] },
    { namespace: 'shop', owner: 'Job/import', runFor: expect.stringMatching(/^1h59m/), exitCodes: [0] },
    { namespace: 'shop', selector: { matchLabels: { app: 'web-1' } }, startDelay: '4s', readyDelay: '12s' },
    { namespace: 'shop', selector: { matchLabels: { app: 'loop' } }, runFor: '20s', exitCodes: [3] },
  ]);
  expect(usage).toContainEqual({ namespace: 'shop', selector: { matchLabels: { app: 'web-0' } }, shared: true, cpu: '210m' });
  expect(usage).toContainEqual({ namespace: 'shop', selector: { matchLabels: { app: 'web-1' } }, cpu: '100m', memory: '128Mi' });
  expect(behaviors()).toContain('  # ReplicaSet shop/loop: all 1 are in a restart loop, and new ones run as long\n');
});

test('the scenario runs as it is, and its runs take as long as behaviours say', async () => {
  const { code, out } = await cli(['run', 'mine'], { cwd });
  expect(out).toMatch(/^✓ from-a-cluster/);
  expect(code).toBe(0);
  const { out: job } = await cli(['why', 'CronJob/shop/nightly', 'mine/from-a-cluster.yaml'], { cwd });
  expect(job).toContain('2024-05-02T09:46:10Z → 2024-05-02T10:01:11Z');
});

test('a question uses them, and its saved scenario states them once', async () => {
  const answer = await cli(
    ['what-if', 'dump.json', 'scale', 'deploy/web-1', '5', '--behaviors', 'mine/behaviors.yaml', '--json', '--save', 'saved/q.yaml'],
    { cwd },
  );
  expect(JSON.parse(answer.out)).toMatchObject({
    made: 2,
    workloads: expect.arrayContaining([expect.objectContaining({ after: { wanted: 5, available: 5 } })]),
  });
  expect(readFileSync(join(cwd, 'saved/q.yaml'), 'utf8')).toMatch(
    /from: \{ paths: \[ \.\.\/dump\.json \], behaviors: \.\.\/mine\/behaviors\.yaml \}\n {2}steps:/,
  );
});

test('every line in a comment can be taken in', async () => {
  // All that the dump shows would change it: a pod that is not ready yet.
  const items = (
    JSON.parse(clusterDump({ nodes: 2, workloads: 1, replicas: 3 })) as {
      items: (Item & { status: Record<string, Record<string, unknown>[]> })[];
    }
  ).items;
  const pods = items.filter(({ kind }) => kind === 'Pod');
  for (const [nth, { status }] of pods.entries())
    for (const each of status['conditions'] ?? [])
      if (each['type'] === 'Ready') Object.assign(each, nth === 0 ? { status: 'False' } : { lastTransitionTime: at('09:00:16') });
  for (const { status } of pods)
    for (const each of status['containerStatuses'] ?? []) each['state'] = { running: { startedAt: at('09:00:04') } };
  for (const each of pods[0]?.status['containerStatuses'] ?? []) each['ready'] = false;
  writeFileSync(join(cwd, 'unready.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  expect(await cli(['init', 'off', '--from', 'unready.json'], { cwd })).toMatchObject({ code: 0 });
  const file = join(cwd, 'off/behaviors.yaml');
  expect(readFileSync(file, 'utf8')).toMatch(/^podBehaviors:$/m);
  expect((await cli(['run', 'off/from-a-cluster.yaml'], { cwd })).out).toMatch(/^✓ from-a-cluster/);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ {2}# - /gm, '  - '));
  const scenario = join(cwd, 'off/from-a-cluster.yaml');
  writeFileSync(scenario, readFileSync(scenario, 'utf8').replaceAll(/^ {2}# (steps:| )/gm, '  $1'));
  expect(readFileSync(scenario, 'utf8')).toContain('status: { availableReplicas: 3 }');
  const { code, out } = await cli(['run', 'off/from-a-cluster.yaml'], { cwd });
  expect(out).toMatch(/^✓ from-a-cluster/);
  expect(code).toBe(0);
});

test('what it cannot do is said, and no file is touched', async () => {
  expect(await cli(['init', 'mine', '--from', 'dump.json'], { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('mine/behaviors.yaml: it exists already'),
  });
  expect(await cli(['init', 'other', '--from', '-'], { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('it must be a file'),
  });
  expect(await cli(['init', 'other', '--lenient'], { cwd })).toMatchObject({ code: 2, err: '--lenient: it needs --from PATH\n' });
  expect(existsSync(join(cwd, 'other'))).toBe(false);
  writeFileSync(join(cwd, 'bad.yaml'), 'podBehaviors:\n  - { owner: job, runfor: 3s }\n');
  const { code, err } = await cli(['run', '--from', 'dump.json', '--behaviors', 'bad.yaml'], { cwd });
  expect(code).toBe(2);
  expect(err).toContain('bad.yaml:2:14: podBehaviors[0].owner: expected a kind and a name, such as Job/nightly-*, found "job"');
  expect(err).toMatch(/bad\.yaml:2:19: .*runfor.*runFor/);
});

test('of a dump that shows nothing, both files are whole and run', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', uid: uid(1) }, data: {} };
  writeFileSync(join(cwd, 'my empty.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [map] }));
  const { code, out } = await cli(['init', 'no thing', '--from', 'my empty.json'], { cwd });
  expect([code, out.slice(out.indexOf('\nnow: '))]).toEqual([
    0,
    `
now: npx orchsim run 'no thing/from-a-cluster.yaml'
     npx orchsim what-if 'my empty.json' drain NODE --behaviors 'no thing/behaviors.yaml'
     npx orchsim help from-a-cluster
`,
  ]);
  const text = readFileSync(join(cwd, 'no thing/behaviors.yaml'), 'utf8');
  expect(text).toMatch(/^# How the cluster of \.\.\/my empty\.json goes on in a simulation\. /);
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual(['podBehaviors: []', 'usage: []']);
  expect(text).toContain('\n# No run of a Job, slow start or restart is in the dump.\npodBehaviors: []\n');
  expect(text).toContain('\n# No pod in the dump requests anything.\nusage: []\n');
  expect(readFileSync(join(cwd, 'no thing/from-a-cluster.yaml'), 'utf8').split('\n')).toEqual([
    '# Written by orchsim init --from: the dump, with behaviors.yaml for how its pods go on.',
    'apiVersion: scenario.orch.io/v1',
    'kind: Scenario',
    'metadata: { name: from-a-cluster }',
    'spec:',
    '  title: The cluster of a dump, for ten minutes',
    '  until: 10m',
    '  from: { paths: [ ../my empty.json ], behaviors: behaviors.yaml }',
    '  # What happens: faults and requests at their times, with what is expected of them. Some to begin with:',
    '  # steps:',
    '  #   - at: 1m',
    '  #     drain: { target: Node/node-1, ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, timeout: 5m }',
    '  #   - at: 6m',
    '  #     fault: { nodeDown: node-1 }',
    '  #   - at: 10m',
    '  #     expect: { match: { kind: Deployment, metadata: { name: web, namespace: default }, status: { availableReplicas: 1 } } }',
    '',
  ]);
  expect((await cli(['run', 'no thing/from-a-cluster.yaml'], { cwd })).code).toBe(0);
});

test('of many workloads the first hundred are written', async () => {
  writeFileSync(join(cwd, 'many.json'), clusterDump({ nodes: 9, workloads: 102, replicas: 1 }));
  expect((await cli(['init', 'many', '--from', 'many.json'], { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, 'many/behaviors.yaml'), 'utf8');
  expect((parse(text) as { usage: readonly object[] }).usage).toHaveLength(100);
  expect(text.endsWith('\n  # 2 more entries of smaller workloads are left out.\n')).toBe(true);
});
