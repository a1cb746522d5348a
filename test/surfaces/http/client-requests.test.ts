/** What is known of the requests of a client outside the cluster: to those who look on, in the trace, and to faults. */
import { describe, expect, it } from 'vitest';
import { clientWorld, MAPS } from './client-world.ts';

describe('a client outside', () => {
  it('loses a watch with an error of any code, and crashes before or after a write', async () => {
    const { fault, make, watch, version, ask, cluster, pass } = clientWorld();
    const failed = await watch(version());
    await fault({ closeWatches: 'op', code: 503, kinds: ['ConfigMap'] });
    expect([failed.ended.how, failed.lines]).toEqual([
      'end',
      [
        {
          type: 'ERROR',
          object: {
            kind: 'Status',
            apiVersion: 'v1',
            metadata: {},
            status: 'Failure',
            message: 'a fault closed this watch with 503',
            reason: 'InternalError',
            code: 503,
          },
        },
      ],
    ]);
    await make('a');
    const open = await watch(version());
    await fault({ crash: 'op', beforeWrite: 1, restartAfter: '1s' });
    expect((await ask('GET', MAPS)).status).toBe(200);
    expect(open.ended.how).toBe('');
    expect(await make('b', 'op/1')).toMatchObject({ isDropped: true });
    expect([open.ended.how, open.seen()]).toEqual(['cut', []]);
    expect(cluster.runtime.process('op')?.up).toBe(false);
    expect(await ask('GET', MAPS)).toMatchObject({ isDropped: true });
    pass(1_000);
    await fault({ crash: 'op', afterWrites: 2 });
    expect((await make('c', 'op/1')).status).toBe(201);
    expect(await make('d', 'op/1')).toMatchObject({ isDropped: true });
    expect((await ask('GET', MAPS, undefined, 'curl')).json.items?.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['a', 'c', 'd']),
    );
    expect(cluster.store.get('ConfigMap', 'default/b')).toBeUndefined();
  });

  it.each<[string, string, string, string | undefined, number]>([
    ['GET', MAPS, 'list', 'ConfigMap', 200],
    ['GET', `${MAPS}?watch=false`, 'list', 'ConfigMap', 200],
    ['GET', `${MAPS}?watch=true`, 'watch', 'ConfigMap', 200],
    ['GET', '/api/v1/watch/namespaces/default/configmaps', 'watch', 'ConfigMap', 200],
    ['GET', `${MAPS}/none`, 'get', 'ConfigMap', 404],
    ['POST', '/api/v1/namespaces/default/pods', 'create', 'Pod', 400],
    ['PUT', `${MAPS}/none`, 'update', 'ConfigMap', 400],
    ['PATCH', `${MAPS}/none`, 'patch', 'ConfigMap', 415],
    ['DELETE', `${MAPS}/none`, 'delete', 'ConfigMap', 404],
    ['DELETE', MAPS, 'deletecollection', 'ConfigMap', 200],
    ['OPTIONS', MAPS, 'OPTIONS', undefined, 405],
    ['GET', '/version', 'GET', undefined, 200],
    ['GET', '/api/v1/nothing', 'GET', undefined, 404],
  ])('is followed: %s %s', async (method, target, verb, kind, status) => {
    const { send, clientFaults } = clientWorld();
    const asked = { client: 'op', verb, kind, target };
    await send(method, target);
    expect(clientFaults).toEqual([
      { type: 'request', ...asked },
      { type: 'answer', ...asked, status },
    ]);
  });
});

describe('the trace', () => {
  const ALL = '/api/v1/configmaps';
  const escaped = (selector: string): string => encodeURIComponent(selector);
  it.each<[string, object | undefined]>([
    [ALL, {}],
    [MAPS, { only: { index: 'namespace', value: 'default' } }],
    [`${ALL}?labelSelector=${escaped('a=b,c')}`, { only: { index: 'labels', value: 'a=b,c' } }],
    [`${ALL}?fieldSelector=${escaped('metadata.name=x')}`, { only: { index: 'name', value: 'x' } }],
    [`${ALL}?fieldSelector=${escaped('metadata.name=x,metadata.namespace=y')}`, undefined],
    [`${ALL}?fieldSelector=${escaped('metadata.name!=x')}`, undefined],
    [`${ALL}?fieldSelector=${escaped('metadata.namespace=y')}`, undefined],
    [`${MAPS}?labelSelector=a`, undefined],
    [`${MAPS}?fieldSelector=${escaped('metadata.name=x')}`, undefined],
    [`${MAPS}/none`, undefined],
  ])('holds which objects a client has listed: %s', async (target, listed) => {
    const { ask, entries, version } = clientWorld();
    const revision = Number(version());
    await ask('GET', target);
    const lists = entries.flatMap((entry) => (entry.type === 'process' && entry.what === 'lists' ? [entry.lists] : []));
    expect(lists).toEqual(listed === undefined ? [] : [{ revision, kinds: [{ kind: 'ConfigMap', ...listed }], controllers: [] }]);
  });

  it('holds what a watch from an older revision is sent first, without the writes as causes', async () => {
    const { make, watch, version, entries, ask } = clientWorld();
    const since = version();
    await make('a');
    await make('b');
    await ask('DELETE', `${MAPS}/b`, undefined, 'curl');
    const seen = entries.length;
    const open = await watch(since);
    expect(open.seen()).toEqual(['ADDED a', 'ADDED b', 'DELETED b']);
    const last = Number(version());
    const delivery = { type: 'delivery', causes: [], process: 'op', kind: 'ConfigMap' };
    expect(entries.slice(seen)).toMatchObject([
      { ...delivery, delta: 'ADDED', key: 'default/a', revision: last - 2 },
      { ...delivery, delta: 'ADDED', key: 'default/b', revision: last - 1 },
      { ...delivery, delta: 'DELETED', key: 'default/b', revision: last },
    ]);
  });
});
