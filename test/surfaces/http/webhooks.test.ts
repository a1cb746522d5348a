/** Webhooks of a program: calls over HTTPS, with the certificates of their configuration, while the server waits. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AskWebhook } from '../../../src/apiserver/admission/index.ts';
import { askingPrograms, createAuthority, readWebhookRoute } from '../../../src/surfaces/http/index.ts';
import { base64OfText } from '../../../src/schema/values/index.ts';
import { cli } from '../cli/cli.ts';

/** The program: it answers by the path. */
const PROGRAM = `
const { workerData, parentPort } = require('node:worker_threads');
const server = require('node:https').createServer(workerData, (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { apiVersion, request: { uid, objects, desiredAPIVersion } } = JSON.parse(Buffer.concat(parts).toString());
    const [path] = request.url.split('?');
    if (path === '/slow') return;
    if (path === '/broken') { response.statusCode = 500; return response.end('out of order'); }
    if (path === '/text') return response.end('hello');
    if (path === '/none') { response.statusCode = 404; return response.end(); }
    if (path === '/long') return response.end('x'.repeat(3 * 1024 * 1024 + 1));
    if (path === '/cut') return request.socket.destroy();
    if (path === '/convert') {
      const convertedObjects = objects.map(({ spec, ...rest }) => ({
        ...rest,
        apiVersion: desiredAPIVersion,
        spec: desiredAPIVersion.endsWith('/v1') ? { replicas: Number(spec.count) } : { count: String(spec.replicas) },
      }));
      return response.end(JSON.stringify({ apiVersion, kind: 'ConversionReview', response: { uid, result: { status: 'Success' }, convertedObjects } }));
    }
    response.end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid, allowed: true, warnings: [request.url] } }));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let worker: Worker;
let ask: AskWebhook;
let ca = '';
let address = '';

beforeAll(async () => {
  const authority = await createAuthority();
  ca = authority.certificate;
  const { certificate: cert, key } = await authority.forServer(['hooks.default.svc']);
  worker = new Worker(PROGRAM, { eval: true, workerData: { cert, key } });
  const [port] = (await once(worker, 'message')) as [number];
  address = `127.0.0.1:${port}`;
  const route = readWebhookRoute(`default/hooks=https://${address}`);
  if (typeof route === 'string') throw new Error(route);
  ask = askingPrograms(new Map([route]));
});
afterAll(() => worker.terminate());

const call = (path: string, more: object = {}, caBundle = base64OfText(ca)) =>
  ask({
    name: 'a.b.c',
    review: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u' } },
    webhook: {
      name: 'a.b.c',
      clientConfig: { service: { namespace: 'default', name: 'hooks', path, port: 443 }, caBundle, ...more },
      timeoutSeconds: path === '/slow' ? 1 : 5,
    } as never,
  });
const shown = (path: string, seconds = 5) => `Post "https://hooks.default.svc:443${path}?timeout=${seconds}s": `;

describe('a webhook of a program', () => {
  it('is asked at the address of its service, with its certificate verified for the name of the service', () => {
    expect(call('/ok')).toEqual({
      review: {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: 'u', allowed: true, warnings: ['/ok?timeout=5s'] },
      },
    });
    expect(call('/ok', {}, '')).toEqual({ failure: `${shown('/ok')}x509: certificate signed by unknown authority` });
    const other = askingPrograms(new Map([['other', new URL(`https://${address}`)]]));
    const service = { namespace: 'default', name: 'other', port: 443 };
    const failed = other({
      name: 'a.b.c',
      review: {},
      webhook: { clientConfig: { service, caBundle: base64OfText(ca) }, timeoutSeconds: 5 },
    });
    expect(failed).toMatchObject({ failure: expect.stringContaining('x509: certificate is not valid for other.default.svc') });
  });

  it('that does not answer well is a failure, in the words of v1.24', () => {
    expect(call('/broken')).toEqual({ failure: 'an error on the server ("out of order") has prevented the request from succeeding' });
    expect(call('/none')).toEqual({ failure: 'the server could not find the requested resource' });
    expect(call('/long')).toEqual({ failure: `${shown('/long')}the answer is longer than 3145728 bytes` });
    expect(call('/cut')).toEqual({ failure: `${shown('/cut')}socket hang up` });
    expect(call('/text')).toMatchObject({ failure: expect.stringContaining('the answer is not JSON') });
    expect(call('/slow')).toEqual({ failure: `${shown('/slow', 1)}context deadline exceeded` });
    // The next answer is not mixed up with a late one.
    expect('review' in call('/ok')).toBe(true);
  });

  it('is called by its URL only on this machine, and by a service only where one is named', () => {
    expect(call('/ok', { service: undefined, url: 'https://example.com/x' })).toEqual({
      failure: 'Post "https://example.com/x?timeout=5s": only webhooks of this machine are called by their URL',
    });
    expect(call('/ok', { service: { namespace: 'a', name: 'b', port: 8443 } })).toEqual({
      failure:
        'Post "https://b.a.svc:8443/?timeout=5s": no program stands for the service; name it with --webhook a/b=https://127.0.0.1:PORT',
    });
    expect(call('/ok', { service: undefined, url: 'https://127.0.0.1:1/x' })).toEqual({
      failure: 'Post "https://127.0.0.1:1/x?timeout=5s": dial tcp 127.0.0.1:1: connect: connection refused',
    });
    // A service that has the certificate of another one, and a program at the port of HTTPS.
    const named = askingPrograms(new Map([['hooks', new URL(`https://${address}`)]]));
    const service = (name: string) => ({
      clientConfig: { service: { namespace: 'default', name }, caBundle: base64OfText(ca) },
      timeoutSeconds: 5,
    });
    expect('review' in named({ name: 'a.b.c', review: { request: { uid: 'u' } }, webhook: service('hooks') })).toBe(true);
    const usual = askingPrograms(new Map([['hooks', new URL('https://[::1]')]]));
    expect(usual({ name: 'a.b.c', review: {}, webhook: service('hooks') })).toEqual({
      failure: 'Post "https://hooks.default.svc:443/?timeout=5s": dial tcp [::1]: connect: connection refused',
    });
  });

  it('is named by a service and an address', () => {
    expect(readWebhookRoute('a/b=https://127.0.0.1:9443')).toEqual(['a/b', new URL('https://127.0.0.1:9443')]);
    expect(readWebhookRoute('my.hooks-1=https://x')).toEqual(['my.hooks-1', new URL('https://x')]);
    for (const wrong of [
      'hooks',
      'hooks=',
      'hooks=https://',
      'hooks=http://127.0.0.1:1',
      '=https://a',
      'A B=https://a',
      'a/b/c=https://a',
      'hooks=https://a/path',
      'hooks=https://a?x=1',
      'hooks=https://me@a',
    ])
      expect(readWebhookRoute(wrong)).toBe(
        `expected SERVICE=https://HOST:PORT, such as default/my-operator-webhook=https://127.0.0.1:9443, found ${JSON.stringify(wrong)}`,
      );
  });
});

describe('serve --webhook', () => {
  const version = (name: string, storage: boolean, member: string, type: string) => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { [member]: { type } } } } } },
  });
  const definition = (path: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'default', name: 'hooks', path }, caBundle: base64OfText(ca) },
        },
      },
      versions: [version('v1', true, 'replicas', 'integer'), version('v1beta1', false, 'count', 'string')],
    },
  });

  it('converts custom resources by a program over HTTPS: as they are stored, and as they are read', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'conversion-'));
    const stopped = new AbortController();
    let served: Promise<unknown> = Promise.resolve();
    await new Promise<void>((started) => {
      const words = [
        'serve',
        '--domain',
        'k8s.io',
        '--json',
        '--port',
        '0',
        '--kubeconfig',
        'config',
        '--webhook',
        `default/hooks=https://${address}`,
      ];
      served = cli(words, { cwd, stop: stopped.signal, out: () => started() });
    });
    const [url = ''] = /http:\S+/.exec(readFileSync(join(cwd, 'config'), 'utf8')) ?? [];
    const asked = async (path: string, body?: object, method = 'POST'): Promise<unknown> => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const sent = body === undefined ? {} : { method, body: JSON.stringify(body), headers: { 'content-type': type } };
      return (await fetch(`${url}/apis/${path}`, sent)).json();
    };
    try {
      await asked('apiextensions.k8s.io/v1/customresourcedefinitions', definition('/convert'));
      const things = (of: string): string => `example.com/${of}/namespaces/default/things`;
      const made = { apiVersion: 'example.com/v1beta1', kind: 'Thing', metadata: { name: 'a' }, spec: { count: '3' } };
      expect(await asked(things('v1beta1'), made)).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { count: '3' } });
      expect(await asked(`${things('v1')}/a`)).toMatchObject({ apiVersion: 'example.com/v1', spec: { replicas: 3 } });
      expect(await asked(things('v1beta1'))).toMatchObject({ items: [{ apiVersion: 'example.com/v1beta1', spec: { count: '3' } }] });
      const broken = { spec: { conversion: definition('/broken').spec.conversion } };
      await asked('apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com', broken, 'PATCH');
      expect(await asked(`${things('v1beta1')}/a`)).toMatchObject({
        kind: 'Status',
        message: expect.stringMatching(/^conversion webhook for example\.com\/v1, Kind=Thing failed: .*out of order/),
      });
    } finally {
      stopped.abort();
      await served;
    }
  });
});
