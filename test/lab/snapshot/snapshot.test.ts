/** What a dump keeps, what is made for it, and what is wrong with it. */
import { expect, test } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { beginWith } from './setup.ts';

const TIME = '2024-05-02T10:00:00Z';
const uidOf = (n: number): string => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

interface Parts {
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly [part: string]: unknown;
}

let last = 0;
const meta = (name: string, { namespace, ...more }: Parts = {}): object => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
  uid: uidOf(++last),
  resourceVersion: String(1000 + last),
  creationTimestamp: TIME,
  ...more,
});

const pod = (name: string, nodeName: string, more: Parts = {}, status: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta(name, { namespace: 'shop', ...more }),
  spec: { nodeName, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '5' } } }] },
  status: {
    phase: 'Running',
    hostIP: '172.18.0.7',
    podIP: '10.244.3.9',
    startTime: TIME,
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: TIME }],
    containerStatuses: [
      {
        name: 'c',
        image: 'i',
        imageID: 'real',
        containerID: 'containerd://1',
        ready: true,
        restartCount: 4,
        state: { running: { startedAt: TIME } },
        lastState: {},
      },
    ],
    ...status,
  },
});

const list = (...items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1);

const run = (text: string, spec: object = {}) => {
  const read = beginWith(text, { spec });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return simulate(read.scenario, { trace: true, mayBeIdle: true });
};

const problemsOf = (text: string, spec: object = {}, file = 'dump.json'): readonly string[] => {
  const read = beginWith(text, { spec, file });
  return 'problems' in read ? read.problems : [];
};

test('identities stay, pods run where they ran, and nothing is written', () => {
  const { cluster, firstWrites, scenario } = run(
    list(pod('a', 'n1', { generation: 7, managedFields: [{ manager: 'kubectl', operation: 'Update', time: TIME }] })),
  );
  const kept = cluster.store.get('Pod', 'shop/a');
  expect(kept?.metadata).toMatchObject({ uid: uidOf(last), resourceVersion: String(1000 + last), generation: 7, creationTimestamp: TIME });
  expect(kept?.status.containerStatuses?.[0]).toMatchObject({ imageID: 'real', restartCount: 4, containerID: 'containerd://1' });
  expect(cluster.world.contents('n1', () => undefined)).toEqual([{ pod: uidOf(last), stage: 'running', ip: '10.244.3.9', restarts: 4 }]);
  expect(cluster.startAt).toBe(Date.parse(TIME));
  expect(scenario.domain).toBe('k8s.io');
  expect(firstWrites).toEqual([]);
});

test('the report of an adopted pod goes on from where it was', () => {
  const { cluster } = run(list(pod('a', 'n1')), { steps: [{ at: '10s', delete: 'Pod/shop/a' }], until: '20s' });
  expect(cluster.store.get('Pod', 'shop/a')).toBeUndefined();
  expect(cluster.world.contents('n1', () => undefined)).toEqual([]);
});

test('what is missing is made, and said once', () => {
  const { cluster, scenario } = run(list(pod('a', 'n1'), pod('b', 'n1')));
  expect(scenario.lintWarnings?.filter((line) => line.includes('no nodes'))).toHaveLength(1);
  // Two pods that request five cores each.
  expect(cluster.store.get('Node', 'n1')?.status).toMatchObject({
    capacity: { cpu: '10' },
    addresses: [{ address: '172.18.0.7' }, { address: 'n1' }],
  });
  expect(cluster.store.get('Lease', 'kube-node-lease/n1')?.spec?.holderIdentity).toBe('n1');
  expect(cluster.store.get('ServiceAccount', 'shop/default')).toBeDefined();
});

test('foreign kinds are served, named, and collected with their owners', () => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('owner', { namespace: 'shop' }), data: {} };
  const of = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uidOf(last) }];
  const foreign = {
    apiVersion: 'example.com/v2',
    kind: 'Policy',
    metadata: meta('p', { namespace: 'shop', ownerReferences: of }),
    spec: { deep: [{ any: 1 }] },
  };
  const { cluster, scenario } = run(list(owner, foreign), { steps: [{ at: '10s', delete: 'ConfigMap/shop/owner' }] });
  expect(scenario.lintWarnings?.join('\n')).toContain('1 Policy (example.com/v2)');
  expect(cluster.kinds.byPlural('example.com', 'policies')?.kind).toBe('Policy');
  expect(cluster.store.get('Policy', 'shop/p')).toBeUndefined();
  expect(cluster.store.snapshotAt('Policy', 1000 + last)?.get('shop/p')).toMatchObject({ spec: { deep: [{ any: 1 }] } });
});

test('Secrets are emptied unless they are asked for', () => {
  const secret = list({ apiVersion: 'v1', kind: 'Secret', metadata: meta('s', { namespace: 'shop' }), data: { key: 'aGVsbG8=' } });
  const dataOf = (from: unknown): unknown => run(secret, { from }).cluster.store.get('Secret', 'shop/s')?.data;
  expect(dataOf('dump.json')).toEqual({ key: '' });
  expect(dataOf({ paths: 'dump.json', secrets: true })).toEqual({ key: 'aGVsbG8=' });
});

test('a restart loop goes on as it went', () => {
  const ended = (at: string): object => ({ terminated: { exitCode: 3, startedAt: at, finishedAt: '2024-05-02T09:59:50Z' } });
  const looping = pod(
    'a',
    'n1',
    {},
    {
      containerStatuses: [
        {
          name: 'c',
          image: 'i',
          imageID: 'x',
          ready: false,
          restartCount: 2,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting' } },
          lastState: ended('2024-05-02T09:59:45Z'),
        },
      ],
    },
  );
  const { cluster } = run(list(looping), { until: '20s' });
  // It restarts at +10 s, runs for five seconds, and exits with 3 again.
  expect(cluster.store.get('Pod', 'shop/a')?.status.containerStatuses?.[0]).toMatchObject({
    restartCount: 3,
    lastState: { terminated: { exitCode: 3, startedAt: '2024-05-02T10:00:10Z', finishedAt: '2024-05-02T10:00:15Z' } },
  });
});

const NODE = { apiVersion: 'v1', kind: 'Node', metadata: meta('node-1'), status: {} };

test('contradictions are told all at once, with their lines', () => {
  const gone = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: uidOf(999), controller: true }];
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: meta('there', { namespace: 'shop' }),
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template: {} },
  };
  const first = pod('a', 'node-1');
  const text = list(
    NODE,
    set,
    first,
    pod('b', 'node-2'),
    pod('c', 'node-1', { ownerReferences: gone }),
    pod('d', 'node-1', { uid: (first as { metadata: { uid: string } }).metadata.uid }),
    pod('a', 'node-1'),
    { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: meta('h', { namespace: 'shop' }) },
    { ...pod('e', 'node-1'), spec: { containers: 'none' } },
    { kind: 'Pod', metadata: { name: 'x' } },
  );
  const problems = problemsOf(text);
  for (const part of [
    'spec.nodeName: expected one of the 1 nodes of the dump, found "node-2"',
    'metadata.ownerReferences: expected an owner that the dump has, found ReplicaSet gone',
    'expected a uid that no other object has, found that of Pod shop/a at dump.json:',
    'are these two clusters?',
    'expected autoscaling/v2 (kubectl get horizontalpodautoscalers.v2.autoscaling -o yaml), found autoscaling/v1',
    'Pod shop/e: expected values of its kind',
    'apiVersion: expected an apiVersion such as apps/v1, found nothing',
  ])
    expect(problems.join('\n')).toContain(part);
  expect(problems).toHaveLength(7);
  const lineOf = (name: string): number => text.slice(0, text.indexOf(`"name": "${name}"`)).split('\n').length - 4;
  expect(problems.find((line) => line.includes('node-2'))).toContain(`dump.json:${lineOf('b')}:`);
  // What is left out is said, and the rest runs.
  const { cluster, scenario } = run(text, { from: { paths: 'dump.json', lenient: true } });
  expect(cluster.store.get('Pod', 'shop/a')).toBeDefined();
  expect(cluster.store.get('Pod', 'shop/c')?.metadata.ownerReferences).toBeUndefined();
  expect(scenario.lintWarnings?.filter((line) => line.startsWith('left out: '))).toHaveLength(7);
});

test('a cut dump says where it ends', () => {
  const text = list(NODE, pod('a', 'node-1'));
  expect(problemsOf(text.slice(0, -40))).toEqual([expect.stringContaining('is the dump cut?')]);
  expect(problemsOf('apiVersion: v1\nkind: Node\nmetadata:\n  name: "no', {}, 'dump.yaml')).toEqual([
    expect.stringMatching(/^dump.yaml:4: /),
  ]);
  expect(problemsOf('{"apiVersion":"v1","kind":"List","items":[]}')).toEqual([
    expect.stringContaining('expected the objects of a cluster, found none'),
  ]);
});

test('keys of any name stay keys', () => {
  const map = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"shop","uid":"${uidOf(5000)}","labels":{"__proto__":"x"}},"data":{"constructor":"y"}}`;
  expect(run(map).cluster.store.get('ConfigMap', 'shop/m')).toMatchObject({ data: { constructor: 'y' } });
});
