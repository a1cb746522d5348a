/** APIServices: local ones, and those that clients register. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { createSession, type Session, type WholeReply } from '../../../src/surfaces/http/index.ts';

const SCENARIO = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: served }
spec: { title: A cluster to serve, domain: k8s.io, cluster: { nodes: { count: 1 } } }
`;
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const remote = (version: string, group: string, priority: number) => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${version}.${group}` },
  spec: {
    group,
    version,
    groupPriorityMinimum: priority,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { name: 'nope', namespace: 'default' },
  },
});

interface Object {
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: { readonly group?: string };
  readonly status: { readonly conditions: readonly { readonly reason: string }[] };
}
interface Groups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion: object;
  }[];
}

function serving(text: string): Session {
  const scenario = scenarioIn(text);
  return createSession({
    start: (onEntry) => ({ cluster: simulate(scenario, { onEntry, invariants: [] }).cluster, troubles: [] }),
    clock: 'manual',
    speed: 1,
    watched: () => false,
    onReset: () => {},
  });
}

describe('APIServices', () => {
  let session: Session;
  beforeEach(() => {
    session = serving(SCENARIO);
  });
  afterEach(() => {
    session.stop();
  });

  async function call<T>(
    method: string,
    target: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly text: string; readonly json: T }> {
    const { status, body: bytes } = (await session.answer({
      method,
      target,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    })) as WholeReply;
    const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    return { status, text, json: (text.startsWith('{') ? JSON.parse(text) : undefined) as T };
  }
  const advance = (by: string) => call('POST', '/sim/v1/advance', { by });

  it('exist for every served version except their own', async () => {
    const {
      json: { items },
    } = await call<{ readonly items: readonly Object[] }>('GET', SERVICES);
    const {
      json: { groups },
    } = await call<Groups>('GET', '/apis');
    const versions = groups.flatMap(({ name, versions: all }) => all.map(({ version }) => `${version}.${name}`));
    expect(items.map(({ metadata: { name } }) => name).sort()).toEqual(
      ['v1.', ...versions].filter((name) => name !== 'v1.apiregistration.k8s.io').sort(),
    );
    for (const { metadata, status } of items)
      expect([metadata.labels, status.conditions[0]?.reason]).toEqual([
        { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
        'Local',
      ]);
    expect((await call('GET', `${SERVICES}/v1.batch`)).json).toMatchObject({
      spec: { group: 'batch', version: 'v1', groupPriorityMinimum: 17_400, versionPriority: 15 },
    });
    expect((await call('GET', `${SERVICES}/v1.`)).json).toMatchObject({
      spec: { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 },
    });
  });

  it('are not created again after a deletion, until the server restarts', async () => {
    expect((await call('DELETE', `${SERVICES}/v1.node.k8s.io`)).status).toBe(200);
    await advance('1m');
    expect((await call('GET', `${SERVICES}/v1.node.k8s.io`)).status).toBe(404);
    expect((await call('GET', '/apis/node.k8s.io/v1/runtimeclasses')).status).toBe(200);
    await call('POST', '/sim/v1/reset');
    expect((await call('GET', `${SERVICES}/v1.node.k8s.io`)).status).toBe(200);
  });

  it('of clients are among the groups, ordered by priority', async () => {
    await call('POST', SERVICES, remote('v1alpha1', 'low.example', 100));
    await call('POST', SERVICES, remote('v2', 'high.example', 17_799));
    await call('POST', SERVICES, remote('v1', 'high.example', 17_799));
    const {
      json: { groups },
    } = await call<Groups>('GET', '/apis');
    expect(groups.slice(0, 3).map(({ name }) => name)).toEqual(['apiregistration.k8s.io', 'apps', 'high.example']);
    expect(groups.at(-1)?.name).toBe('low.example');
    expect((await call('GET', '/apis/high.example')).json).toMatchObject({
      kind: 'APIGroup',
      name: 'high.example',
      versions: [{ version: 'v2' }, { version: 'v1' }],
      preferredVersion: { groupVersion: 'high.example/v2' },
    });
    const {
      json: { paths },
    } = await call<{ readonly paths: readonly string[] }>('GET', '/');
    expect(paths).toContain('/apis/low.example/v1alpha1');
    await call('DELETE', `${SERVICES}/v1alpha1.low.example`);
    expect((await call('GET', '/apis/low.example')).status).toBe(404);
  });

  it('of unreachable services are unavailable, for every request', async () => {
    await call('POST', SERVICES, remote('v1alpha1', 'k.example', 100));
    for (const path of ['/apis/k.example/v1alpha1', '/apis/k.example/v1alpha1/', '/apis/k.example/v1alpha1/namespaces/default/things/one'])
      expect(await call('GET', path)).toMatchObject({ status: 503, text: 'service unavailable\n' });
    expect((await call('GET', '/apis/k.example/v1')).status).toBe(404);
    await advance('1s');
    expect((await call<Object>('GET', `${SERVICES}/v1alpha1.k.example`)).json.status.conditions[0]?.reason).toBe('ServiceNotFound');
    await call('POST', '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'nope' },
      spec: { type: 'ExternalName', externalName: 'a.example' },
    });
    await advance('1s');
    expect(await call('GET', '/apis/k.example/v1alpha1')).toMatchObject({
      status: 503,
      text: 'error trying to reach service: nothing listens in a simulation\n',
    });
  });

  it('are left out of a cluster that is full from its beginning', async () => {
    session.stop();
    session = serving(SCENARIO.replace('spec: {', 'spec: { limits: { objects: 3 },'));
    expect((await call<{ readonly items: readonly Object[] }>('GET', SERVICES)).json.items).toEqual([]);
  });
});
