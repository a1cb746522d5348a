/** The host names of a server, and the form of allowed origins. */
import { describe, expect, it } from 'vitest';
import { createGate, serverHosts, readOrigin } from '../../../src/surfaces/http/index.ts';

describe('server hosts', () => {
  it.each([
    ['127.0.0.1', 8080, '127.0.0.1:8080', true],
    ['127.0.0.1', 8080, 'LocalHost:8080', true],
    ['127.0.0.1', 8080, '[::1]:8080', true],
    ['127.0.0.1', 8080, '127.0.0.1:8081', false],
    ['127.0.0.1', 8080, '127.0.0.1', false],
    ['127.0.0.1', 80, '127.0.0.1', true],
    ['127.0.0.1', 8080, 'evil.example:8080', false],
    ['127.0.0.1', 8080, '127.0.0.1.evil.example:8080', false],
    ['127.0.0.1', 8080, 'localhost:8080@evil.example', false],
    ['127.0.0.1', 8080, '', false],
    ['box.lan', 8080, 'box.lan:8080', true],
    ['::1', 8080, '[::1]:8080', true],
    ['0.0.0.0', 8080, '192.168.1.5:9000', true],
    ['0.0.0.0', 8080, '[fe80::1]:8080', true],
    ['::', 8080, 'box.lan:8080', false],
    ['0.0.0.0', 8080, '1.2.3.4.evil.example', false],
  ] as const)('on %s:%d, asked as %s: %s', (host, port, authority, isServerHost) => {
    expect(serverHosts(host, port)(authority)).toBe(isServerHost);
  });
});

describe('--allow-origin', () => {
  it.each([
    ['http://localhost:3000', { origin: 'http://localhost:3000' }],
    ['https://Example.com:443/', { origin: 'https://example.com' }],
    ['http://localhost:3000/app', { error: expect.stringContaining('did you mean http://localhost:3000?') as unknown }],
    ['file:///x', { error: expect.stringContaining('its scheme is http or https') as unknown }],
    ['*', { error: 'expected an origin such as http://localhost:3000, found "*"' }],
    ['null', { error: 'expected an origin such as http://localhost:3000, found "null"' }],
  ])('%s', (text, read) => {
    expect(readOrigin(text)).toEqual(read);
  });
});

describe('the gate', () => {
  const gate = createGate({
    isServerHost: serverHosts('127.0.0.1', 8080),
    address: '127.0.0.1:8080',
    allowed: new Set(['http://localhost:3000', 'http://dev.test:8080']),
  });
  const status = (headers: Readonly<Record<string, string>>, method = 'GET'): number | undefined =>
    gate.admit({ method, headers: { host: '127.0.0.1:8080', ...headers } })?.status;

  it.each([
    ['a program', {}, undefined],
    ['its own page', { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }, undefined],
    ['its own page over TLS', { origin: 'https://localhost:8080' }, undefined],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, undefined],
    ['a page that is allowed', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }, undefined],
    ['a page that is allowed, under its own name', { host: 'dev.test:8080' }, undefined],
    ['a page of another site', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:9000' }, 403],
    ['a page from a file', { origin: 'null' }, 403],
    ['a picture on a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a name that was made to point here', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, 403],
  ])('%s', (_, headers, answer) => {
    expect(status(headers)).toBe(answer);
  });

  it('answers preflight requests, only for allowed pages', () => {
    const ask = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,content-type' };
    expect(gate.admit({ method: 'OPTIONS', headers: { host: '127.0.0.1:8080', origin: 'http://localhost:3000', ...ask } })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-headers': 'authorization,content-type',
        vary: 'Origin',
      },
    });
    expect(status({ origin: 'http://evil.example', ...ask }, 'OPTIONS')).toBe(403);
    expect(status({ origin: 'http://127.0.0.1:8080', ...ask }, 'OPTIONS')).toBeUndefined();
  });

  it.each([
    ['/sim/v1/advance', {}, 415],
    ['/si%6d%2Fv1/advance', {}, 415],
    ['/sim/v1/advance', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['/sim/v1/advance', { 'content-type': 'text/plain' }, 415],
    ['/sim/v1/advance', { 'content-type': 'application/json; charset=utf-8' }, undefined],
    ['/sim/v1/advance', { 'content-type': 'application/yaml' }, undefined],
    ['/api/v1/namespaces', {}, undefined],
    ['/api/v1/namespaces', { origin: 'http://localhost:3000' }, 415],
    ['/api/v1/namespaces', { 'content-type': 'text/plain' }, undefined],
  ])('a body for %s with %j', (target, headers, answer) => {
    expect(gate.admitBody({ method: 'POST', target, headers, body: new Uint8Array(2) })?.status).toBe(answer);
  });
});
