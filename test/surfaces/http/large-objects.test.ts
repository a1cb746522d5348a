/** Many small objects or few large ones: the memory of a cluster is limited, and deletions free it. */
import { describe, expect, it } from 'vitest';
import { checkValues } from '../../../src/apiserver/handlers/patch-verb.ts';
import { createApi, type HttpReply } from '../../../src/surfaces/http/index.ts';
import { createLargeObjects } from '../../../src/surfaces/http/backend.ts';
import { setup } from './setup.ts';

const KIB = 1024;
const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, kib: number): object => ({ metadata: { name }, data: { words: 'x'.repeat(kib * KIB) } });

function world(limitKib: number) {
  const { backend } = setup();
  const large = createLargeObjects(backend.store, limitKib * KIB);
  const api = createApi({ backend: { ...backend, large } });
  const ask = async (method: string, target: string, body?: object, type = 'application/json'): Promise<readonly [number, string]> => {
    const headers = { host: '127.0.0.1:8080', 'user-agent': 'test', ...(body === undefined ? {} : { 'content-type': type }) };
    const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
    const reply: HttpReply = await api({ method, target, headers, body: bytes });
    if ('open' in reply) throw new Error('a stream');
    const { message = '' } = JSON.parse(String(reply.body)) as { readonly message?: string };
    return [reply.status, message];
  };
  return { ask, large, backend };
}

describe('large objects', () => {
  it('are refused beyond the limit, until one is deleted', async () => {
    const { ask, large, backend } = world(1000);
    for (let at = 0; at < 4; at++) expect((await ask('POST', MAPS, map(`map-${at}`, 240)))[0]).toBe(201);
    expect(large.bytes).toBeGreaterThan(960 * KIB);
    const revision = backend.store.revision;
    expect(await ask('POST', MAPS, map('map-4', 240))).toEqual([
      403,
      expect.stringMatching(
        /^this cluster is full: its large objects take 1 of 0 MiB, and a body of 245\d\d\d bytes does not fit beside them; delete some$/,
      ),
    ]);
    expect((await ask('PATCH', `${MAPS}/map-0`, { data: { more: 'y'.repeat(200 * KIB) } }, 'application/merge-patch+json'))[0]).toBe(403);
    expect(backend.store.revision).toBe(revision);
    expect((await ask('POST', MAPS, map('small', 1)))[0]).toBe(201);
    expect((await ask('DELETE', `${MAPS}/map-1`))[0]).toBe(200);
    expect((await ask('POST', MAPS, map('map-4', 240)))[0]).toBe(201);
  });

  it('count by their size, not by that of the request', async () => {
    const { ask, large } = world(1000);
    await ask('POST', MAPS, map('map', 240));
    await ask('PATCH', `${MAPS}/map`, { data: { more: 'y'.repeat(200 * KIB) } }, 'application/merge-patch+json');
    expect(Math.floor(large.bytes / KIB)).toBe(441);
    await ask('PATCH', `${MAPS}/map`, { data: { words: null, more: null } }, 'application/merge-patch+json');
    expect(large.bytes).toBeLessThan(KIB);
    await ask('POST', `${MAPS}?dryRun=All`, map('tried', 240));
    expect(large.bytes).toBeLessThan(KIB);
  });

  it('do not grow with every patch', () => {
    const parts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`part-${at}`, 'y'.repeat(2500 * KIB)]));
    expect(() => {
      checkValues({ data: parts(2) });
    }).not.toThrow();
    expect(() => {
      checkValues({ data: parts(3) });
    }).toThrow(
      'Request entity too large: limit is 6291456 characters in the object that a patch makes; take something away, or use several objects',
    );
  });
});
