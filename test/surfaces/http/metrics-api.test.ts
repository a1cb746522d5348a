/** The metrics APIs: their responses, their permissions, and when they are served. */
import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../../src/controlplane/cluster.ts';
import { clusterBackend, createApi, rbacAccess } from '../../../src/surfaces/http/index.ts';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const CUSTOM = '/apis/custom.metrics.k8s.io';
const EXTERNAL = '/apis/external.metrics.k8s.io/v1beta1';
const ALWAYS = (is: number) => ({ shape: 'constant', is }) as const;

interface Named {
  readonly name: string;
}
interface Container {
  readonly usage: object;
}
/** The fields of responses; each has some of them. */
interface Reported {
  readonly message?: string;
  readonly groups: readonly Named[];
  readonly resources: readonly Named[];
  readonly preferredVersion: { readonly version: string };
  readonly items: readonly { readonly metadata: Named; readonly containers: readonly Container[] }[];
  readonly containers: readonly Container[];
  readonly usage: object;
  readonly columnDefinitions: readonly Named[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}
interface World {
  readonly cluster: Cluster;
  readonly ask: (path: string, method?: string, headers?: Readonly<Record<string, string>>) => Promise<{ status: number; json: Reported }>;
}
function world(options: ClusterOptions = {}, pods: Readonly<Record<string, object>> = {}): World {
  const cluster = createCluster({
    domain: 'k8s.io',
    nodes: [
      { name: 'a', capacity: { cpu: '4', memory: '8Gi', pods: '10' } },
      { name: 'b', capacity: { cpu: '4', memory: '8Gi', pods: '10' } },
    ],
    ...options,
  });
  for (const [name, more] of Object.entries(pods)) {
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app: name }, ...more },
      spec: {
        nodeName: 'a',
        containers: [
          { name: 'c', image: 'c:1' },
          { name: 'side', image: 's:1' },
        ],
      },
    };
    expect(cluster.request('me', { verb: 'create', kind: 'Pod', namespace: 'default', body }).ok).toBe(true);
  }
  cluster.runUntil(cluster.now + 10_000);
  const api = createApi({ backend: clusterBackend(cluster) });
  return {
    cluster,
    async ask(target, method = 'GET', headers = {}) {
      const reply = await api({ method, target, headers, body: new Uint8Array() });
      if ('open' in reply) throw new Error('a stream');
      const text = String(reply.body);
      return { status: reply.status, json: (text.startsWith('{') ? JSON.parse(text) : {}) as Reported };
    },
  };
}
const namesOf = (list: Reported): readonly string[] => list.items.map(({ metadata }) => metadata.name);
const groupsIn = async ({ ask }: World): Promise<readonly string[]> =>
  (await ask('/apis')).json.groups.map(({ name }) => name).filter((name) => name.endsWith('metrics.k8s.io'));

describe('usage', () => {
  it('is served only after a pod or a scenario declares usage', async () => {
    const it = world({}, { plain: {} });
    expect(await groupsIn(it)).toEqual([]);
    expect((await it.ask(`${METRICS}/pods`)).status).toBe(404);
    const body = { metadata: { annotations: { 'sim.orch.io/cpu': '30m' } } };
    const tell = (patch: object) =>
      it.cluster.request('me', { verb: 'patch', kind: 'Pod', namespace: 'default', name: 'plain', patchType: 'merge', body: patch });
    tell(body);
    expect(await groupsIn(it)).toEqual(['metrics.k8s.io']);
    expect((await it.ask(METRICS)).json.resources.map(({ name }) => name)).toEqual(['nodes', 'pods']);
    expect((await it.ask(`${METRICS}/pods`)).json.items[0]?.containers).toEqual([
      { name: 'c', usage: { cpu: '30m' } },
      { name: 'side', usage: { cpu: '0' } },
    ]);
    tell({ metadata: { annotations: { 'sim.orch.io/cpu': null } } });
    expect(await groupsIn(it)).toEqual([]);
  });

  const usage = [
    { selector: { matchLabels: { app: 'one' } }, cpu: ALWAYS(250), memory: ALWAYS(100 * 2 ** 20) },
    { container: 'side', cpu: ALWAYS(50) },
    { system: true, cpu: ALWAYS(100) },
    { shared: true, cpu: ALWAYS(60) },
  ];

  it('of pods is that of their containers, of nodes that of their pods and their system', async () => {
    const it = world({ agents: { usage } }, { one: {}, two: { annotations: { 'sim.orch.io/memory': '7Mi' } } });
    const { json } = await it.ask(`${METRICS}/namespaces/default/pods/one`);
    expect(json).toMatchObject({
      kind: 'PodMetrics',
      apiVersion: 'metrics.k8s.io/v1beta1',
      metadata: { name: 'one', namespace: 'default', labels: { app: 'one' } },
      window: '15s',
      containers: [
        { name: 'c', usage: { cpu: '280m', memory: '100Mi' } },
        { name: 'side', usage: { cpu: '50m', memory: '0' } },
      ],
    });
    expect((await it.ask(`${METRICS}/namespaces/default/pods/two`)).json.containers[0]?.usage).toEqual({ cpu: '30m', memory: '7Mi' });
    expect((await it.ask(`${METRICS}/nodes/a`)).json).toMatchObject({ kind: 'NodeMetrics', usage: { cpu: '510m', memory: '107Mi' } });
    expect((await it.ask(`${METRICS}/nodes/b`)).json.usage).toEqual({ cpu: '100m', memory: '0' });
    const table = (await it.ask(`${METRICS}/pods`, 'GET', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })).json;
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'cpu', 'memory', 'Window']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['one', '330m', '100Mi', '15s'],
      ['two', '80m', '7Mi', '15s'],
    ]);
  });

  it('is selected by labels, names and namespaces, and bad selectors are refused', async () => {
    const it = world({ agents: { usage } }, { one: {}, two: {} });
    expect(namesOf((await it.ask(`${METRICS}/pods?labelSelector=app%3Dtwo`)).json)).toEqual(['two']);
    expect(namesOf((await it.ask(`${METRICS}/namespaces/other/pods`)).json)).toEqual([]);
    expect(namesOf((await it.ask(`${METRICS}/pods?fieldSelector=metadata.namespace%3Ddefault`)).json)).toEqual(['one', 'two']);
    expect(namesOf((await it.ask(`${METRICS}/pods?fieldSelector=metadata.namespace%3Dother`)).json)).toEqual([]);
    expect(namesOf((await it.ask(`${METRICS}/pods?fieldSelector=spec.nodeName%3D`)).json)).toEqual(['one', 'two']);
    expect(namesOf((await it.ask(`${METRICS}/pods?fieldSelector=metadata.name!%3Dtwo`)).json)).toEqual(['one']);
    expect(namesOf((await it.ask(`${METRICS}/nodes`)).json)).toEqual(['a', 'b']);
    const many = encodeURIComponent(Array.from({ length: 501 }, (_, at) => `k${at}!=v`).join(','));
    for (const query of [`labelSelector=${many}`, `fieldSelector=${`${many}%2C`.repeat(2)}k=v`])
      expect((await it.ask(`${METRICS}/pods?${query}`)).json.message).toContain('at most 1000 terms');
    for (const query of ['labelSelector=%3D', 'fieldSelector=%3D%3D%3D'])
      expect([query, (await it.ask(`${METRICS}/pods?${query}`)).status]).toEqual([query, 400]);
  });

  it('exists for running pods and responsive nodes; the others are not found', async () => {
    const it = world({ agents: { usage, podBehaviors: [{ selector: { matchLabels: { app: 'brief' } }, runForMs: 1000 }] } }, { one: {} });
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'waits' },
      spec: { containers: [{ name: 'c', image: 'c:1' }], nodeSelector: { x: 'y' } },
    };
    it.cluster.request('me', { verb: 'create', kind: 'Pod', namespace: 'default', body });
    it.cluster.runtime.crash('agent/b');
    it.cluster.runUntil(it.cluster.now + 60_000);
    expect(namesOf((await it.ask(`${METRICS}/pods`)).json)).toEqual(['one']);
    expect(namesOf((await it.ask(`${METRICS}/nodes`)).json)).toEqual(['a']);
    expect((await it.ask(`${METRICS}/namespaces/default/pods/waits`)).json.message).toBe(
      'podmetrics.metrics.k8s.io "default/waits" not found',
    );
    expect((await it.ask(`${METRICS}/namespaces/default/pods/none`)).json.message).toBe('pods "none" not found');
    expect((await it.ask(`${METRICS}/nodes/b`)).json.message).toBe('nodemetrics.metrics.k8s.io "b" not found');
    for (const path of [
      'pods/one',
      'pods/one/log',
      'nodes/a/log',
      'namespaces/default/nodes',
      'namespaces/default/nodes/a',
      'things',
      'namespaces/default/pods/one/log',
      '__proto__',
    ])
      expect([path, (await it.ask(`${METRICS}/${path}`)).status]).toEqual([path, 404]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([method, (await it.ask(`${METRICS}/namespaces/default/pods/one`, method)).status]).toEqual([method, 405]);
    expect((await it.ask(`${METRICS}/pods?watch=true`)).status).toBe(405);
    expect((await it.ask(`${METRICS}/pods`, 'GET', { accept: 'text/plain' })).status).toBe(406);
  });

  it('requires permission', async () => {
    const { cluster } = world({ agents: { usage } }, { one: {} });
    const rule = { apiGroups: ['metrics.k8s.io'], resources: ['pods'], verbs: ['get', 'list'] };
    const create = (kind: string, name: string, rest: object) =>
      cluster.request('me', {
        verb: 'create',
        kind,
        namespace: 'default',
        body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, ...rest },
      });
    create('Role', 'reader', { rules: [rule] });
    create('RoleBinding', 'reader', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
    });
    const backend = clusterBackend(cluster);
    const tokens = { get: (token: string) => (token === 't' ? { name: 'eve', groups: [] } : undefined) };
    const api = createApi({ backend, ...rbacAccess(backend, { tokens, anonymous: false }) });
    const status = async (path: string): Promise<number> =>
      (await api({ method: 'GET', target: METRICS + path, headers: { authorization: 'Bearer t' }, body: new Uint8Array() })).status;
    expect(await status('/namespaces/default/pods')).toBe(200);
    expect(await status('/pods')).toBe(403);
    expect(await status('/nodes')).toBe(403);
  });
});

describe('other metrics', () => {
  const metrics = [
    { name: 'requests', pods: { matchLabels: { app: 'one' } }, value: ALWAYS(1500) },
    { name: 'hits', object: { kind: 'Service', name: 'web' }, namespace: 'default', value: ALWAYS(40_000) },
    { name: 'load', object: { kind: 'Node', name: 'b' }, value: ALWAYS(4000) },
    { name: 'load', object: { kind: 'Node', name: 'a' }, value: ALWAYS(3000) },
    { name: 'lag', object: { kind: 'Deployment', name: 'web' }, namespace: 'default', value: ALWAYS(1000) },
    { name: 'quota', object: { kind: 'Namespace', name: 'default' }, value: ALWAYS(2000) },
    // A scenario may name a kind that is not served.
    { name: 'spins', object: { kind: 'Gizmo', name: 'g' }, namespace: 'default', value: ALWAYS(5) },
    { name: 'queue', external: true, labels: { of: 'jobs' }, value: { shape: 'ramp', from: 0, to: 30_000, overMs: 30_000 } as const },
    { name: 'queue', external: true, labels: { of: 'mail' }, value: ALWAYS(5000) },
  ];

  it('are listed by version, and answered in its form', async () => {
    const it = world({ metrics }, { one: {}, two: {} });
    expect(await groupsIn(it)).toEqual(['custom.metrics.k8s.io', 'external.metrics.k8s.io']);
    expect((await it.ask(CUSTOM)).json.preferredVersion.version).toBe('v1beta2');
    expect((await it.ask(`${CUSTOM}/v1beta2`)).json.resources.map(({ name }) => name)).toEqual([
      'Gizmo/spins',
      'deployments.apps/lag',
      'namespaces/quota',
      'nodes/load',
      'pods/requests',
      'services/hits',
    ]);
    const path = 'namespaces/default/pods/*/requests?labelSelector=app';
    const timestamp = '2024-01-01T00:00:10Z';
    const requests = {
      describedObject: { kind: 'Pod', namespace: 'default', name: 'one', apiVersion: 'v1' },
      timestamp,
      value: '1500m',
    };
    expect((await it.ask(`${CUSTOM}/v1beta2/${path}`)).json).toEqual({
      kind: 'MetricValueList',
      apiVersion: 'custom.metrics.k8s.io/v1beta2',
      metadata: {},
      items: [{ ...requests, metric: { name: 'requests', selector: null } }],
    });
    expect((await it.ask(`${CUSTOM}/v1beta1/${path}`)).json).toEqual({
      kind: 'MetricValueList',
      apiVersion: 'custom.metrics.k8s.io/v1beta1',
      metadata: {},
      items: [{ ...requests, metricName: 'requests', selector: null }],
    });
    const valueOf = async (at: string) => (await it.ask(`${CUSTOM}/v1beta1/${at}`)).json.items;
    const item = (describedObject: object, metricName: string, value: string) => ({
      describedObject,
      metricName,
      timestamp,
      value,
      selector: null,
    });
    expect(await valueOf('namespaces/default/services/web/hits')).toEqual([
      item({ kind: 'Service', namespace: 'default', name: 'web', apiVersion: 'v1' }, 'hits', '40'),
    ]);
    expect(await valueOf('namespaces/default/deployments.apps/web/lag')).toEqual([
      item({ kind: 'Deployment', namespace: 'default', name: 'web', apiVersion: 'apps/v1' }, 'lag', '1'),
    ]);
    expect(await valueOf('namespaces/default/pods/one/requests')).toEqual([{ ...requests, metricName: 'requests', selector: null }]);
    expect(await valueOf('nodes/*/load')).toEqual([
      item({ kind: 'Node', name: 'a', apiVersion: 'v1' }, 'load', '3'),
      item({ kind: 'Node', name: 'b', apiVersion: 'v1' }, 'load', '4'),
    ]);
    expect(await valueOf('namespaces/default/metrics/quota')).toEqual([
      item({ kind: 'Namespace', name: 'default', apiVersion: 'v1' }, 'quota', '2'),
    ]);
    expect(await valueOf('namespaces/default/Gizmo/g/spins')).toEqual([
      item({ kind: 'Gizmo', namespace: 'default', name: 'g', apiVersion: 'v1' }, 'spins', '5m'),
    ]);
    expect((await it.ask(EXTERNAL)).json.resources).toEqual([
      { name: 'queue', singularName: '', namespaced: true, kind: 'ExternalMetricValueList', verbs: ['get'] },
    ]);
    expect((await it.ask(`${EXTERNAL}/namespaces/x/queue`)).json.items).toMatchObject([
      { metricName: 'queue', metricLabels: { of: 'jobs' }, value: '10' },
      { metricLabels: { of: 'mail' }, value: '5' },
    ]);
    expect((await it.ask(`${EXTERNAL}/namespaces/x/queue?labelSelector=of%3Dmail`)).json.items).toHaveLength(1);
  });

  it('that do not exist are not found, or an empty list', async () => {
    const it = world({ metrics }, { two: {} });
    const at = `${CUSTOM}/v1beta1/namespaces/default`;
    expect((await it.ask(`${at}/pods/*/requests`)).json.items).toEqual([]);
    expect((await it.ask(`${at}/pods/two/requests`)).json.message).toBe('the server could not find the metric requests for pods two');
    expect((await it.ask(`${at}/pods/*/nope`)).json.message).toBe('the server could not find the metric nope for pods');
    expect((await it.ask(`${at}/services/other/hits`)).json.message).toBe('the server could not find the metric hits for services other');
    expect((await it.ask(`${CUSTOM}/v1beta1/namespaces/x/services/web/hits`)).status).toBe(404);
    expect((await it.ask(`${at}/__proto__/constructor/toString`)).status).toBe(404);
    expect((await it.ask(`${EXTERNAL}/namespaces/x/nope`)).json.items).toEqual([]);
    for (const path of ['queue', 'namespaces/x/queue/of', 'namespaces/x'])
      expect([path, (await it.ask(`${EXTERNAL}/${path}`)).status]).toEqual([path, 404]);
    for (const path of ['pods/two', 'metrics', 'pods/two/requests/more', 'metrics/requests/more'])
      expect([path, (await it.ask(`${at}/${path}`)).status]).toEqual([path, 404]);
    expect((await it.ask(`${at}/pods/*/requests?watch=true`)).status).toBe(405);
    expect((await it.ask(`${EXTERNAL}/namespaces/x/queue`, 'DELETE')).status).toBe(405);
  });
});
