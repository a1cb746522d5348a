/** What the gate answers to pages of other sites, and to those that are allowed: whole refusals and headers. */
import { describe, expect, it } from 'vitest';
import { createGate, readOrigin, serverHosts } from '../../../src/surfaces/http/index.ts';
import type { HttpRequest, WholeReply } from '../../../src/surfaces/http/message.ts';

const ADDRESS = '127.0.0.1:8080';
const PAGE = 'http://localhost:3000';
const gate = createGate({ isServerHost: serverHosts('127.0.0.1', 8080), address: ADDRESS, allowed: new Set([PAGE]) });

const refusal = (code: number, reason: string, message: string): WholeReply => ({
  status: code,
  headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }, undefined, 2),
});
const admit = (headers: Readonly<Record<string, string>>, method = 'GET') => gate.admit({ method, headers: { host: ADDRESS, ...headers } });

describe('a request', () => {
  const OTHER_SITE =
    'a page of another site may not send requests to this server: type its address, or start it with --allow-origin and the origin of the page if that is yours, and use fetch in mode "cors"';
  const ofPage = (origin: string, advice: string) => `a page of ${JSON.stringify(origin)} may not send requests to this server${advice}`;

  it.each<[Readonly<Record<string, string>>, string]>([
    [
      { host: 'evil.example:8080', origin: 'http://evil.example:8080' },
      'this server is 127.0.0.1:8080, and the request names "evil.example:8080": use the server\'s address, or start it with --host, or with --allow-origin http://evil.example:8080',
    ],
    [
      { origin: 'http://evil.example' },
      ofPage('http://evil.example', '; start it with --allow-origin http://evil.example if that page is yours'),
    ],
    [
      { origin: 'http://127.0.0.1:9000' },
      ofPage('http://127.0.0.1:9000', '; start it with --allow-origin http://127.0.0.1:9000 if that page is yours'),
    ],
    [
      { origin: 'ftp://127.0.0.1:8080' },
      ofPage('ftp://127.0.0.1:8080', '; start it with --allow-origin ftp://127.0.0.1:8080 if that page is yours'),
    ],
    [{ origin: 'null' }, ofPage('null', ': open the page from a web server, not from a file')],
    [{ 'sec-fetch-site': 'cross-site' }, OTHER_SITE],
    [{ 'sec-fetch-site': 'same-site' }, OTHER_SITE],
  ])('with %j is refused', (headers, message) => {
    expect(admit(headers)).toEqual(refusal(403, 'Forbidden', message));
  });

  it('of the server itself, of an allowed page, and of a program continues', () => {
    for (const headers of [
      {},
      { origin: `http://${ADDRESS}` },
      { origin: `HTTPS://LOCALHOST:8080` },
      { origin: PAGE, 'sec-fetch-site': 'cross-site' },
      { host: 'LOCALHOST:3000' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ])
      expect(admit(headers), JSON.stringify(headers)).toBeUndefined();
    expect(gate.admit({ method: 'GET', headers: {} })).toBeUndefined();
  });
});

describe('a preflight', () => {
  const READABLE = {
    'access-control-allow-origin': PAGE,
    'access-control-expose-headers': 'Audit-Id, Date, Retry-After, Warning',
    vary: 'Origin',
  };
  const ALLOWED = { ...READABLE, 'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE', 'access-control-max-age': '600' };
  const ASKS = { origin: PAGE, 'access-control-request-method': 'PUT' };

  it.each<[object, object]>([
    [{}, {}],
    [{ 'access-control-request-headers': '' }, {}],
    [{ 'access-control-request-headers': "a-b, X_1,!#$%&'*+.^`|~" }, { 'access-control-allow-headers': "a-b, X_1,!#$%&'*+.^`|~" }],
    [{ 'access-control-request-headers': 'a\r\nb' }, {}],
    [{ 'access-control-request-headers': 'a/b' }, {}],
    [{ 'access-control-request-headers': 'x'.repeat(2000) }, { 'access-control-allow-headers': 'x'.repeat(2000) }],
    [{ 'access-control-request-headers': 'x'.repeat(2001) }, {}],
    [{ 'access-control-request-private-network': 'true' }, { 'access-control-allow-private-network': 'true' }],
    [{ 'access-control-request-private-network': 'false' }, {}],
  ])('of an allowed page with %j is answered with %j besides', (asked, answered) => {
    expect(admit({ ...ASKS, ...asked }, 'OPTIONS')).toEqual({ status: 204, headers: { ...ALLOWED, ...answered }, body: '' });
  });

  it('is one only with its method and header; others continue', () => {
    expect([admit(ASKS), admit({ origin: PAGE }, 'OPTIONS'), admit({ 'access-control-request-method': 'PUT' }, 'OPTIONS')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is followed by answers that the page may read', () => {
    const reply: WholeReply = { status: 200, headers: { a: 'b' }, body: '' };
    const shown = (headers: Readonly<Record<string, string>>) => gate.shown(reply, { method: 'GET', headers });
    expect(shown({ origin: PAGE })).toEqual({ ...reply, headers: { a: 'b', ...READABLE } });
    expect([shown({}), shown({ origin: 'http://evil.example' })]).toEqual([reply, reply]);
  });
});

describe('a body', () => {
  const admitBody = (more: Partial<HttpRequest>) =>
    gate.admitBody({ method: 'POST', target: '/sim/v1/advance', headers: {}, body: new Uint8Array(2), ...more });
  const NEEDS = (found: string) =>
    refusal(
      415,
      'UnsupportedMediaType',
      `a request body needs a Content-Type, and this one has ${found}: send it with the header Content-Type: application/json (curl --json '…', or -H 'Content-Type: application/json' -d '…')`,
    );

  it.each<[Partial<HttpRequest>, WholeReply | undefined]>([
    [{}, NEEDS('none')],
    [{ target: '/sim' }, NEEDS('none')],
    [{ target: '/sim?a=b' }, NEEDS('none')],
    [{ target: '/worlds/one/sim/v1/advance' }, NEEDS('none')],
    [{ target: '/worlds/one/two/sim/v1/advance' }, undefined],
    [{ target: '/simple' }, undefined],
    [{ target: '/x/sim/v1' }, undefined],
    [{ target: '/sim/%zz' }, NEEDS('none')],
    [{ headers: { 'content-type': 'Text/Plain; charset=utf-8' } }, NEEDS('"text/plain"')],
    [{ headers: { 'content-type': 'application/jsonx' } }, NEEDS('"application/jsonx"')],
    [{ headers: { 'content-type': 'xapplication/json' } }, NEEDS('"xapplication/json"')],
    [{ headers: { 'content-type': 'APPLICATION/JSON ; charset=utf-8' } }, undefined],
    [{ headers: { 'content-type': 'application/merge-patch+json' } }, undefined],
    [{ headers: { 'content-type': 'application/apply-patch+yaml' } }, undefined],
    [{ method: 'GET' }, undefined],
    [{ method: 'HEAD' }, undefined],
    [{ method: 'OPTIONS' }, undefined],
    [{ method: 'PUT' }, NEEDS('none')],
    [{ body: new Uint8Array() }, undefined],
    [{ target: '/api/v1/pods', headers: { origin: PAGE } }, NEEDS('none')],
    [{ target: '/api/v1/pods', headers: { 'sec-fetch-site': 'none' } }, NEEDS('none')],
    [{ target: '/api/v1/pods', headers: { origin: PAGE, 'content-type': 'text/plain' } }, undefined],
    [{ target: '/api/v1/pods' }, undefined],
  ])('of %j', (request, expected) => {
    expect(admitBody(request)).toEqual(expected);
  });
});

describe('the name of a server', () => {
  it('is its address, with its port, or without one where browsers leave it out', () => {
    const asked = (host: string, port: number, ...authorities: readonly string[]) => authorities.map(serverHosts(host, port));
    expect(asked('box.LAN', 443, 'box.lan', 'box.lan:443', 'box.lan:80', 'localhost', '[::1]', '127.0.0.1')).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(asked('box.lan', 80, 'box.lan', 'box.lan:', 'box.lan:80x', 'xbox.lan', 'box.lan.')).toEqual([true, false, false, false, false]);
    expect(asked('box.lan', 8080, 'box.lan', 'box.lan:8080')).toEqual([false, true]);
    expect(asked('fe80::1', 8080, '[fe80::1]:8080', 'fe80::1:8080')).toEqual([true, false]);
    expect(asked('[fe80::1]', 8080, '[fe80::1]:8080')).toEqual([true]);
    for (const every of ['0.0.0.0', '::', '[::]'])
      expect(
        asked(
          every,
          8080,
          '1.2.3.4',
          '1.2.3.4:9',
          '[fe80::1]',
          'LocalHost:9',
          '1.2.3',
          '1.2.3.4.5',
          '1.2.3.4x',
          'x1.2.3.4',
          '1234.1.1.1',
          '[x]',
          'box',
          '',
        ),
      ).toEqual([true, true, true, true, ...Array.from({ length: 8 }, () => false)]);
  });
});

describe('an origin', () => {
  const error = (text: string, why = '') => ({
    error: `expected an origin such as http://localhost:3000, found ${JSON.stringify(text)}${why}`,
  });
  it.each<[string, object]>([
    ['http://localhost:80', { origin: 'http://localhost' }],
    ['nope', error('nope')],
    ['ftp://a', error('ftp://a', ': its scheme is http or https')],
    ...['http://u@a', 'http://:p@a', 'http://a?b', 'http://a#b', 'http://a/b'].map((text): [string, object] => [
      text,
      error(text, ': an origin is scheme, host and port; did you mean http://a?'),
    ]),
  ])('%s', (text, expected) => {
    expect(readOrigin(text)).toEqual(expected);
  });
});
