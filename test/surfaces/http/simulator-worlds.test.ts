/** Worlds beside the first, called without a socket: whose paths go where, and what is said of each. */
import { describe, expect, it } from 'vitest';
import { kubeconfigFor } from '../../../src/surfaces/http/index.ts';
import { createStreams } from '../../../src/surfaces/http/sim/worlds.ts';
import { simulators } from './simulator.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
const CREATES = '(POST /sim/v1/worlds creates one, GET lists them)';

describe('a world', () => {
  it('is described by its name, path, time, number of objects, and kubeconfig, with the token of the request', async () => {
    const { ask, worlds } = simulators();
    const objects = worlds.first.current.start.cluster.server.capacity.used;
    const described = (name: string, now: string, token?: string) => ({
      name,
      path: `/worlds/${name}`,
      now,
      objects,
      kubeconfig: kubeconfigFor(`http://h/worlds/${name}`, { token }),
    });
    const [at0, at1] = ['2024-03-01T00:00:00.000Z', '2024-03-01T01:00:00.000Z'];
    expect(await ask('POST', '/sim/v1/worlds', { name: 'one' })).toMatchObject({ status: 201, json: described('one', at0) });
    await ask('POST', '/worlds/one/sim/v1/advance', { by: '1h' });
    const token = { authorization: 'bearer secret' };
    expect((await ask('GET', '/sim/v1/worlds/one', undefined, token)).json).toEqual(described('one', at1, 'secret'));
    expect((await ask('GET', '/sim/v1/worlds/one', undefined, { authorization: 'Basic secret' })).json).toEqual(described('one', at1));
    expect((await ask('POST', '/sim/v1/worlds')).json).toEqual(described('world-1', at0));
    await ask('POST', '/sim/v1/worlds', { name: 'world-2' });
    expect((await ask('POST', '/sim/v1/worlds', {})).json).toEqual(described('world-3', at0));
    expect((await ask('GET', '/sim/v1/worlds')).json).toEqual({
      items: [described('one', at1), described('world-1', at0), described('world-2', at0), described('world-3', at0)],
    });
    expect(await ask('DELETE', '/sim/v1/worlds/one')).toMatchObject({ status: 200, json: described('one', at1) });
    expect((await ask('GET', '/sim/v1/worlds')).json['items']).toHaveLength(3);
    worlds.stop();
  });

  it('has a name of DNS', async () => {
    const { ask, worlds } = simulators();
    for (const name of ['a', '9', 'a-b', 'a'.repeat(63)])
      expect(await ask('POST', '/sim/v1/worlds', { name }), name).toMatchObject({ status: 201, json: { name } });
    for (const name of ['', 'A', '-a', 'a-', 'a'.repeat(64), 'a.b', 'a b', 3, null])
      expect(await ask('POST', '/sim/v1/worlds', { name }), JSON.stringify(name)).toMatchObject({
        status: 400,
        json: {
          message: `name: expected lower-case letters, digits and dashes, at most 63, such as one, found ${JSON.stringify(name)}`,
        },
      });
    worlds.stop();
  });

  it('is refused in a body that is too large, and with a field that there is not', async () => {
    const { ask, worlds } = simulators();
    const body = '{"name":"one"}';
    expect(await ask('POST', '/sim/v1/worlds', body.padEnd(4097))).toMatchObject({
      status: 413,
      json: { message: 'Request entity too large: limit is 4096' },
    });
    expect((await ask('POST', '/sim/v1/worlds', body.padEnd(4096))).status).toBe(201);
    expect((await ask('POST', '/sim/v1/worlds', { names: 'x' })).json['message']).toBe(
      'unknown field "names"; did you mean name? (known: name)',
    );
    expect((await ask('POST', '/sim/v1/worlds', '[]')).json['message']).toBe('expected a JSON object such as {"name":"one"}');
    worlds.stop();
  });
});

describe('a path below a world', () => {
  it('goes to that world, any other to the first', async () => {
    const { ask, worlds } = simulators();
    await ask('POST', '/sim/v1/worlds', { name: 'one' });
    expect((await ask('POST', `/worlds/one${MAPS}`, MAP)).status).toBe(201);
    const statusOf = async (path: string) => (await ask('GET', path)).status;
    expect([
      await statusOf(`/worlds/one${MAPS}/m`),
      await statusOf(`${MAPS}/m`),
      await statusOf('/worlds/one/version'),
      await statusOf(`/worlds/one${MAPS}?limit=1`),
    ]).toEqual([200, 404, 200, 200]);
    const message = async (path: string) => {
      const { status, json } = await ask('GET', path);
      return [status, json['message']];
    };
    expect([await message('/worlds/on/version'), await message('/worlds/other?a=b'), await message('/worlds/one/sim/v1/worlds')]).toEqual([
      [404, `there is no world "on"; did you mean one? ${CREATES}`],
      [404, `there is no world "other" ${CREATES}`],
      [404, 'this world has no others in it: /sim/v1/worlds is a path of the server alone'],
    ]);
    expect(await ask('DELETE', '/sim/v1/worlds/two')).toMatchObject({
      status: 404,
      json: { message: `there is no world "two" ${CREATES}` },
    });
    expect(await ask('POST', '/sim/v1/worlds', { name: 'one' })).toMatchObject({
      status: 409,
      json: { message: 'there is a world one already: POST /worlds/one/sim/v1/reset begins it again' },
    });
    worlds.stop();
  });

  it('of its root is answered as the root of a server is', async () => {
    const { ask, worlds } = simulators();
    await ask('POST', '/sim/v1/worlds', { name: 'one' });
    const bodies = [];
    for (const path of ['/worlds/one', '/worlds/one/', '/worlds/one?a=b', '/']) bodies.push((await ask('GET', path)).text);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('/api');
    worlds.stop();
  });
});

describe('streams', () => {
  it('of a world end with it, by a deletion, a reset, or the end of the server', async () => {
    const { ask, stream, worlds } = simulators();
    for (const name of ['a', 'b']) await ask('POST', '/sim/v1/worlds', { name });
    const [first, a, b] = [
      await stream(`${MAPS}?watch=1`),
      await stream(`/worlds/a${MAPS}?watch=1`),
      await stream(`/worlds/b${MAPS}?watch=1`),
    ];
    const isOver = () => [first, a, b].map(({ state }) => state.isOver);
    await ask('DELETE', '/sim/v1/worlds/a');
    expect(isOver()).toEqual([false, true, false]);
    await ask('POST', '/worlds/b/sim/v1/reset');
    expect(isOver()).toEqual([false, true, true]);
    worlds.stop();
    expect(isOver()).toEqual([true, true, true]);
    expect((await ask('GET', '/worlds/b/version')).status).toBe(404);
  });

  it('are counted while they are open; other answers are not', () => {
    const streams = createStreams();
    const sink = { write: () => undefined, end: () => undefined };
    const closed: string[] = [];
    const streamed = (name: string) => streams.through({ status: 200, headers: {}, open: () => () => closed.push(name) });
    const whole = { status: 200, headers: {}, body: 'x' };
    expect([streams.through(whole), streams.open]).toEqual([whole, 0]);
    const replies = [streamed('a'), streamed('b')];
    const closers = replies.map((reply) => ('open' in reply ? reply.open(sink) : () => undefined));
    expect(streams.open).toBe(2);
    closers[0]?.();
    expect([streams.open, closed]).toEqual([1, ['a']]);
  });
});

it('a request is admitted by its world before its body is read', () => {
  const { worlds } = simulators();
  expect(worlds.admit({ method: 'GET', target: '/worlds/one/version', headers: {} })).toBeUndefined();
  worlds.stop();
});
