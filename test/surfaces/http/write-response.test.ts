/** A write is answered in the requested form, or refused without effect: no client gets an error after a change. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const META = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe.each([
  ['a list of metadata', META, '', 406, 'NotAcceptable'],
  ['a table with what no table includes', TABLE, 'includeObject=All', 400, 'BadRequest'],
] as const)('%s', (_, headers, query, code, reason) => {
  it.each([
    ['create', 'POST', MAPS, map('b'), {}],
    ['replace', 'PUT', `${MAPS}/a`, map('a', { a: '1' }), {}],
    ['patch', 'PATCH', `${MAPS}/a`, { data: { a: '1' } }, { 'content-type': 'application/merge-patch+json' }],
    ['delete what waits for a finalizer', 'DELETE', `${MAPS}/kept`, undefined, {}],
  ] as const)('is refused for a %s, and nothing changes', async (__, method, path, body, more) => {
    const { ask, store } = setup();
    await ask('POST', MAPS, map('a'));
    await ask('POST', MAPS, { ...map('kept'), metadata: { name: 'kept', finalizers: ['example.com/hold'] } });
    const before = store.revision;
    expect((await ask(method, `${path}?${query}`, body, { ...headers, ...more })).json).toMatchObject({ code, reason });
    expect(store.revision).toBe(before);
    expect((await ask(method, path, body, more)).status).toBeLessThan(300);
    expect(store.revision).toBeGreaterThan(before);
  });

  it('does not apply if the response is a status', async () => {
    const { ask, store } = setup();
    await ask('POST', MAPS, map('a'));
    expect((await ask('DELETE', `${MAPS}/a?${query}`, undefined, headers)).status).toBe(200);
    expect(store.get('ConfigMap', 'default/a')).toBeUndefined();
  });

  it('comes after errors of the request itself', async () => {
    const { ask } = setup();
    expect(
      (await ask('PATCH', `${MAPS}/none?${query}`, {}, { ...headers, 'content-type': 'application/merge-patch+json' })).json,
    ).toMatchObject({ code: 404 });
    expect((await ask('POST', `${MAPS}?dryRun=x&${query}`, map('b'), headers)).json).toMatchObject({ code: 422 });
  });
});
