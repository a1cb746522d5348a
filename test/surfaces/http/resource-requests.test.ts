/** Requests about resources that are not plain reads and writes: bindings, patches that cannot be read, deletions with bodies, deadlines. */
import { describe, expect, it } from 'vitest';
import { LEASES, lease, setup } from './setup.ts';

const PODS = '/api/v1/namespaces/default/pods';
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
type Asked = ReturnType<typeof setup>;
const said = async ({ ask }: Asked, method: string, path: string, body?: unknown, headers = {}): Promise<string> => {
  const { status, json } = await ask(method, path, body, headers);
  return `${status} ${(json as { readonly message?: string }).message ?? ''}`.trim();
};
const NOT_ALLOWED = '405 the server does not allow this method on the requested resource';

describe('a binding', () => {
  const bind = (metadata: object) => ({ apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } });

  it('may be posted beside the pods, with the name of one', async () => {
    const world = setup();
    await world.ask('POST', PODS, POD);
    const at = '/api/v1/namespaces/default/bindings';
    expect([
      await said(world, 'POST', at, bind({})),
      await said(world, 'POST', at, bind({ name: '' })),
      await said(world, 'POST', at, bind({ name: 7 })),
      await said(world, 'GET', at),
      await said(world, 'POST', at, bind({ name: 'p' }), { accept: 'text/html' }),
      await said(world, 'POST', at, bind({ name: 'q' })),
      await said(world, 'POST', at, bind({ name: 'p' })),
      await said(world, 'POST', at, bind({ name: 'p' })),
      await said(world, 'GET', `${at}/p`),
      await said(world, 'POST', '/api/v1/bindings', bind({ name: 'p' })),
    ]).toEqual([
      '400 name is required',
      '400 name is required',
      '400 name is required',
      NOT_ALLOWED,
      '406 406: Not Acceptable',
      '404 pods "q" not found',
      '201',
      '409 Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
      '404 the server could not find the requested resource',
      '404 the server could not find the requested resource',
    ]);
    expect((await world.ask('GET', `${PODS}/p`)).json).toMatchObject({ spec: { nodeName: 'n' } });
  });
});

describe('a sub-resource that needs a machine', () => {
  it('is refused with the reason, after the object is found and the method is one of its own', async () => {
    const world = setup();
    await world.ask('POST', PODS, POD);
    expect([
      await said(world, 'GET', `${PODS}/p/exec`),
      await said(world, 'POST', `${PODS}/p/attach`),
      await said(world, 'GET', `${PODS}/p/portforward`),
      await said(world, 'DELETE', `${PODS}/p/proxy/a/b`),
      await said(world, 'GET', `${PODS}/p/ephemeralcontainers`),
      await said(world, 'PUT', `${PODS}/p/exec`),
      await said(world, 'GET', `${PODS}/q/exec`),
      await said(world, 'GET', '/api/v1/nodes/n/proxy'),
      await said(world, 'GET', `${PODS}/p/exec/more`),
      await said(world, 'GET', `${PODS}/p/nope`),
    ]).toEqual([
      '501 pods/exec: simulated containers run no commands',
      '501 pods/attach: simulated containers have no input and output',
      '501 pods/portforward: simulated containers listen on no ports',
      '501 pods/proxy: nothing listens behind simulated objects',
      '501 pods/ephemeralcontainers: simulated pods take no ephemeral containers',
      NOT_ALLOWED,
      '404 pods "q" not found',
      '404 nodes "n" not found',
      '404 the server could not find the requested resource',
      '404 the server could not find the requested resource',
    ]);
  });
});

describe('the methods of a path', () => {
  it.each<[string, readonly string[]]>([
    [PODS, ['GET', 'POST', 'DELETE']],
    ['/api/v1/pods', ['GET']],
    [`${PODS}/p`, ['GET', 'PUT', 'PATCH', 'DELETE']],
    [`${PODS}/p/status`, ['GET', 'PUT', 'PATCH']],
    [`${PODS}/p/binding`, ['POST']],
    [`${PODS}/p/eviction`, ['POST']],
    ['/api/v1/namespaces', ['GET', 'POST']],
    ['/api/v1/namespaces/n/finalize', ['PUT']],
    ['/api/v1/nodes', ['GET', 'POST', 'DELETE']],
    ['/api/v1/watch/pods', ['GET']],
    ['/apis/apps/v1/namespaces/default/deployments/d/scale', ['GET', 'PUT', 'PATCH']],
  ])('%s are %j', async (path, expected) => {
    const { ask, stream } = setup();
    const allowed: string[] = [];
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      if (method === 'GET' && path.includes('/watch/')) {
        (await stream(path)).close();
        allowed.push(method);
        continue;
      }
      const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
      if ((await ask(method, path, method === 'GET' ? undefined : {}, type)).status !== 405) allowed.push(method);
    }
    expect(allowed).toEqual(expected);
  });
});

describe('a patch', () => {
  it.each<[string, string, string]>([
    ['json-patch+json', '{', '400 unexpected end of JSON input'],
    ['json-patch+json', '', '400 unexpected end of JSON input'],
    ['strategic-merge-patch+json', '[1', '400 unexpected end of JSON input'],
    ['merge-patch+json', '{', '400 Invalid JSON Patch'],
    ['merge-patch+json', '', '400 Invalid JSON Patch'],
    [
      'apply-patch+yaml',
      'a: [',
      '400 error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content',
    ],
  ])('in %s of %j is refused', async (type, body, expected) => {
    const world = setup();
    await world.ask('POST', LEASES, lease('a'));
    expect(await said(world, 'PATCH', `${LEASES}/a?fieldManager=m`, body, { 'content-type': `application/${type}` })).toBe(expected);
  });

  it('is forced only where it is applied', async () => {
    const world = setup();
    const apply = (manager: string, more: string) =>
      said(world, 'PATCH', `${LEASES}/a?fieldManager=${manager}${more}`, lease('a', { holderIdentity: manager }), {
        'content-type': 'application/apply-patch+yaml',
      });
    expect([await apply('one', ''), await apply('two', ''), await apply('two', '&force=false'), await apply('two', '&force=true')]).toEqual(
      [
        '201',
        '409 Apply failed with 1 conflict: conflict with "one": .spec.holderIdentity',
        '409 Apply failed with 1 conflict: conflict with "one": .spec.holderIdentity',
        '200',
      ],
    );
    expect(await said(world, 'PATCH', `${LEASES}/a?force=true`, {}, { 'content-type': 'application/merge-patch+json' })).toContain(
      '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden',
    );
  });
});

describe('a deletion', () => {
  const OPTIONS = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'x' } };
  it('takes the options of its body before those of its query', async () => {
    const world = setup();
    await world.ask('POST', LEASES, lease('a'));
    const conflict = '409 Operation cannot be fulfilled on Lease.coordination.k8s.io "a": the UID in the precondition (x)';
    expect(await said(world, 'DELETE', `${LEASES}/a?dryRun=All`, OPTIONS)).toContain(conflict);
    expect(await said(world, 'DELETE', `${LEASES}/a`, 'preconditions: {uid: x}', { 'content-type': 'application/yaml' })).toContain(
      conflict,
    );
    expect(await said(world, 'DELETE', `${LEASES}/a?propagationPolicy=X`, {})).toBe('200');
    await world.ask('POST', LEASES, lease('a'));
    expect(await said(world, 'DELETE', `${LEASES}/a?propagationPolicy=X`)).toContain(
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy',
    );
    expect(await said(world, 'DELETE', `${LEASES}/a?dryRun=All`)).toBe('200');
    expect((await world.ask('DELETE', `${LEASES}/a?orphanDependents=true`)).json).toMatchObject({ metadata: { finalizers: ['orphan'] } });
  });

  it('with a body that cannot be read is a server error, as recorded', async () => {
    const world = setup();
    expect(await said(world, 'DELETE', `${LEASES}/a`, '{')).toBe(
      "500 couldn't get version/kind; json parse error: unexpected end of JSON input",
    );
    expect(await said(world, 'DELETE', `${LEASES}/a`, 'a: [', { 'content-type': 'application/yaml' })).toBe(
      '500 yaml: line 1: did not find expected node content',
    );
    expect(await said(world, 'DELETE', `${LEASES}/a`, '{}', { 'content-type': 'text/plain' })).toMatch(/^415 /);
  });

  it('of all takes the selection of its query, and there is none of namespaces', async () => {
    const world = setup();
    for (const name of ['a', 'b']) await world.ask('POST', LEASES, lease(name));
    expect((await world.ask('DELETE', `${LEASES}?fieldSelector=metadata.name%3Da`)).json).toMatchObject({
      items: [{ metadata: { name: 'a' } }],
    });
    expect((await world.ask('GET', LEASES)).json).toMatchObject({ items: [{ metadata: { name: 'b' } }] });
    expect(await said(world, 'DELETE', '/api/v1/namespaces')).toBe(NOT_ALLOWED);
  });
});

describe('a read', () => {
  it('has no export any more', async () => {
    const world = setup();
    await world.ask('POST', LEASES, lease('a'));
    expect([await said(world, 'GET', `${LEASES}/a?export=true`), await said(world, 'GET', `${LEASES}/a?export=false`)]).toEqual([
      '400 the export parameter, deprecated since v1.14, is no longer supported',
      '200',
    ]);
  });

  it('of a resource version that there is not yet may be asked again', async () => {
    const world = setup();
    await world.ask('POST', LEASES, lease('a'));
    const { status, json } = await world.ask('GET', `${LEASES}/a?resourceVersion=9999`);
    expect([status, json]).toMatchObject([504, { details: { retryAfterSeconds: 1 } }]);
  });

  it('in the old form watches one', async () => {
    const world = setup();
    for (const name of ['a', 'b']) await world.ask('POST', LEASES, lease(name));
    const watch = await world.stream('/apis/coordination.k8s.io/v1/watch/namespaces/default/leases/b');
    expect(watch.lines()).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'b' } } }]);
    watch.close();
  });
});

describe('the deadline of a request', () => {
  it.each<[string, string]>([
    ['timeout=30s', '200'],
    ['timeout=', '200'],
    ['timeout=x', '400 invalid timeout specified in the request URL - time: invalid duration "x"'],
    ['timeout=30', '400 invalid timeout specified in the request URL - time: missing unit in duration "30"'],
  ])('%s: %s', async (query, expected) => {
    expect(await said(setup(), 'GET', `${LEASES}?${query}`)).toBe(expected);
  });

  it('is not that of a watch', async () => {
    const { stream } = setup();
    for (const path of [`${LEASES}?watch=1&timeout=x`, '/apis/coordination.k8s.io/v1/watch/leases?timeout=x']) {
      const watch = await stream(path);
      expect(watch.status).toBe(200);
      watch.close();
    }
  });
});

describe('a write whose answer cannot be made', () => {
  it('stores nothing', async () => {
    const world = setup();
    const { revision } = world.store;
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const list = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    expect(await said(world, 'POST', LEASES, lease('a'), list)).toBe(
      '406 you requested PartialObjectMetadataList, but the requested object is not a list (*coordination.Lease)',
    );
    expect(await said(world, 'POST', `${LEASES}?includeObject=X`, lease('a'), table)).toContain(
      '400 Unable to convert to Table as requested',
    );
    expect(world.store.revision).toBe(revision);
    expect(await said(world, 'POST', `${LEASES}?includeObject=Object`, lease('a'), table)).toBe('201');
    expect(await said(world, 'GET', LEASES, undefined, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' })).toBe(
      '406 you requested PartialObjectMetadata, but the requested object is a list (*coordination.LeaseList)',
    );
    expect(await said(world, 'GET', `${PODS}/x`, undefined, list)).toBe('404 pods "x" not found');
  });
});

it('a path that is served by nothing is a plain 404', async () => {
  const { ask } = setup();
  for (const path of ['/nope', '/apis/nope.io/v1/x', '/healthzz'])
    expect(await ask('GET', path)).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8', text: '404 page not found\n' });
});
