/** Faults on a client outside the cluster, at the requests that it sends: what it is shown, and what others are shown. */
import { describe, expect, it } from 'vitest';
import { cacheViewOf, entryAt } from '../../../src/lab/trace/index.ts';
import { clientWorld, MAPS } from './client-world.ts';

describe('a client outside', () => {
  it('is shown a frozen state, which others are not, until the end', async () => {
    const { fault, make, names, watch, pass, version, ask } = clientWorld();
    await make('a');
    await fault({ freeze: 'op', for: '10s' });
    const open = await watch(version());
    await make('b');
    expect(await names()).toEqual(['a']);
    expect(await names('curl')).toEqual(['a', 'b']);
    // A get is answered from etcd, unless it asks for the cache.
    expect((await ask('GET', `${MAPS}/b`)).status).toBe(200);
    expect((await ask('GET', `${MAPS}/b?resourceVersion=0`)).status).toBe(404);
    expect((await ask('GET', `${MAPS}/a?resourceVersion=0`)).json.metadata?.name).toBe('a');
    expect(open.seen()).toEqual([]);
    pass(10_000);
    expect(open.seen()).toEqual(['ADDED b']);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('may be frozen as a real server is: a list without a version is up to date', async () => {
    const { fault, make, names } = clientWorld();
    await fault({ freeze: 'op', onlyCached: true });
    await make('a');
    expect(await names()).toEqual(['a']);
    expect(await names('op/1', '?resourceVersion=0')).toEqual([]);
  });

  it('sees changes late and in order, and no bookmark overtakes them', async () => {
    const { fault, make, watch, pass, version, cluster } = clientWorld();
    await fault({ lag: 'op', by: '3s', for: '2s' });
    const open = await watch(version());
    await make('a');
    pass(2_500);
    await make('b');
    expect(open.seen()).toEqual([]);
    pass(600);
    expect(open.seen()).toEqual(['ADDED a', 'ADDED b']);
    expect(cluster.faults).toHaveLength(0);
  });

  it('is refused, loses answers, and is cut off', async () => {
    const { fault, make, names, ask, pass, entries } = clientWorld();
    await fault({ failRequest: 'op', code: 429, retryAfter: 7, verb: 'list' });
    expect(await ask('GET', MAPS)).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    await fault({ failRequest: 'op', code: 409, verb: 'create', nth: 2 });
    expect((await make('a', 'op/1')).status).toBe(201);
    expect((await make('b', 'op/1')).status).toBe(409);
    await fault({ failRequest: 'op', loseResponse: true });
    expect(await make('c', 'op/1')).toMatchObject({ isDropped: true });
    expect(await names()).toEqual(['a', 'c']);
    await fault({ partition: 'op', for: '5s' });
    expect(await ask('GET', MAPS)).toMatchObject({ isDropped: true });
    expect((await ask('GET', MAPS, undefined, 'curl')).status).toBe(200);
    pass(5_000);
    expect((await ask('GET', MAPS)).status).toBe(200);
    expect(entries.filter(({ type }) => type === 'refusal')).toHaveLength(2);
  });

  it('has slow requests, which virtual time ends', async () => {
    const { fault, send, pass, clientFaults } = clientWorld();
    await fault({ slowRequests: 'op', by: '2s' });
    let code = 0;
    const asked = Promise.resolve(send('GET', `${MAPS}/nothing`)).then(({ status }) => (code = status));
    pass(1_999);
    await Promise.resolve();
    expect(code).toBe(0);
    pass(1);
    await asked;
    expect(code).toBe(404);
    expect(clientFaults.map(({ type }) => type)).toEqual(['request', 'waits', 'goesOn', 'answer']);
  });

  it('loses its watches: cut, or with 410; a relist shows an old list once', async () => {
    const { fault, make, watch, version, names, pass } = clientWorld();
    const cut = await watch(version());
    await fault({ closeWatches: 'op' });
    expect([cut.ended.how, cut.seen()]).toEqual(['cut', []]);
    const gone = await watch(version());
    await fault({ closeWatches: 'op', code: 410, kinds: ['Pod'] });
    expect(gone.ended.how).toBe('');
    await fault({ closeWatches: 'op', code: 410 });
    expect([gone.ended.how, gone.seen()]).toEqual(['end', ['ERROR 410']]);
    pass(5_000);
    await make('a');
    await fault({ relist: 'op', staleBy: '1s' });
    expect(await names()).toEqual([]);
    expect(await names()).toEqual(['a']);
  });

  it('reads slowly, and is closed when it falls behind', async () => {
    const { fault, make, watch, pass, version } = clientWorld();
    await fault({ slowReader: 'op', every: '1s' });
    const open = await watch(version());
    for (let at = 0; at < 5; at++) await make(`m${at}`);
    expect(open.lines).toHaveLength(1);
    pass(2_000);
    expect(open.lines).toHaveLength(3);
    for (let at = 5; at < 110; at++) await make(`m${at}`);
    expect(open.ended.how).toBe('cut');
  });

  it('is known by the holder that it writes into a Lease, from then on', async () => {
    const { fault, ask } = clientWorld();
    const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';
    await fault({ failRequest: 'leader', times: 9, verb: 'list' });
    expect((await ask('GET', MAPS, undefined, 'x/1')).status).toBe(200);
    const lease = { apiVersion: 'coordination.orch.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: { holderIdentity: 'leader-1' } };
    expect((await ask('POST', leases, lease, 'x/1')).status).toBe(201);
    expect((await ask('GET', MAPS, undefined, 'x/1')).status).toBe(500);
    expect((await ask('GET', MAPS, undefined, 'y/1')).status).toBe(200);
  });
});

describe('/sim/v1/faults', () => {
  it('lists, sets and clears them', async () => {
    const { fault, ask, make, watch, version } = clientWorld();
    const { json } = await fault({ freeze: 'op' });
    const open = await watch(version());
    await make('a');
    expect((await ask('GET', '/sim/v1/faults')).json.items).toHaveLength(1);
    expect((await ask('DELETE', '/sim/v1/faults/99', undefined)).status).toBe(404);
    expect((await ask('DELETE', `/sim/v1/faults/${json.id}`)).json.items).toEqual([]);
    // What it held goes on at once.
    expect(open.seen()).toEqual(['ADDED a']);
  });

  it.each([
    [{ lagg: 'op', by: '1s' }, 'request:1:2: expected the name of a fault'],
    [{ lag: 'opp', by: '1s' }, 'there is no process opp; did you mean "op"?'],
    [{ withholdBookmarks: 'scheduler' }, 'there is no client scheduler; there are op, leader'],
    [{ freeze: 'op', revision: 99_999 }, 'revision 99999 is not written yet'],
    [{ lag: 'op' }, 'by: expected a duration'],
    [[], 'expected a mapping with the name of a fault'],
  ])('refuses %j', async (call, message) => {
    const { status, json } = await clientWorld().fault(call);
    expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the trace', () => {
  it('holds what a client was shown, so that why tells what it had not seen', async () => {
    const { fault, make, names, pass, entries, trace } = clientWorld();
    expect(await names()).toEqual([]);
    await fault({ lag: 'op', by: '1m' });
    await make('a');
    pass(1_000);
    await make('b', 'op/1');
    const step = entries.findIndex((entry) => entry.type === 'write' && entry.change.key === 'default/b') + 1;
    expect(entryAt(trace(), step)).toMatchObject({ actor: 'op' });
    const view = cacheViewOf(trace(), step);
    // It is about the object that was written, which has no owner: what else it had not seen concerns other decisions.
    expect(view?.unseen).toEqual([]);
    expect(entries.find((entry) => entry.type === 'process')).toMatchObject({ process: 'op', what: 'lists' });
  });
});
