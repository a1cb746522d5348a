/** What the listening server makes of requests and replies on a socket, byte by byte: values in, bytes out, and what is refused at once. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createGate, serverHosts } from '../../../src/surfaces/http/index.ts';
import { type Answering, DROPPED, type HttpRequest, text } from '../../../src/surfaces/http/message.ts';
import type { ListenOptions, Served } from '../../../src/surfaces/http/node/listen.ts';
import { asked, said, serving } from './sockets.ts';

const lines = (reply: string): readonly string[] =>
  reply.split('\r\n').map((line) => line.replace(/^(audit-id|Date): .*/, (_, name: string) => name));
const GET = asked('GET /a');
const PLAIN = 'Content-Type: text/plain; charset=utf-8';

describe('a request', () => {
  it('is a value with its target as it came, its headers in lower case and joined, and its body', async () => {
    const seen: Partial<HttpRequest>[] = [];
    const server = await serving(({ onGone: _, body, ...rest }) => {
      seen.push({ ...rest, body: Buffer.from(body) });
      return text(200, 'ok');
    });
    await said(server, asked('PUT /a%20b?c=d%2F', 'HOST: x\r\nConnection: close\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\n', 'body'));
    const chunks = 'Host: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n';
    await said(server, asked('POST /', chunks, '2\r\nbo\r\n'), '2\r\ndy\r\n0\r\n\r\n');
    await said(server, GET);
    const headers = { host: 'x', connection: 'close' };
    expect(seen).toEqual([
      {
        method: 'PUT',
        target: '/a%20b?c=d%2F',
        headers: { ...headers, 'x-a': '1, 2', 'content-length': '4' },
        body: Buffer.from('body'),
        peer: undefined,
      },
      { method: 'POST', target: '/', headers: { ...headers, 'transfer-encoding': 'chunked' }, body: Buffer.from('body'), peer: undefined },
      { method: 'GET', target: '/a', headers, body: Buffer.of(), peer: undefined },
    ]);
  });

  it('with two Host headers is refused', async () => {
    const server = await serving(() => text(200, 'ok'));
    expect(lines(await said(server, asked('GET /', 'Host: x\r\nhOST: y\r\n')))).toEqual([
      'HTTP/1.1 400 Bad Request',
      'content-type: text/plain; charset=utf-8',
      'audit-id',
      'connection: close',
      'content-length: 34',
      'Date',
      '',
      '400 Bad Request: two Host headers\n',
    ]);
  });

  it('is logged when its answer is sent, or its client is gone', async () => {
    const served: Served[] = [];
    const gone: string[] = [];
    let logged = (): void => undefined;
    const server = await serving(
      ({ target, onGone }) => {
        onGone?.(() => gone.push(target));
        return target === '/never' ? new Promise(() => undefined) : text(201, 'ok');
      },
      {
        onServed(each) {
          served.push(each);
          logged();
        },
      },
    );
    await said(server, asked('POST /a', 'Host: x\r\nConnection: close\r\nUser-Agent: me\r\n'));
    const socket = connect(server.port, '127.0.0.1');
    socket.write(asked('GET /never'));
    await new Promise((go) => setTimeout(go, 50));
    const isLogged = new Promise<void>((go) => (logged = go));
    socket.destroy();
    await isLogged;
    expect(served.map(({ ms, ...rest }) => ({ ...rest, isTimed: ms >= 0 && ms < 5_000 }))).toEqual([
      { method: 'POST', target: '/a', status: 201, agent: 'me', isTimed: true },
      { method: 'GET', target: '/never', status: 499, agent: '', isTimed: true },
    ]);
    expect(gone).toEqual(['/never']);
  });
});

describe('a reply', () => {
  it('has its headers, as often as they come and as UTF-8, and its length', async () => {
    const headers = { 'content-type': 'a/b', warning: ['299 - "é"', '299 - "b"'] };
    const server = await serving(() => ({ status: 203, headers, body: 'größer' }));
    expect(lines(await said(server, GET))).toEqual([
      'HTTP/1.1 203 Non-Authoritative Information',
      'content-type: a/b',
      'warning: 299 - "é"',
      'warning: 299 - "b"',
      'audit-id',
      'content-length: 8',
      'Date',
      'Connection: close',
      '',
      'größer',
    ]);
  });

  it('without a body has no length; one that is dropped is no answer', async () => {
    const nothing = await serving(() => ({ status: 204, headers: {}, body: '' }));
    expect(await said(nothing, GET)).not.toContain('ength');
    const dropping = await serving(() => DROPPED);
    expect(await said(dropping, GET)).toBe('');
  });

  it('that fails is an internal error, and reported', async () => {
    const failed: unknown[] = [];
    const broken = new Error('broken');
    const server = await serving(
      ({ target }) => {
        if (target === '/a') throw broken;
        return Promise.reject(broken);
      },
      { onFailure: (error) => failed.push(error) },
    );
    for (const target of ['/a', '/b']) {
      const [head, body = ''] = (await said(server, asked(`GET ${target}`))).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\ncontent-type: application\/json\r\n/);
      expect(body).toContain('"message":"Internal error occurred: a bug in the simulator"');
    }
    expect(failed).toEqual([broken, broken]);
  });

  it('of a page of another origin is readable where the gate allows it, and is no answer of the API else', async () => {
    const gate: NonNullable<ListenOptions['gate']> = ({ host, port }) =>
      createGate({ isServerHost: serverHosts(host, port), address: `${host}:${port}`, allowed: new Set(['http://a']) });
    const server = await serving((http) => (http.target === '/later' ? Promise.resolve(text(200, 'ok')) : text(200, 'ok')), { gate });
    const from = async (head: string, ...headers: readonly string[]): Promise<string> => {
      const all = [`Host: 127.0.0.1:${server.port}`, 'Connection: close', ...headers].map((line) => `${line}\r\n`).join('');
      const reply = await said(server, asked(head, all));
      return `${reply.slice(9, 12)} ${String(/access-control-allow-origin: http:\/\/a\r/.test(reply))}`;
    };
    expect(await from('GET /', 'Origin: http://a')).toBe('200 true');
    expect(await from('GET /later', 'Origin: http://a')).toBe('200 true');
    expect(await from('GET /')).toBe('200 false');
    expect(await from('GET /', 'Origin: http://b')).toBe('403 false');
    expect(await from('OPTIONS /', 'Origin: http://a', 'Access-Control-Request-Method: PUT')).toBe('204 true');
    expect((await said(server, asked('GET /', 'Host: evil\r\nConnection: close\r\n'))).slice(9, 12)).toBe('403');
  });
});

describe('bytes that the parser refuses', () => {
  const REFUSED = `HTTP/1.1 400 Bad Request\r\n${PLAIN}\r\nConnection: close\r\n\r\n400 Bad Request`;
  const api: Answering = ({ method, target, headers, body }) => {
    if (target === '/stream') return { status: 200, headers: {}, open: () => () => undefined };
    if (target === '/fails') throw new Error('broken');
    return { status: 405, headers: { 'x-a': ['1', '2'] }, body: JSON.stringify({ method, target, headers, body: body.length }) };
  };

  it('are answered by the API where only the method is unknown', async () => {
    const server = await serving(api);
    const body = '{"method":"FOO","target":"/a?b","headers":{"host":"x","x-b":"c: d"},"body":0}';
    expect(await said(server, 'FOO /a?b HTTP/1.1\r\nHost: x\r\nX-B:  c: d \r\n\r\nrest')).toBe(
      `HTTP/1.1 405 Method Not Allowed\r\nx-a: 1\r\nx-a: 2\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(await said(server, 'foo / HTTP/1.0\r\nhost: x\r\n\r\n')).toContain('"method":"foo"');
  });

  it.each([
    ['is malformed', 'GET\r\n\r\n'],
    ['names no host', 'FOO / HTTP/1.1\r\n\r\n'],
    ['names two hosts', 'FOO / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
    ['has another version', 'FOO / HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['has a method of 41 letters', `${'F'.repeat(41)} / HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['has a method that is no word', 'F_O / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['has no target', 'FOO  HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['asks for a stream', 'FOO /stream HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['makes the API fail', 'FOO /fails HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('are a bad request where it %s', async (_, bytes) => {
    expect(await said(await serving(api), bytes)).toBe(REFUSED);
  });

  it('are a bad request after the answer to the request before them', async () => {
    const server = await serving(({ target }) =>
      target === '/slow' ? new Promise((go) => setTimeout(go, 20, text(200, 'slow'))) : text(200, 'ok'),
    );
    const kept = asked('GET /', 'Host: x\r\n');
    for (const [first, word] of [
      [kept, 'ok'],
      [asked('GET /slow', 'Host: x\r\n'), 'slow'],
    ] as const) {
      const reply = await said(server, first + '\0\0\r\n\r\n');
      expect(reply.startsWith('HTTP/1.1 200 OK')).toBe(true);
      expect(reply.endsWith(`${word}${REFUSED}`)).toBe(true);
    }
    // The error is in the body of the request itself.
    const chunked = asked('POST /slow', 'Host: x\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n');
    expect(await said(server, chunked)).toBe(REFUSED);
  });

  it('are told where to go when they begin a handshake of TLS', async () => {
    expect(await said(await serving(api), Buffer.from([0x16, 0x03, 0x01, 0x00, 0x01]))).toBe(
      `HTTP/1.0 400 Bad Request\r\n${PLAIN}\r\nConnection: close\r\n\r\nClient sent an HTTPS request to an HTTP server.\n`,
    );
  });
});
