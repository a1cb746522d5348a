/** Access to a served cluster: programs, its own page, allowed origins; malformed requests are refused. On sockets and in Chromium. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath } from '../../../support/executable.ts';
import { FLAGS } from '../../page/chromium.ts';
import { JOBS, jobOf, notBuilt, readAll, startServing, type Process } from './serving.ts';

const noBrowser = notBuilt ?? (executablePath === undefined ? 'no Chromium at /usr/bin/chromium (apt-get install chromium)' : undefined);
if (notBuilt !== undefined) console.log(`browser.test.ts skipped: ${notBuilt}`);
else if (noBrowser !== undefined) console.log(`browser.test.ts, pages of other origins, skipped: ${noBrowser}`);

const RESET = '/sim/v1/reset';

describe.skipIf(notBuilt !== undefined)('on a socket', () => {
  let served: Process;
  beforeAll(async () => {
    served = await startServing();
  });
  afterAll(() => served.stop());
  const answerTo = (text: string): Promise<string> => readAll(served.raw(text.replaceAll('PORT', String(served.port))));

  it.each([
    [
      'two Host headers',
      'GET /version HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'two that are alike',
      'GET /version HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nhost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['no Host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no Host, as HTTP/1.0 may', 'GET /version HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 200 /],
    [
      'a TLS handshake',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      /^HTTP\/1\.0 400 Bad Request[\s\S]*Client sent an HTTPS request to an HTTP server\.\n$/,
    ],
    ['noise', '\u0000\u0001\u0002 /version\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['an unknown method', 'BREW /api/v1/pods HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n', /^HTTP\/1\.1 405 /],
    ['the same with another host name', 'BREW /api/v1/pods HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n', /^HTTP\/1\.1 403 /],
    ['the same without a name', 'BREW /api/v1/pods HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'another host name',
      'POST /sim/v1/reset HTTP/1.1\r\nHost: evil.example:PORT\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 403 [\s\S]*this server is 127\.0\.0\.1:/,
    ],
    [
      'a target with a name of its own',
      'POST http://evil.example/sim/v1/reset HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 404 /,
    ],
  ])('%s', async (_, text, answer) => {
    expect(await answerTo(text)).toMatch(answer);
  });

  it('accepts a declared type', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await served.ask('POST', '/sim/v1/advance', '{"by":"1s"}', form);
    expect([refused.status, refused.body['message']]).toEqual([
      415,
      expect.stringContaining('Content-Type: application/json (curl --json') as unknown,
    ]);
    const recorded = await served.ask('POST', JOBS, JSON.stringify(jobOf('j', 1)), form);
    expect([recorded.status, recorded.body['message']]).toEqual([
      415,
      expect.stringContaining('accepted media types include: application/json') as unknown,
    ]);
    expect((await served.ask('POST', '/sim/v1/advance', 'by: 1s', { 'content-type': 'application/yaml' })).status).toBe(200);
  });
});

describe.skipIf(noBrowser !== undefined)('from a page', () => {
  let served: Process;
  let pages: Server;
  let browser: Browser;
  let page: Page;
  let port: number;
  beforeAll(async () => {
    pages = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>a page</title><iframe name="f"></iframe>');
    });
    await new Promise<void>((resolve) => {
      pages.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = pages.address() as AddressInfo);
    served = await startServing('--allow-origin', `http://localhost:${port}`);
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...FLAGS, '--host-resolver-rules=MAP evil.example 127.0.0.1'],
    });
    page = await browser.newPage();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    pages.close();
    await served.stop();
  });

  const steps = async (): Promise<unknown> => {
    const { body } = await served.ask('GET', '/sim/v1/state');
    return [body['now'], body['resourceVersion'], (await served.ask('GET', `${JOBS}/mine`)).status];
  };

  /** Requests of every kind that a page can send, and which responses it could read. */
  const attack = (): Promise<readonly string[]> =>
    page.evaluate(async (url) => {
      const tried = async (name: string, path: string, init: RequestInit): Promise<string> => {
        try {
          const answer = await fetch(url + path, init);
          return `${name}: ${answer.type === 'opaque' ? 'opaque' : answer.status}`;
        } catch {
          return `${name}: refused`;
        }
      };
      const post = { method: 'POST', body: '{"by":"1h"}' };
      const found = [
        await tried('simple', '/sim/v1/advance', post),
        await tried('simple, unread', '/sim/v1/advance', { ...post, mode: 'no-cors' }),
        await tried('reset', '/sim/v1/reset', { method: 'POST', mode: 'no-cors' }),
        await tried('untyped', '/sim/v1/advance', { ...post, body: new Blob([post.body]), mode: 'no-cors' }),
        await tried('json', '/sim/v1/advance', { ...post, headers: { 'content-type': 'application/json' } }),
        await tried('delete', '/apis/batch/v1/namespaces/default/jobs/mine', { method: 'DELETE' }),
        await tried('read', '/api/v1/secrets', {}),
        await tried('read, unread', '/api/v1/pods', { mode: 'no-cors' }),
      ];
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: `${url}/sim/v1/reset`, target: 'f', enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
      await new Promise((done) => {
        setTimeout(done, 500);
      });
      return found;
    }, served.url);

  it('of another origin cannot move time, change or read anything', async () => {
    await served.ask('POST', JOBS, jobOf('mine', 1));
    const before = await steps();
    await page.goto(`http://127.0.0.1:${port}/`);
    expect(await attack()).toEqual([
      'simple: refused',
      'simple, unread: opaque',
      'reset: opaque',
      'untyped: opaque',
      'json: refused',
      'delete: refused',
      'read: refused',
      'read, unread: opaque',
    ]);
    expect(await steps()).toEqual(before);
  }, 60_000);

  it('under a rebound name gets no answer', async () => {
    const before = await steps();
    const answer = await page.goto(`http://evil.example:${served.port}/api/v1/pods`);
    expect(answer?.status()).toBe(403);
    expect(
      await page.evaluate(async () => {
        const { status } = await fetch('/sim/v1/reset', { method: 'POST' });
        return status;
      }),
    ).toBe(403);
    expect(await steps()).toEqual(before);
  }, 60_000);

  it('of an allowed origin can do everything', async () => {
    await page.goto(`http://localhost:${port}/`);
    expect(
      await page.evaluate(async (url) => {
        const json = { 'content-type': 'application/json' };
        const advanced = await fetch(`${url}/sim/v1/advance`, { method: 'POST', headers: json, body: '{"by":"3s"}' });
        const { sinceStartSeconds } = (await advanced.json()) as { sinceStartSeconds: number };
        const deleted = await fetch(`${url}/apis/batch/v1/namespaces/default/jobs/mine`, { method: 'DELETE' });
        const missing = await fetch(`${url}/nowhere`);
        const trace = new EventSource(`${url}/sim/v1/trace`);
        const heard = await new Promise((done) => {
          trace.addEventListener('write', () => {
            done('heard');
          });
          trace.addEventListener('error', () => {
            done('refused');
          });
        });
        trace.close();
        return [sinceStartSeconds, deleted.status, missing.status, heard];
      }, served.url),
    ).toEqual([3, 200, 404, 'heard']);
  }, 60_000);

  it('of the server can do everything', async () => {
    await page.goto(`${served.url}/version`);
    expect(
      await page.evaluate(async (path) => {
        const { status } = await fetch(path, { method: 'POST' });
        return status;
      }, RESET),
    ).toBe(200);
  }, 60_000);
});
