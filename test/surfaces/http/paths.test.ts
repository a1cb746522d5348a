/** Paths and methods: routes of GET, plain handlers, and names with an encoded slash. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const { ask } = setup();

describe('discovery is read', () => {
  it.each(['/api', '/api/v1', '/apis/batch', '/apis/batch/v1', '/apis/policy/v1beta1'])('%s', async (path) => {
    expect((await ask('GET', path)).status).toBe(200);
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect(await ask(method, path), method).toMatchObject({
        status: 405,
        json: { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource', details: {} },
      });
  });

  it.each(['/', '/apis', '/healthz', '/metrics', '/openapi/v2'])('%s is a plain handler, for any method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) expect((await ask(method, path)).status, method).toBe(200);
  });

  it('of unknown paths stays 404, for any method', async () => {
    expect((await ask('POST', '/apis/batch/v9')).status).toBe(404);
    expect((await ask('DELETE', '/apis/nope.io')).text).toBe('404 page not found\n');
  });

  it('HEAD is not GET on resources', async () => {
    for (const path of ['/api/v1/nodes', '/api/v1/nodes/n', '/apis/apps/v1/deployments', '/version'])
      expect((await ask('HEAD', path)).status, path).toBe(405);
  });
});

describe('a path is read without its escapes', () => {
  it('a name with an encoded slash is two elements', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await ask(method, `${pods}/a%2Fb`)).json, method).toMatchObject({
        code: 404,
        message: 'the server could not find the requested resource',
        details: {},
      });
    expect((await ask('GET', `${pods}/a%2fstatus`)).json).toMatchObject({ code: 404, details: { name: 'a', kind: 'pods' } });
    expect((await ask('DELETE', '/api/v1/namespaces/a%2Fb/pods')).status).toBe(404);
    expect((await ask('GET', '/api%2Fv1/no%64es')).json).toMatchObject({ kind: 'NodeList' });
  });

  it('decodes once', async () => {
    expect((await ask('GET', '/api/v1/nodes/a%252Fb')).json).toMatchObject({ code: 404, details: { name: 'a%2Fb' } });
  });

  it('an invalid escape is refused', async () => {
    expect(await ask('GET', '/api/v1/nodes/a%zz')).toMatchObject({ status: 400, text: '400 Bad Request' });
  });
});

describe('a path of OpenAPI', () => {
  interface Operations {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: readonly { name: string; in: string }[] }>>>>;
  }
  const ofPath = (parameters: readonly { name: string; in: string }[]): ReadonlySet<string> =>
    new Set(parameters.flatMap((parameter) => (parameter.in === 'path' ? [parameter.name] : [])));

  it.each(['/openapi/v2', '/openapi/v3/api/v1', '/openapi/v3/apis/batch/v1'])(
    'has a parameter for each of its variables: %s',
    async (url) => {
      const { paths } = (await ask('GET', url)).json as Operations;
      expect(Object.keys(paths).filter((path) => path.includes('{namespace}')).length).toBeGreaterThan(2);
      for (const [path, operations] of Object.entries(paths)) {
        const variables = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        for (const [method, { parameters }] of Object.entries(operations))
          expect(ofPath(parameters), `${method} ${path}`).toEqual(variables);
      }
    },
  );
});
