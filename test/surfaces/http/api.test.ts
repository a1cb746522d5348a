import { describe, expect, it } from 'vitest';
import { LEASES, lease, setup } from './setup.ts';

describe('requests and answers', () => {
  it('are JSON, one line, except for clients that people use', async () => {
    const { ask } = setup();
    const made = await ask('POST', LEASES, lease('a'));
    expect([made.status, made.type]).toEqual([201, 'application/json']);
    expect(made.text.trimEnd()).not.toContain('\n');
    expect((await ask('GET', `${LEASES}/a?pretty=true`)).text).toContain('\n  "kind"');
    expect((await ask('GET', `${LEASES}/a`, undefined, { 'user-agent': 'curl/8' })).text.split('\n').length).toBeGreaterThan(5);
    expect((await ask('GET', `${LEASES}/a?pretty=false`, undefined, { 'user-agent': 'curl/8' })).text.trimEnd()).not.toContain('\n');
  });

  it('are YAML both ways', async () => {
    const { ask } = setup();
    const made = await ask(
      'POST',
      LEASES,
      'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: a, labels: {x: "1"}}\nspec: {holderIdentity: me}\n',
      { 'content-type': 'application/yaml', accept: 'application/yaml' },
    );
    expect(made.type).toBe('application/yaml');
    expect(made.text).toContain('  creationTimestamp: "2024-03-01T00:00:00Z"\n  labels:\n    x: "1"\n');
    expect(made.text).toContain('spec:\n  holderIdentity: me\n');
  });

  it('are tables and metadata on request', async () => {
    const { ask } = setup();
    await ask('POST', LEASES, lease('a', { holderIdentity: 'me' }));
    const table = (await ask('GET', LEASES, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' })).json;
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      rows: [{ cells: ['a', 'me', '0s'], object: { kind: 'PartialObjectMetadata' } }],
    });
    expect(
      (await ask('GET', LEASES, undefined, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' })).json,
    ).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{ metadata: { name: 'a' } }] });
    expect((await ask('GET', LEASES, undefined, { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' })).json).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1beta1',
      rows: [{ object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1' } }],
    });
    expect((await ask('GET', LEASES, undefined, { accept: 'application/json;as=Table;v=v2;g=meta.k8s.io' })).status).toBe(406);
    expect((await ask('GET', LEASES, undefined, { accept: 'application/json;as=Nothing;v=v1;g=x,application/json' })).json).toMatchObject({
      kind: 'LeaseList',
    });
    expect((await ask('GET', LEASES, undefined, { accept: 'image/png' })).json).toMatchObject({
      code: 406,
      message: '406: Not Acceptable',
    });
  });

  it('are never protobuf: a client that accepts nothing else gets a hint', async () => {
    const { ask, store } = setup();
    const accept = 'application/vnd.kubernetes.protobuf';
    const before = store.revision;
    for (const [method, target, body] of [
      ['GET', LEASES],
      ['GET', `${LEASES}?watch=1`],
      ['POST', LEASES, lease('a')],
    ] as const) {
      expect((await ask(method, target, body, { accept })).json).toMatchObject({
        code: 406,
        reason: 'NotAcceptable',
        message: expect.stringContaining('accept application/json as well'),
      });
    }
    expect(store.revision).toBe(before);
    expect((await ask('GET', LEASES, undefined, { accept: `${accept},application/json` })).json).toMatchObject({ kind: 'LeaseList' });
  });

  it('start with kind and version', async () => {
    const { ask } = setup();
    expect(
      (await ask('POST', '/api/v1/namespaces/default/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } })).text,
    ).toMatch(/^\{"kind":"ConfigMap","apiVersion":"v1","metadata"/);
  });

  it('end at three mebibytes, in both forms', async () => {
    const { ask } = setup();
    expect((await ask('POST', LEASES, `{"x":"${'y'.repeat(3 * 1024 * 1024)}"}`)).json).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
    });
  });

  it('explain a wrong path, method, media type', async () => {
    const { ask } = setup();
    expect((await ask('GET', '/apis/nope.io/v1/things')).text).toBe('404 page not found\n');
    expect((await ask('GET', '/apis/batch/v1/nopes')).json).toMatchObject({ code: 404, details: {} });
    expect((await ask('DELETE', '/api/v1/pods')).json).toMatchObject({ code: 405 });
    expect((await ask('PATCH', `${LEASES}/a`, '{}', { 'content-type': 'text/plain' })).json).toMatchObject({
      code: 415,
      message: '415: Unsupported Media Type',
    });
    expect((await ask('POST', LEASES, 'x', { 'content-type': 'text/plain' })).json).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  });

  it('refuse what needs a real machine', async () => {
    const { ask } = setup();
    expect((await ask('GET', '/api/v1/namespaces/default/pods/p/exec')).json).toMatchObject({ code: 404, message: 'pods "p" not found' });
    await ask('POST', '/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect((await ask('GET', '/api/v1/namespaces/default/pods/p/exec')).json).toMatchObject({ code: 501, reason: 'NotImplemented' });
  });

  it('read queries as Go does', async () => {
    const { ask } = setup();
    expect((await ask('GET', `${LEASES}?limit=1e3`)).json).toMatchObject({
      code: 400,
      message: 'strconv.ParseInt: parsing "1e3": invalid syntax',
    });
    expect((await ask('GET', `${LEASES}?a;b=c&%zz&labelSelector=%zz`)).status).toBe(200);
    expect((await ask('GET', `${LEASES}?timeout=x`)).json).toMatchObject({ code: 400 });
    expect((await ask('GET', `${LEASES}?limit=99999999999999999999`)).json).toMatchObject({
      message: 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    });
  });
});

describe('health, version, metrics', () => {
  it('answer', async () => {
    const { ask } = setup();
    for (const path of ['/healthz', '/livez', '/readyz', '/healthz/ping']) expect((await ask('GET', path)).text).toBe('ok');
    expect((await ask('GET', '/readyz?verbose')).text).toContain('[+]ping ok\n');
    expect((await ask('GET', '/version')).json).toMatchObject({ major: '1', minor: '24' });
    expect((await ask('GET', '/metrics')).text).toContain('apiserver_storage_objects{resource="namespaces"} 4\n');
  });
});
