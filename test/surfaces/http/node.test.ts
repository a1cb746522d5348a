/** Behaviour of sockets: two requests in a packet, bodies before authentication, silence. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { createApi, createAuthority, rbacAccess, listen, type Listening } from '../../../src/surfaces/http/index.ts';
import type { ListenOptions } from '../../../src/surfaces/http/node/listen.ts';
import { setup } from './setup.ts';

const open: Listening[] = [];
afterAll(async () => {
  for (const each of open) await each.close();
});

async function serving(options: Partial<ListenOptions> = {}, guarded = false) {
  const tokens = new Map([['t', { name: 'root', groups: ['system:masters', 'system:authenticated'] }]]);
  const { backend, timers, store } = setup();
  const api = createApi({ backend, timers, ...(guarded ? rbacAccess(backend, { tokens, anonymous: false }) : {}) });
  let asked = 0;
  const listening = await listen(
    (http) => {
      asked++;
      return api(http);
    },
    { port: 0, admit: api.admit, ...options },
  );
  open.push(listening);
  return { ...listening, store, asked: () => asked };
}

/** Sends texts on a new connection. Returns everything until it is closed, or until a timeout. */
function said(port: number, texts: readonly (string | Uint8Array)[], ms = 1500): Promise<string> {
  return new Promise((resolve) => {
    let came = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const text of texts) socket.write(text);
    });
    const end = (): void => {
      socket.destroy();
      resolve(came);
    };
    socket.on('data', (part: Buffer) => {
      came += part.toString();
    });
    socket.on('close', end);
    socket.on('error', end);
    setTimeout(end, ms);
  });
}

const statuses = (text: string): readonly string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
const BODY = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
const MAPS = '/api/v1/namespaces/default/configmaps';
const post = (body = BODY, headers = '') =>
  `POST ${MAPS} HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
/** A request after whose answer the server closes the connection, so that nothing waits for more. */
const last = (request: string): string => request.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n');
const remove = `DELETE ${MAPS}/a HTTP/1.1\r\nHost: x\r\n\r\n`;
const FOO = 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('a method that the parser does not know', () => {
  it.each([
    ['in the same packet', [post() + FOO]],
    ['in the next packet', [post(), FOO]],
    ['with the body apart', [post().replace(BODY, ''), BODY + FOO]],
  ])('does not change the answer of the request before it: %s', async (_, texts) => {
    const { port, store, asked } = await serving();
    const text = await said(port, texts);
    expect(statuses(text)).toEqual(['201', '400']);
    expect(store.get('ConfigMap', 'default/a')).toBeDefined();
    expect(asked()).toBe(1);
  });

  it('does not repeat the request before it', async () => {
    const { port, asked } = await serving();
    await said(port, [last(post())], 300);
    expect(statuses(await said(port, [remove + FOO]))).toEqual(['200', '400']);
    expect(asked()).toBe(2);
  });
});

describe('a body', () => {
  it('is not read before authentication and authorization', async () => {
    const { port, asked } = await serving({}, true);
    const large = 'x'.repeat(3_000_000);
    const text = await said(
      port,
      [post().replace(`Content-Length: ${BODY.length}`, 'Content-Length: 3100000').replace(BODY, ''), large],
      3000,
    );
    expect(statuses(text)).toEqual(['401']);
    expect(asked()).toBe(0);
    expect(statuses(await said(port, [last(post(BODY, 'Authorization: Bearer t\r\n'))], 1500))).toEqual(['201']);
    // After a small one the connection is kept.
    expect(statuses(await said(port, [post(), post(BODY.replace('"a"', '"b"'), 'Authorization: Bearer t\r\n')], 1500))).toEqual([
      '401',
      '201',
    ]);
  });

  it('is refused while too many bytes of others are in memory, and accepted afterwards', async () => {
    const { port } = await serving({ maxBodies: 1_000_000 });
    const held: Socket[] = [];
    for (let n = 0; n < 4; n++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 400000\r\n\r\n${'x'.repeat(250_000)}`,
      );
      held.push(socket);
    }
    await new Promise((resolve) => setTimeout(resolve, 800));
    const refused = await said(port, [last(post())], 1000);
    expect(statuses(refused)).toEqual(['429']);
    expect(refused).toMatch(/retry-after: 1/i);
    for (const socket of held) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(statuses(await said(port, [last(post())], 1500))).toEqual(['201']);
  });
});

describe('an answer', () => {
  const list = `GET ${MAPS} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const large = (name: string): string =>
    post(
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(900_000) } }),
      'Connection: close\r\n',
    );

  it('that nobody reads keeps others from reads, not from writes, and is cut off in the end', { timeout: 30_000 }, async () => {
    const { port } = await serving({ maxAnswers: 10_000_000, patienceMs: 3_000 });
    // More than sockets hold by themselves.
    for (let n = 0; n < 16; n++) expect(statuses(await said(port, [large(`m${n}`)], 5000))).toEqual(['201']);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    silent.pause();
    silent.write(list);
    await new Promise((resolve) => setTimeout(resolve, 800));
    const refused = await said(port, [last(list)], 500);
    expect(statuses(refused)).toEqual(['429']);
    expect(refused).toMatch(/retry-after: 1/i);
    expect(refused).toContain('too many bytes of answers wait for their clients');
    expect(statuses(await said(port, [last(post())], 500))).toEqual(['201']);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(statuses(await said(port, [last(list)], 1500)).slice(0, 1)).toEqual(['200']);
    silent.destroy();
  });

  it('keeps others from writes too when twice as much waits, and nothing is stored then', { timeout: 30_000 }, async () => {
    const { port, store } = await serving({ maxAnswers: 1_000_000, patienceMs: 3_000 });
    for (let n = 0; n < 16; n++) expect(statuses(await said(port, [large(`m${n}`)], 5000))).toEqual(['201']);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    silent.pause();
    silent.write(list);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(statuses(await said(port, [last(post())], 500))).toEqual(['429']);
    expect(store.get('ConfigMap', 'default/a')).toBeUndefined();
    silent.destroy();
  });

  it('in parts counts what waits of it, and is cut off too', { timeout: 60_000 }, async () => {
    const { port, store } = await serving({ maxAnswers: 100_000, patienceMs: 3_000 });
    const items = Array.from({ length: 600 }, (_, n) =>
      post(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `p${n}` }, data: { text: 'x'.repeat(20_000) } })),
    );
    await said(port, [...items.slice(1), last(items[0] ?? '')], 5000);
    expect([...store.values('ConfigMap')].length).toBeGreaterThan(500);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    silent.pause();
    silent.write(list);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(statuses(await said(port, [last(list)], 500))).toEqual(['429']);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(statuses(await said(port, [last(list)], 1500)).slice(0, 1)).toEqual(['200']);
    silent.destroy();
  });

  it('carries warnings with whatever stands in them, or leaves them out', async () => {
    const { port, store } = await serving();
    const owned = (name: string, uid: string): string => {
      const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences: [owner, owner] } };
      const text = JSON.stringify(body);
      return post(text, 'Connection: close\r\n').replace(`Content-Length: ${text.length}`, `Content-Length: ${Buffer.byteLength(text)}`);
    };
    for (const [at, uid] of ['\u0000', '\u001B[31m', 'a\r\nX-Evil: 1', '\u009B'].entries()) {
      const text = await said(port, [owned(`w${at}`, uid)], 5000);
      expect([statuses(text), /^(?:warning|x-evil)/im.test(text)]).toEqual([['201'], false]);
      expect(store.get('ConfigMap', `default/w${at}`)).toBeDefined();
    }
    const text = await said(port, [owned('u', 'é日本"')], 5000);
    expect(text).toMatch(/^warning: 299 - ".* observed: é日本\\""\r$/m);
    const long = await said(port, [owned('l', 'x'.repeat(100_000))], 5000);
    expect(/^warning: (.*)\r$/m.exec(long)?.[1]?.length).toBe('299 - ""'.length + 256);
  });
});

it('heads that never come whole keep no more than so many bytes behind TLS too', { timeout: 30_000 }, async () => {
  const own = await (await createAuthority()).forServer(['127.0.0.1']);
  const { port } = await serving({ maxHeads: 1_000_000, tls: { ...own, clientCas: [], plainToo: true } });
  const open = Array.from({ length: 30 }, () => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('error', () => undefined);
    socket.write(`GET /api HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(100_000)}`);
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const left = open.filter((socket) => !socket.destroyed).length;
  expect(left).toBeGreaterThan(5);
  expect(left).toBeLessThanOrEqual(10);
  expect(statuses(await said(port, [last(post())], 1500))).toEqual(['201']);
  for (const socket of open) socket.destroy();
});
