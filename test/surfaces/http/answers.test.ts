/** Details of responses that recordings show: their line ends, the order of errors, and that all errors are listed. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { exampleOf } from '../../support/examples.ts';
import { setup as verbs } from '../../apiserver/handlers/setup.ts';
import { LEASES, lease, setup } from './setup.ts';

describe('the end of an answer', () => {
  it('is a newline, except for indented JSON, for every client and length', async () => {
    const { ask } = setup();
    await ask('POST', LEASES, lease('a'));
    const ends = async (path: string, headers = {}): Promise<string> => (await ask('GET', path, undefined, headers)).text.slice(-2);
    for (const path of [`${LEASES}/a`, LEASES, `${LEASES}/none`, '/api/v1', '/apis']) {
      expect(await ends(path), path).toBe('}\n');
      expect(await ends(`${path}?pretty=true`), path).toBe('\n}');
      expect(await ends(path, { 'user-agent': 'curl/8.0' }), path).toBe('\n}');
      expect(await ends(path, { accept: 'application/yaml' }), path).toMatch(/[^\n]\n$/);
    }
    for (const path of ['/', '/version']) expect(await ends(path), path).toBe('\n}');
  });
});

describe('a DELETE', () => {
  it.each([
    ['"text"', 'cannot unmarshal string into Go value of type struct { APIVersion string'],
    ['5', 'cannot unmarshal number into Go value of type struct { APIVersion string'],
    ['true', 'cannot unmarshal bool into Go value of type struct { APIVersion string'],
    ['[]', 'cannot unmarshal array into Go value of type struct { APIVersion string'],
    ['{"kind":5}', 'cannot unmarshal number into Go struct field .kind of type string'],
    ['{"apiVersion":[]}', 'cannot unmarshal array into Go struct field .apiVersion of type string'],
  ])('with the body %s is refused without a kind', async (body, why) => {
    const { ask } = setup();
    await ask('POST', LEASES, lease('a'));
    for (const path of [`${LEASES}/a`, LEASES]) {
      const { status, json } = await ask('DELETE', path, body);
      expect(status).toBe(500);
      expect((json as { message: string }).message).toContain(`couldn't get version/kind; json parse error: json: ${why}`);
    }
    expect((await ask('GET', `${LEASES}/a`)).status).toBe(200);
    expect((await ask('DELETE', `${LEASES}/a`, 'null')).status).toBe(200);
  });
});

describe('the logs of the machine', () => {
  it('are for clients that accept any type, and do not exist', async () => {
    const { ask } = setup();
    for (const path of ['/logs', '/logs/', '/logs/kube.log']) {
      expect((await ask('GET', path, undefined, { accept: 'application/json' })).json).toMatchObject({
        code: 406,
        message: '406: Not Acceptable',
      });
      expect((await ask('POST', path, {})).status).toBe(405);
      for (const accept of ['', '*/*', 'text/html, */*;q=0.8'])
        expect((await ask('GET', path, undefined, { accept })).status).toBe(path.endsWith('log') ? 404 : 200);
    }
    expect((await ask('GET', '/')).text).toContain('"/logs"');
  });
});

describe('a refused update', () => {
  const names = namesFor('k8s.io');
  const kinds = kindsFor(names);
  const LABELS = { 'bad key!': 'bad value!', fine: 'f', 'b@d': 'x' };
  const bad = ['b@d', 'bad key!', 'bad value!'];
  const named = (causes: readonly { readonly field?: string; readonly message?: string }[] = []): readonly string[] =>
    [
      ...new Set(causes.filter(({ field }) => field === 'metadata.labels').map(({ message = '' }) => /"(.*?)"/.exec(message)?.[1] ?? '')),
    ].sort();

  it.each(
    kinds
      .list()
      .filter(({ kind }) => kind !== 'APIService')
      .map((kind) => [kind.kind, kind] as const),
  )('of %s names all bad labels, keys and values', (name, kind) => {
    const { server, ok } = verbs();
    const at = { kind: name, ...(kind.namespaced ? { namespace: 'default' } : {}) };
    const body = exampleOf(kind, names);
    const target = { ...at, name: ok({ verb: 'create', ...at, body } as never).metadata.name };
    // The server may have written it again: the conditions of a definition.
    const made = ok({ verb: 'get', ...target } as never);
    const labelled = { ...made, metadata: { ...made.metadata, labels: LABELS } };
    for (const request of [
      { verb: 'update', ...target, body: labelled },
      { verb: 'patch', patchType: 'merge', ...target, body: { metadata: { labels: LABELS } } },
    ]) {
      const response = server.handle(envelopeOf('client', request as never));
      expect(response.ok ? [] : named(response.status.details?.causes)).toEqual(bad);
    }
  });

  it('of a status of a Node names every negative amount, the allocatable ones too', async () => {
    const { ask } = setup();
    await ask('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    const status = { capacity: { cpu: '-1', memory: '-5' }, allocatable: { cpu: '-2', pods: '-3' } };
    const wrong = ['capacity.cpu', 'capacity.memory', 'allocatable.cpu', 'allocatable.pods'].map((field) => ({ field: `status.${field}` }));
    const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status };
    expect((await ask('PUT', '/api/v1/nodes/n/status', body)).json).toMatchObject({ details: { causes: wrong } });
    for (const type of ['merge-patch', 'strategic-merge-patch']) {
      const headers = { 'content-type': `application/${type}+json` };
      expect((await ask('PATCH', '/api/v1/nodes/n/status', { status }, headers)).json).toMatchObject({ details: { causes: wrong } });
    }
  });
});
