/** Requests for logs: their options, which container, what stands in the way, and which lines a reader gets, from a log that is given. */
import { describe, expect, it } from 'vitest';
import { createApi, type Backend } from '../../../src/surfaces/http/index.ts';
import { manualTimers } from '../../support/timers.ts';
import { setup } from './setup.ts';

const PODS = '/api/v1/namespaces/default/pods';
const START = Date.parse('2024-03-01T00:00:00Z');
type Log = ReturnType<NonNullable<Backend['logOf']>>;
type Line = ReturnType<Log['lines']>[number];
const line = (ms: number, text: string): Line => ({ at: START + ms, text });

interface Given {
  readonly one?: boolean;
  readonly state?: object;
  readonly log?: Partial<Log> & { readonly all?: readonly Line[] };
  readonly isUp?: boolean;
}

/** A node and a pod with the containers `c` and `side`, or `c` alone; `log` is what its agent has. */
async function world({ one = true, state = { running: {} }, log = {}, isUp = true }: Given = {}) {
  const { backend, ask, store } = setup();
  const containers = ['c', ...(one ? [] : ['side'])].map((name) => ({ name, image: 'i' }));
  await ask('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers, initContainers: one ? undefined : [{ name: 'init', image: 'i' }] },
  };
  const { json } = await ask('POST', PODS, pod);
  const containerStatuses = [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state }];
  await ask('PUT', `${PODS}/p/status`, {
    ...pod,
    metadata: (json as { readonly metadata: object }).metadata,
    status: { phase: 'Running', hostIP: '192.168.0.9', containerStatuses },
  });
  const given = { now: START + 10_000, log, asked: [] as unknown[] };
  const timers = manualTimers();
  const api = createApi({
    timers,
    backend: {
      ...backend,
      kinds: backend.kinds,
      now: () => given.now,
      agentIsUp: () => isUp,
      logOf: () => ({
        current: undefined,
        previous: undefined,
        lines: (_, how) => {
          given.asked.push(how);
          return (given.log.all ?? []).filter(({ at }) => how.afterMs === undefined || at > START + how.afterMs).slice(-how.most);
        },
        ...given.log,
      }),
    },
  });
  const send = (query: string, headers = {}, name = 'p', method = 'GET') =>
    api({ method, target: `${PODS}/${name}/log?${query}`, headers, body: new Uint8Array() });
  const read = async (...args: Parameters<typeof send>): Promise<string> => {
    const reply = await send(...args);
    if ('open' in reply) throw new Error('a stream');
    const text = String(reply.body);
    return reply.status === 200 ? text : `${reply.status} ${(JSON.parse(text) as { readonly message: string }).message}`;
  };
  const follow = async (query = '') => {
    const reply = await send(`follow=1&${query}`);
    if (!('open' in reply)) throw new Error(String(reply.body));
    const seen = { text: '', ended: 0 };
    const close = reply.open({ write: (text) => (seen.text += text), end: () => seen.ended++ });
    return { seen, close };
  };
  return { read, follow, given, timers, ask, store };
}

const running = (elapsedMs = 10_000, more: object = {}) => ({ restart: 0, startedAt: START, elapsedMs, ...more });
const ended = running(10_000, { exitCode: 0 });
const LINES = [line(1000, 'one'), line(2500, 'two'), line(9000, 'three')];

describe('the options of a log', () => {
  const invalid = (text: string) => `422 PodLogOptions "p" is invalid: ${text}`;
  it.each<[string, string]>([
    ['tailLines=-1', invalid('tailLines: Invalid value: -1: must be greater than or equal to 0')],
    ['tailLines=0', ''],
    ['tailLines=2', 'two\nthree\n'],
    ['tailLines=99', 'one\ntwo\nthree\n'],
    ['limitBytes=0', invalid('limitBytes: Invalid value: 0: must be greater than 0')],
    ['limitBytes=1', 'o'],
    ['limitBytes=99', 'one\ntwo\nthree\n'],
    ['sinceSeconds=0', invalid('sinceSeconds: Invalid value: 0: must be greater than 0')],
    ['sinceSeconds=1', 'three\n'],
    ['sinceSeconds=8', 'two\nthree\n'],
    ['sinceTime=2024-03-01T00:00:01Z', 'one\ntwo\nthree\n'],
    ['sinceTime=2024-03-01T00:00:02Z', 'two\nthree\n'],
    [
      'sinceTime=2024-03-01T00:00:02Z&sinceSeconds=1',
      invalid('Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified').replace('invalid: ', 'invalid: : '),
    ],
    ['sinceTime=x', '400 parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['timestamps=1', '2024-03-01T00:00:01.000000000Z one\n2024-03-01T00:00:02.500000000Z two\n2024-03-01T00:00:09.000000000Z three\n'],
    ['tailLines=2&sinceSeconds=1', 'three\n'],
    ['container=c', 'one\ntwo\nthree\n'],
    ['container=d', '400 container d is not valid for pod p'],
    ['previous=1', '400 previous terminated container "c" in pod "p" not found'],
  ])('%s', async (query, expected) => {
    const { read } = await world({ log: { current: ended, all: LINES } });
    expect(await read(query)).toBe(expected);
  });

  it('never divide a character', async () => {
    const { read } = await world({ log: { current: ended, all: [line(0, 'é☃')] } });
    expect([
      await read('limitBytes=1'),
      await read('limitBytes=2'),
      await read('limitBytes=4'),
      await read('limitBytes=5'),
      await read('limitBytes=6'),
    ]).toEqual(['', 'é', 'é', 'é☃', 'é☃\n']);
  });

  it('ask the agent for no more lines than they show', async () => {
    const { read, given } = await world({ log: { current: ended, all: LINES } });
    for (const query of ['', 'tailLines=5', 'tailLines=9999', 'tailLines=20000']) await read(query);
    expect(given.asked).toEqual([{ most: 10_000 }, { most: 105 }, { most: 10_000 }, { most: 10_000 }]);
  });
});

describe('a request', () => {
  it('of a pod with several containers names one of them', async () => {
    const { read } = await world({ one: false, log: { current: ended, all: LINES } });
    expect([await read(''), await read('container=init'), await read('container=side')]).toEqual([
      '400 a container name must be specified for pod p, choose one of: [init c side]',
      '400 container "init" in pod "p" is not available',
      '400 container "side" in pod "p" is not available',
    ]);
  });

  it('is read only, in text or in any other type', async () => {
    const { read } = await world({ log: { current: ended, all: LINES } });
    const all = 'one\ntwo\nthree\n';
    expect([
      await read('', { accept: 'text/plain' }),
      await read('', { accept: 'application/json, */*' }),
      await read('', { accept: 'image/png' }),
      await read('', {}, 'p', 'POST'),
      await read('', {}, 'q'),
    ]).toEqual([
      all,
      all,
      '406 406: Not Acceptable',
      '405 the server does not allow this method on the requested resource',
      '404 pods "q" not found',
    ]);
  });

  it('is passed to the agent of the node, which must be there', async () => {
    const down = await world({ isUp: false });
    expect(await down.read('')).toBe(
      '500 Get "https://192.168.0.9:10250/containerLogs/default/p/c": dial tcp 192.168.0.9:10250: connect: connection refused',
    );
    await down.ask('DELETE', '/api/v1/nodes/n');
    expect(await down.read('')).toBe('404 nodes "n" not found');
  });

  it.each<[object, string]>([
    [{ waiting: { reason: 'ContainerCreating' } }, 'is waiting to start: ContainerCreating'],
    [{ waiting: { reason: 'ErrImagePull' } }, "is waiting to start: image can't be pulled"],
    [{ waiting: { reason: 'ImagePullBackOff' } }, 'is waiting to start: trying and failing to pull image'],
    [{ running: {} }, 'is waiting to start - no logs yet'],
  ])('of a container in the state %j that has no log says why', async (state, why) => {
    const { read } = await world({ state });
    expect(await read('')).toBe(`400 container "c" in pod "p" ${why}`);
  });

  it('for the instance before gets its lines, and does not follow', async () => {
    const { read, follow } = await world({ log: { previous: running(), all: LINES } });
    expect(await read('previous=1&follow=1')).toBe('one\ntwo\nthree\n');
    await expect(follow('previous=1')).rejects.toThrow('one\ntwo\nthree');
  });
});

describe('a follower', () => {
  it('gets each line once, as time passes, until the container ends', async () => {
    const { follow, given, timers } = await world({ log: { current: running(), all: LINES } });
    const { seen } = await follow('tailLines=1&timestamps=1');
    expect(seen).toEqual({ text: '2024-03-01T00:00:09.000000000Z three\n', ended: 0 });
    timers.advance(50);
    const pass = (now: number, log: object): void => {
      Object.assign(given, { now: START + now, log });
      timers.advance(50);
    };
    pass(11_000, { current: running(11_000), all: [...LINES, line(10_500, 'four'), line(11_000, 'five')] });
    // A line of the very instant that was read before is new if it was not there.
    pass(11_001, { current: running(11_001), all: [...LINES, line(10_500, 'four'), line(11_000, 'five'), line(11_000, 'six')] });
    pass(12_000, {
      current: running(12_000, { restart: 1 }),
      previous: running(11_500, { exitCode: 1 }),
      all: [...LINES, line(11_500, 'last')],
    });
    expect(seen.text.split('\n').map((each) => each.slice(31))).toEqual(['three', 'four', 'five', 'six', 'last', '']);
    expect(seen.ended).toBe(1);
    pass(13_000, { current: running(13_000), all: [line(12_500, 'late')] });
    expect(seen.ended).toBe(1);
  });

  it('ends with its limit, when its instance is gone, with the pod, or when it leaves', async () => {
    const limited = await world({ log: { current: running(), all: LINES } });
    expect((await limited.follow('limitBytes=5')).seen).toEqual({ text: 'one\nt', ended: 1 });
    const gone = await world({ log: { current: running(), all: [] } });
    const lost = await gone.follow();
    Object.assign(gone.given, { now: START + 11_000, log: { current: running(1000, { restart: 2 }) } });
    gone.timers.advance(50);
    expect(lost.seen).toEqual({ text: '', ended: 1 });
    const deleted = await world({ log: { current: running(), all: [] } });
    const last = await deleted.follow();
    await deleted.ask('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
    expect(last.seen.ended).toBe(1);
    const left = await world({ log: { current: running(), all: [] } });
    const { seen, close } = await left.follow();
    close();
    Object.assign(left.given, { now: START + 11_000, log: { current: running(11_000), all: [line(10_500, 'x')] } });
    left.timers.advance(50);
    expect(seen).toEqual({ text: '', ended: 0 });
  });
});

it('the log of a pod without a node is empty', async () => {
  const { ask } = setup();
  await ask('POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  expect(await ask('GET', `${PODS}/p/log`)).toMatchObject({ status: 200, type: 'text/plain', text: '' });
});
