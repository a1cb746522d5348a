/** ComponentStatuses: the health of the control plane's components. */
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { clusterBackend, createApi } from '../../../src/surfaces/http/index.ts';
import { setup } from './setup.ts';

const PATH = '/api/v1/componentstatuses';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('component statuses', () => {
  it('are listed, and printed as the recorded server printed them', async () => {
    const { ask } = setup();
    const list = await ask('GET', PATH);
    expect(list.json).toMatchObject({ kind: 'ComponentStatusList', apiVersion: 'v1' });
    expect(list.warnings).toEqual(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
    const table = (await ask('GET', PATH, undefined, { accept: TABLE })).json as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Status', 'Message', 'Error']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['etcd-0', 'Healthy', '{"health":"true"}', ''],
      ['controller-manager', 'Healthy', 'ok', ''],
      ['scheduler', 'Healthy', 'ok', ''],
    ]);
  });

  it('are read by name; others are not found, and none is written', async () => {
    const { ask } = setup();
    expect((await ask('GET', `${PATH}/scheduler`)).json).toMatchObject({
      kind: 'ComponentStatus',
      metadata: { name: 'scheduler' },
      conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
    });
    expect((await ask('GET', `${PATH}/__proto__`)).status).toBe(404);
    expect((await ask('POST', PATH, {})).status).toBe(405);
    expect((await ask('DELETE', `${PATH}/scheduler`)).status).toBe(405);
    expect((await ask('GET', `${PATH}?labelSelector=a%3Db`)).json).toMatchObject({ items: [] });
    expect((await ask('GET', `${PATH}?labelSelector=%3D`)).status).toBe(400);
    const many = encodeURIComponent(Array.from({ length: 501 }, (_, at) => `k${at}!=v`).join(','));
    for (const query of [`labelSelector=${many}`, `fieldSelector=${`${many}%2C`.repeat(2)}k=v`])
      expect((await ask('GET', `${PATH}?${query}`)).json).toMatchObject({
        message: expect.stringContaining('at most 1000 terms') as unknown,
      });
  });

  it('show a crashed process as unreachable', async () => {
    const cluster = createCluster({ domain: 'k8s.io' });
    const api = createApi({ backend: clusterBackend(cluster) });
    const read = async (): Promise<unknown> => {
      const reply = await api({ method: 'GET', target: `${PATH}/scheduler`, headers: {}, body: new Uint8Array() });
      return 'open' in reply ? undefined : (JSON.parse(String(reply.body)) as unknown);
    };
    expect(await read()).toMatchObject({ conditions: [{ status: 'True' }] });
    cluster.runtime.crash('scheduler');
    expect(await read()).toMatchObject({ conditions: [{ status: 'False', message: expect.stringContaining('connection refused') }] });
  });
});

describe('published operations', () => {
  it('have a description, each one sentence', async () => {
    const { ask } = setup();
    const { paths } = (await ask('GET', '/openapi/v2')).json as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
    };
    const all = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { description = '' }]) => [`${method} ${path}`, description] as const),
    );
    expect(all.length).toBeGreaterThan(200);
    for (const [operation, description] of all) expect(description, operation).toMatch(/^[A-Z][^]*\.$/);
    const said = new Map(all);
    expect(said.get('put /apis/batch/v1/namespaces/{namespace}/jobs/{name}/status')).toBe(
      'Replaces the status of the Job that has this name.',
    );
  });
});
