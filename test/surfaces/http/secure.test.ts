/** One port for HTTPS and plain HTTP, the users of client certificates, and bodies that are refused before they are read. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAuthority, type Listening } from '../../../src/surfaces/http/index.ts';
import { type Answering, text } from '../../../src/surfaces/http/message.ts';
import { asked, said, serving } from './sockets.ts';

const authority = await createAuthority();
const own = await authority.forServer(['127.0.0.1']);
const GET = asked('GET /a');
const peers: Answering = ({ peer }) => text(200, JSON.stringify(peer ?? null));

/** Asks over TLS, with a client certificate or without. */
async function secretly({ port }: Listening, client?: { readonly certificate: string; readonly key: string }): Promise<string> {
  const pair = client === undefined ? {} : { cert: client.certificate, key: client.key };
  const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate, ...pair });
  socket.on('error', () => undefined);
  let all = '';
  socket.on('data', (part: Buffer) => (all += part.toString()));
  socket.write(GET);
  await once(socket, 'close');
  return all.split('\r\n\r\n')[1] ?? all;
}
const serve = (plainToo: boolean) => serving(peers, { tls: { ...own, clientCas: [authority.certificate], plainToo } });

describe('a port of HTTPS', () => {
  it('serves plain HTTP too where it is asked to, and says what it is elsewhere', async () => {
    const both = await serve(true);
    expect([await secretly(both), (await said(both, GET)).split('\r\n\r\n')[1]]).toEqual(['null', 'null']);
    // Bytes that the parser refuses, on either.
    expect((await said(both, 'GET\r\n\r\n')).endsWith('400 Bad Request')).toBe(true);
    const alone = await serve(false);
    expect(await secretly(alone)).toBe('null');
    expect(await said(alone, GET)).toBe(
      'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    );
  });

  it('knows the users of certificates that its authorities have signed', async () => {
    const server = await serve(false);
    const other = await createAuthority();
    expect(await secretly(server, await authority.forClient('jane', ['a', 'b']))).toBe('{"name":"jane","groups":["a","b"]}');
    expect(await secretly(server, await authority.forClient('jane', ['a']))).toBe('{"name":"jane","groups":["a"]}');
    expect(await secretly(server, await authority.forClient('jane', []))).toBe('{"name":"jane","groups":[]}');
    expect(await secretly(server, await authority.forClient('', ['a']))).toBe('null');
    expect(await secretly(server, await other.forClient('jane', []))).toBe('"untrusted"');
  });

  it('closes connections that have said nothing when it ends', async () => {
    const server = await serve(true);
    const silent = said(server);
    const greeted = said(server, asked('GET /a', 'Host: x\r\n'));
    await said(server, GET);
    await server.close();
    expect([await silent, (await greeted).includes('200 OK')]).toEqual(['', true]);
  });
});

describe('a body', () => {
  const refusing = () => serving(peers, { admit: () => text(401, 'who?') });
  const post = (length: string, body = ''): string => asked('POST /', `Host: x\r\n${length}\r\n`, body);

  it('is not read where its request is refused: up to 256 KiB the connection goes on', async () => {
    const server = await refusing();
    const small = await said(server, post('Content-Length: 4', 'body') + GET);
    expect([...small.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200']);
    expect(small).not.toMatch(/401[^]*connection: close[^]*200 OK/);
    for (const head of ['Content-Length: 262145', 'Transfer-Encoding: chunked'])
      expect(await said(server, post(head))).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*connection: close\r\n[^]*\r\n\r\nwho\?$/);
  });

  it('is refused while others fill the memory', async () => {
    const server = await serving(peers, { maxBodies: 3 });
    const full = await said(server, post('Content-Length: 4', 'body'));
    expect(full).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1\r\n[^]*too many bytes of requests are being read, please try again later/i);
    expect(await said(server, asked('POST /', 'Host: x\r\nConnection: close\r\nContent-Length: 3\r\n', 'bod'))).toContain('200 OK');
  });
});
