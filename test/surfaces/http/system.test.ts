/** What a server says of itself: its health, version, index, metrics, and the priorities of its groups. */
import { describe, expect, it } from 'vitest';
import type { APIService } from '../../../src/apiserver/kinds/index.ts';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { clusterBackend, createApi, registerLocal } from '../../../src/surfaces/http/index.ts';
import { setup } from './setup.ts';

const { ask, store, backend } = setup();

/** The checks of v1.24 in their order, as `/healthz?verbose` of a fresh cluster lists them. */
const CHECKS = `ping
log
etcd
poststarthook/start-kube-apiserver-admission-initializer
poststarthook/generic-apiserver-start-informers
poststarthook/priority-and-fairness-config-consumer
poststarthook/priority-and-fairness-filter
poststarthook/start-apiextensions-informers
poststarthook/start-apiextensions-controllers
poststarthook/crd-informer-synced
poststarthook/bootstrap-controller
poststarthook/scheduling/bootstrap-system-priority-classes
poststarthook/priority-and-fairness-config-producer
poststarthook/start-cluster-authentication-info-controller
poststarthook/start-kube-aggregator-informers
poststarthook/apiservice-registration-controller
poststarthook/apiservice-status-available-controller
poststarthook/apiservice-wait-for-first-sync
poststarthook/kube-apiserver-autoregistration
autoregister-completion
poststarthook/apiservice-openapi-controller
poststarthook/apiservice-openapiv3-controller`.split('\n');
const READY = [...CHECKS.slice(0, 3), 'informer-sync', ...CHECKS.slice(3), 'shutdown'];

describe('health', () => {
  it.each([
    ['healthz', CHECKS],
    ['livez', CHECKS],
    ['readyz', READY],
  ])('%s has its checks, one by one and together', async (root, checks) => {
    expect(await ask('GET', `/${root}`)).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8', text: 'ok' });
    expect((await ask('GET', `/${root}/`)).text).toBe('ok');
    for (const check of checks) expect(await ask('GET', `/${root}/${check}`), check).toMatchObject({ status: 200, text: 'ok' });
    for (const other of ['nope', 'poststarthook', 'ping/more', ...READY.filter((each) => !checks.includes(each))])
      expect(await ask('GET', `/${root}/${other}`), other).toMatchObject({ status: 404, text: '404 page not found\n' });
    const verbose = (excluded: readonly string[]) =>
      [...checks.map((check) => `[+]${check} ${excluded.includes(check) ? 'excluded: ' : ''}ok`), `${root} check passed`, ''].join('\n');
    expect((await ask('GET', `/${root}?verbose`)).text).toBe(verbose([]));
    expect((await ask('GET', `/${root}?verbose=1&exclude=etcd&exclude=log&exclude=nope`)).text).toBe(verbose(['etcd', 'log']));
    expect((await ask('GET', `/${root}?exclude=etcd`)).text).toBe('ok');
  });
});

describe('the version', () => {
  it('is that of the model', async () => {
    const { status, type, text, json } = await ask('GET', '/version');
    expect([status, type]).toEqual([200, 'application/json']);
    expect(json).toEqual({
      major: '1',
      minor: '24',
      gitVersion: 'v1.24.0',
      gitCommit: '4ce5a8954017644c5420bae81d72b09b735c21f0',
      gitTreeState: 'clean',
      buildDate: '2022-05-03T13:38:19Z',
      goVersion: 'go1.18.1',
      compiler: 'gc',
      platform: 'linux/amd64',
    });
    expect(text).toContain('\n  "major": "1",');
    expect((await ask('GET', '/version/')).status).toBe(200);
    expect((await ask('POST', '/version')).status).toBe(405);
    expect((await ask('GET', '/version/x')).status).toBe(404);
    expect((await ask('GET', '/versions')).status).toBe(404);
  });
});

it('the index has every path, in order', async () => {
  const { paths } = (await ask('GET', '/')).json as { readonly paths: readonly string[] };
  expect(paths.filter((path) => !/^\/(?:apis\/|healthz|livez|readyz)./.test(path))).toEqual([
    '/api',
    '/api/v1',
    '/apis',
    '/apis/',
    '/healthz',
    '/livez',
    '/logs',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ]);
  const below = (root: string) => paths.filter((path) => path.startsWith(`/${root}/`)).map((path) => path.slice(root.length + 2));
  expect(below('healthz')).toEqual(CHECKS.toSorted());
  expect(below('readyz')).toEqual(READY.toSorted());
  expect(paths).toEqual([...paths].sort());
  expect((await ask('GET', '/api')).json).toEqual({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:8080' }],
  });
});

it('the files of logs are none', async () => {
  for (const path of ['/logs', '/logs/'])
    expect(await ask('GET', path)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8', text: '<pre>\n</pre>\n' });
  expect((await ask('GET', '/logsx')).text).toBe('404 page not found\n');
});

describe('the metrics', () => {
  it('count the objects of each resource, and give the revision and the time', async () => {
    const { status, type, text } = await ask('GET', '/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const objects = backend.kinds
      .list()
      .map(
        (kind) =>
          `{resource="${kind.plural}${kind.groupPrefix === '' ? '' : `.${backend.names.group(kind.groupPrefix)}`}"} ${store.size(kind.kind)}`,
      );
    expect(text).toBe(
      [
        '# HELP apiserver_storage_objects Number of stored objects by resource.',
        '# TYPE apiserver_storage_objects gauge',
        ...objects.map((each) => `apiserver_storage_objects${each}`),
        '# HELP orchsim_store_revision The last resourceVersion that was assigned.',
        '# TYPE orchsim_store_revision gauge',
        `orchsim_store_revision ${store.revision}`,
        '# HELP orchsim_time_seconds Virtual time since the epoch.',
        '# TYPE orchsim_time_seconds gauge',
        'orchsim_time_seconds 1709251200',
        '',
      ].join('\n'),
    );
  });

  it('of a cluster have its counters', async () => {
    const cluster = createCluster({ domain: 'k8s.io', nodes: [{ name: 'n', capacity: { cpu: '4', memory: '8Gi', pods: '10' } }] });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } as const;
    for (let nth = 0; nth < 2; nth++) cluster.request('client', { verb: 'create', kind: 'Pod', namespace: 'default', body: pod });
    cluster.runUntil(cluster.now + 60_000);
    const reply = await createApi({ backend: clusterBackend(cluster) })({
      method: 'GET',
      target: '/metrics',
      headers: {},
      body: new Uint8Array(),
    });
    const { commits, deliveries, reconciles, refusals } = cluster.counters;
    const lines = 'open' in reply ? [] : String(reply.body).split('\n');
    expect(lines.filter((line) => line.endsWith(' counter') || /^orchsim_\w+_total /.test(line))).toEqual([
      '# TYPE orchsim_events_total counter',
      `orchsim_events_total ${cluster.kernel.steps}`,
      '# TYPE orchsim_commits_total counter',
      `orchsim_commits_total ${commits}`,
      '# TYPE orchsim_deliveries_total counter',
      `orchsim_deliveries_total ${deliveries}`,
      '# TYPE orchsim_reconciles_total counter',
      `orchsim_reconciles_total ${reconciles}`,
      '# TYPE orchsim_refusals_total counter',
      `orchsim_refusals_total ${refusals}`,
    ]);
    expect(Math.min(cluster.kernel.steps, commits, deliveries, reconciles, refusals)).toBeGreaterThan(0);
  });
});

describe('the groups', () => {
  /** As v1.24 registers them: pkg kube-apiserver/app aggregator.go. */
  const PRIORITIES = [
    'v1. 18000 1',
    'v1.apps 17800 15',
    'v1.events.k8s.io 17750 15',
    'v1beta1.events.k8s.io 17750 5',
    'v1.authentication.k8s.io 17700 15',
    'v1.authorization.k8s.io 17600 15',
    'v2.autoscaling 17500 30',
    'v1.autoscaling 17500 15',
    'v2beta1.autoscaling 17500 9',
    'v2beta2.autoscaling 17500 1',
    'v1.batch 17400 15',
    'v1beta1.batch 17400 9',
    'v1.certificates.k8s.io 17300 15',
    'v1.networking.k8s.io 17200 15',
    'v1.policy 17100 15',
    'v1beta1.policy 17100 9',
    'v1.rbac.authorization.k8s.io 17000 15',
    'v1.storage.k8s.io 16800 15',
    'v1beta1.storage.k8s.io 16800 9',
    'v1.admissionregistration.k8s.io 16700 15',
    'v1.apiextensions.k8s.io 16700 15',
    'v1.scheduling.k8s.io 16600 15',
    'v1.coordination.k8s.io 16500 15',
    'v1.node.k8s.io 16300 15',
    'v1beta1.node.k8s.io 16300 9',
    'v1.discovery.k8s.io 16200 15',
    'v1beta1.discovery.k8s.io 16200 12',
    'v1beta2.flowcontrol.apiserver.k8s.io 16100 12',
    'v1beta1.flowcontrol.apiserver.k8s.io 16100 9',
  ];

  it('are registered with the priorities of v1.24', () => {
    const world = setup();
    registerLocal(world.backend);
    const all = [...world.store.values('APIService')] as APIService[];
    const text = ({ metadata, spec }: APIService): string => `${metadata.name} ${spec.groupPriorityMinimum} ${spec.versionPriority}`;
    // Of the metrics APIs only that of usage is served everywhere.
    expect(
      all
        .map(text)
        .filter((each) => !each.includes('metrics'))
        .toSorted(),
    ).toEqual(PRIORITIES.toSorted());
    for (const { metadata, spec } of all) {
      expect(metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'onstart' });
      expect(`${spec.version}.${spec.group ?? ''}`).toBe(metadata.name);
    }
    // A second time changes nothing.
    const { revision } = world.store;
    registerLocal(world.backend);
    expect(world.store.revision).toBe(revision);
  });

  it('are listed in the order of their priorities, each with its versions', async () => {
    const { json } = await ask('GET', '/apis');
    const { groups } = json as {
      readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly groupVersion: string }[] }[];
    };
    const listed = groups.flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => `${groupVersion.slice(name.length + 1)}.${name}`),
    );
    const wanted = ['v1.apiregistration.k8s.io', ...PRIORITIES.slice(1).map((each) => each.split(' ')[0] ?? '')];
    expect(listed.filter((each) => !each.includes('metrics'))).toEqual(wanted);
  });
});
