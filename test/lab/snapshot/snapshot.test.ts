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

test('a kind that is defined in a dump has a qualified name where its own is taken', () => {
  const spec = {
    group: 'serving.example.dev',
    scope: 'Namespaced',
    names: { kind: 'Service', plural: 'services' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: meta('services.serving.example.dev'),
    spec,
    status: { conditions: [{ type: 'Established', status: 'True' }], acceptedNames: spec.names, storedVersions: ['v1'] },
  };
  const service = { apiVersion: 'serving.example.dev/v1', kind: 'Service', metadata: meta('s', { namespace: 'shop' }), spec: { a: 1 } };
  const { cluster, scenario } = run(list(definition, service), {
    steps: [{ at: '1s', patch: { target: 'Service.serving.example.dev/shop/s', type: 'merge', patch: { spec: { a: 2 } } } }],
  });
  expect(scenario.lintWarnings?.join('\n')).not.toContain('left out');
  expect(cluster.store.get('Service.serving.example.dev', 'shop/s')).toMatchObject({ spec: { a: 2 } });
  expect(cluster.store.get('Service', 'shop/s')).toBeUndefined();
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
    { apiVersion: 'autoscaling/v2beta1', kind: 'HorizontalPodAutoscaler', metadata: meta('h', { namespace: 'shop' }) },
    { ...pod('e', 'node-1'), spec: { containers: 'none' } },
    { kind: 'Pod', metadata: { name: 'x' } },
  );
  const problems = problemsOf(text);
  for (const part of [
    'spec.nodeName: expected one of the 1 nodes of the dump, found "node-2"',
    'metadata.ownerReferences: expected an owner that the dump has, found ReplicaSet gone',
    'expected a uid that no other object has, found that of Pod shop/a at dump.json:',
    'are these two clusters?',
    'expected autoscaling/v2 (kubectl get horizontalpodautoscalers.v2.autoscaling -o yaml), found autoscaling/v2beta1',
    'Pod shop/e: expected values of its kind',
    'apiVersion: expected an apiVersion such as apps/v1, found nothing',
  ])
    expect(problems.join('\n')).toContain(part);
  expect(problems).toHaveLength(7);
  const lineOf = (name: string): number => text.slice(0, text.indexOf(`"name": "${name}"`)).split('\n').length - 4;
  expect(problems.find((line) => line.includes('node-2'))).toContain(`dump.json:${lineOf('b')}:`);
  // What is left out is said, and the rest runs: the older version is read by the fields that both have.
  const { cluster, scenario } = run(text, { from: { paths: 'dump.json', lenient: true } });
  expect(cluster.store.get('Pod', 'shop/a')).toBeDefined();
  expect(cluster.store.get('Pod', 'shop/c')?.metadata.ownerReferences).toBeUndefined();
  expect(scenario.lintWarnings?.filter((line) => line.startsWith('left out: '))).toHaveLength(6);
});

test('a cut dump says where it ends', () => {
  const text = list(NODE, pod('a', 'node-1'));
  expect(problemsOf(text.slice(0, -40))).toEqual([expect.stringContaining('is the dump cut?')]);
  expect(problemsOf('apiVersion: v1\nkind: Node\nmetadata:\n  name: "no', {}, 'dump.yaml')).toEqual([
    expect.stringMatching(/^dump.yaml:4: /),
  ]);
  // kubectl writes the kind of a list last: what is cut at a line is still YAML.
  expect(problemsOf('apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: no\n', {}, 'dump.yaml')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^dump.yaml:1: kind: .*is the dump cut\?/)]),
  );
  // Cut within a line, what stands before the last object is read: its problems are said too.
  const item = (name: string): string => `- apiVersion: v1\n  kind: Node\n  metadata:\n    name: ${name}\n    uid: ${uidOf(7000)}\n`;
  const cut = `apiVersion: v1\nitems:\n${item('a')}${item('b')}- apiVersion: v1\n  kin`;
  expect(problemsOf(cut, {}, 'dump.yaml')).toEqual([
    expect.stringMatching(/^dump.yaml:8: metadata.uid: expected a uid that no other object has/),
    expect.stringMatching(/^dump.yaml:14: .*the end of the object that begins at line 13, found the end of the file \(is the dump cut\?\)/),
  ]);
  expect(problemsOf('{"apiVersion":"v1","kind":"List","items":[]}')).toEqual([
    expect.stringContaining('expected the objects of a cluster, found none'),
  ]);
});

test('keys of any name stay keys', () => {
  const map = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"shop","uid":"${uidOf(5000)}","labels":{"__proto__":"x"}},"data":{"constructor":"y"}}`;
  expect(run(map).cluster.store.get('ConfigMap', 'shop/m')).toMatchObject({ data: { constructor: 'y' } });
});

test('older versions are read in the present one, and what has no conversion is refused with the command to try', () => {
  const cron = {
    apiVersion: 'batch/v1beta1',
    kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'default', uid: 'c-1' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c' }] } } } },
    },
  };
  const budget = {
    apiVersion: 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'none', namespace: 'default', uid: 'b-1' },
    spec: { minAvailable: 1, selector: {} },
  };
  const scaler = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'h-1',
      annotations: {
        'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":60}}]',
      },
    },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      targetCPUUtilizationPercentage: 80,
    },
    status: { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 40 },
  };
  const read = beginWith(list(cron, budget, scaler));
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const { objects, notes } = read.scenario.from?.snapshot ?? { objects: [], notes: [] };
  const of = (kind: string) => objects.find((each) => each.kind === kind);
  expect(of('CronJob')).toMatchObject({ apiVersion: 'batch/v1', spec: { schedule: '0 3 * * *' } });
  expect(of('PodDisruptionBudget')).toMatchObject({ apiVersion: 'policy/v1', spec: { minAvailable: 1 } });
  expect((of('PodDisruptionBudget') as { spec?: { selector?: unknown } } | undefined)?.spec?.selector).toBeUndefined();
  expect(of('HorizontalPodAutoscaler')).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: {
      metrics: [
        { resource: { name: 'cpu', target: { averageUtilization: 80 } } },
        { resource: { name: 'memory', target: { averageUtilization: 60 } } },
      ],
    },
  });
  expect(notes).toContain(
    'read in the version that the server stores: 1 CronJob of batch/v1beta1, 1 PodDisruptionBudget of policy/v1beta1, 1 HorizontalPodAutoscaler of autoscaling/v1',
  );
  const old = {
    apiVersion: 'apps/v1beta1',
    kind: 'Deployment',
    metadata: { name: 'old', namespace: 'default', uid: 'd-1' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c' }] } },
    },
  };
  expect(beginWith(list(old))).toEqual({
    problems: [expect.stringContaining('expected apps/v1 (kubectl get deployments.v1.apps -o yaml), found apps/v1beta1')],
  });
  expect(beginWith(list(old), { spec: { from: { paths: 'dump.json', lenient: true } } })).toMatchObject({ scenario: {} });
});

test('definitions in a dump define: their objects are served with their schemas', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'certificates.cert.example', uid: 'crd-1' },
    spec: {
      group: 'cert.example',
      scope: 'Namespaced',
      names: { kind: 'Certificate', plural: 'certificates', singular: 'certificate', listKind: 'CertificateList', shortNames: ['crt'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { host: { type: 'string' }, days: { type: 'integer', maximum: 90 } } } },
            },
          },
        },
      ],
    },
    status: {
      acceptedNames: { kind: 'Certificate', plural: 'certificates' },
      storedVersions: ['v1'],
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: '2024-05-02T09:00:00Z',
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: '2024-05-02T09:00:00Z',
        },
      ],
    },
  };
  const certificate = {
    apiVersion: 'cert.example/v1',
    kind: 'Certificate',
    metadata: { name: 'web', namespace: 'default', uid: 'c-1' },
    spec: { host: 'a.example', days: 30 },
  };
  const { cluster, scenario } = run(list(definition, certificate), {
    steps: [
      { at: '5s', expectError: { patch: { target: 'Certificate/web', type: 'merge', patch: { spec: { days: 900 } } }, code: 422 } },
      { at: '10s', patch: { target: 'Certificate/web', type: 'merge', patch: { spec: { days: 60 } } } },
    ],
  });
  expect(scenario.from?.snapshot.foreign).toEqual([]);
  expect(cluster.store.get('Certificate', 'default/web')).toMatchObject({ metadata: { uid: 'c-1' }, spec: { days: 60 } });
});
