/** Limits of requests, and the refusal of larger ones: never an internal error. */
import { describe, expect, it } from 'vitest';
import { protobufOf } from '../../../bench/hostile/protobuf.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { rbacAccess } from '../../../src/surfaces/http/index.ts';
import { setup } from './setup.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const map = (metadata: object, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  data,
});
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const keyed = (count: number): object => Object.fromEntries(many(count, (at) => [at.toString(36), '']));
const pod = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const TOO_MANY = 'Request entity too large: limit is 16000 values (members and items); divide it into several objects';

describe('bodies with many values', () => {
  it.each([
    ['members of a map', map({}, keyed(15_000)), 201],
    ['more members than values are taken', map({}, keyed(250_000)), 413],
    ['finalizers', map({ finalizers: many(15_000, (at) => `a.b/${at}`) }), 201],
    ['more finalizers than values are taken', map({ finalizers: many(150_000, () => '!') }), 413],
    ['owners', map({ ownerReferences: many(3_100, (at) => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid: `${at}` })) }), 201],
    [
      'owners that are all the same',
      map({ ownerReferences: many(3_100, () => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid: '1' })) }),
      201,
    ],
  ])('%s', async (_, body, status) => {
    const answer = await setup().ask('POST', MAPS, body);
    expect(answer.status).toBe(status);
    if (status === 413) expect(answer.json).toMatchObject({ reason: 'RequestEntityTooLarge', message: TOO_MANY });
  });

  it('are refused in protobuf as in JSON', async () => {
    const kind = kindsFor(namesFor('k8s.io')).byKind('ConfigMap');
    if (kind === undefined) throw new Error('there are no ConfigMaps');
    const { api } = setup();
    const send = async (finalizers: number): Promise<number> => {
      const body = protobufOf(kind, JSON.stringify(map({ finalizers: many(finalizers, (at) => `a.b/${at}`) })));
      return (await api({ method: 'POST', target: MAPS, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body })).status;
    };
    expect(await send(100_000)).toBe(413);
    expect(await send(15_000)).toBe(201);
  });

  it('list a thousand errors and the number of the others', async () => {
    const { status, json } = await setup().ask('POST', MAPS, map({ finalizers: many(15_000, (at) => `!${at}`) }));
    expect(status).toBe(422);
    const { details, message } = json as { readonly details: { readonly causes: readonly unknown[] }; readonly message: string };
    expect(details.causes).toHaveLength(1_000);
    expect(message).toMatch(/, and \d+ more errors\]$/);
  });

  it('list each of repeated constraints', async () => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
    const { status, text } = await setup().ask('POST', PODS, pod({ topologySpreadConstraints: many(3_100, () => constraint) }));
    expect(status).toBe(422);
    expect(text).toContain('spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}');
  });
});

describe('objects that grow by patches', () => {
  const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

  it('take ten thousand operations, and no more', async () => {
    const { ask } = setup();
    await ask('POST', MAPS, map({}, { a: 'b' }));
    const add = (count: number): object => many(count, (at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' }));
    expect((await ask('PATCH', `${MAPS}/x`, add(10_001), JSON_PATCH)).status).toBe(413);
    const { status, json } = await ask('PATCH', `${MAPS}/x`, add(10_000), JSON_PATCH);
    expect(status).toBe(200);
    expect(Object.keys((json as { readonly data: object }).data)).toHaveLength(10_001);
  });

  it('have a limit over several patches, and are unchanged after a refusal', async () => {
    const { ask, store } = setup();
    await ask('POST', MAPS, map({}));
    const codes: number[] = [];
    for (const from of [0, 1, 2]) {
      const data = Object.fromEntries(many(15_000, (at) => [`k${from}-${at}`, 'v']));
      const revision = store.revision;
      const { status } = await ask('PATCH', `${MAPS}/x`, { data }, { 'content-type': 'application/merge-patch+json' });
      codes.push(status);
      if (status !== 200) expect(store.revision).toBe(revision);
    }
    expect(codes.at(0)).toBe(200);
    expect(codes.at(-1)).toBe(413);
  });

  it('compare and move a limited amount', async () => {
    const { ask } = setup();
    await ask('POST', MAPS, map({}, keyed(15_000)));
    const tests = many(4_000, () => ({ op: 'test', path: '/data', value: {} }));
    const again = [{ op: 'add', path: '/data/z', value: 'v' }, ...many(200, () => ({ op: 'test', path: '/data', value: { a: 1 } }))];
    expect((await ask('PATCH', `${MAPS}/x`, tests, JSON_PATCH)).status).toBe(422);
    expect((await ask('PATCH', `${MAPS}/x`, again, JSON_PATCH)).status).toBe(422);
  });
});

describe('texts', () => {
  it('of YAML have a separate limit, and the error suggests JSON', async () => {
    const yaml = { 'content-type': 'application/yaml' };
    const text = (bytes: number): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: ${'x'.repeat(bytes)}\n`;
    const { ask } = setup();
    expect((await ask('POST', MAPS, text(400_000), yaml)).status).toBe(201);
    const { status, json } = await ask('POST', MAPS, text(600_000), yaml);
    expect(status).toBe(413);
    expect(json).toMatchObject({ message: 'Request entity too large: limit is 524288 for YAML; send it as JSON' });
  });

  it('of quantities have a maximum number of digits', async () => {
    const limits = (cpu: string): object => pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu } } }] });
    const { status, text } = await setup().ask('POST', PODS, limits('1'.repeat(2_000_000)));
    expect(status).toBe(400);
    expect(text).toContain('a quantity of more than 1024 characters');
  });

  it('of a sub-resource are a table too, with the columns of its kind', async () => {
    const { ask } = setup();
    const sets = '/apis/apps/v1/namespaces/default/statefulsets';
    const labels = { a: 'b' };
    await ask('POST', sets, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 's' },
      spec: {
        serviceName: 's',
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    const { status, json } = await ask('GET', `${sets}/s/scale`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(status).toBe(200);
    expect((json as { readonly rows: readonly { readonly cells: readonly unknown[] }[] }).rows[0]?.cells.slice(0, 3)).toEqual(['s', 3, 0]);
  });

  it('in common metadata are validated names', async () => {
    const ranges = '/api/v1/namespaces/default/limitranges';
    const limits = [{ type: 'Container', max: { constructor: '1' }, min: { cpu: '1' } }];
    const { ask } = setup();
    expect((await ask('POST', ranges, { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } })).status).toBe(
      422,
    );
    const resources = { requests: { constructor: '1', cpu: '1' }, limits: { cpu: '1' } };
    expect((await ask('POST', PODS, pod({ containers: [{ name: 'c', image: 'i', resources }] }))).status).toBe(422);
  });

  it('of headers with an invalid percent escape are used unchanged', async () => {
    const tokens = new Map([['t', { name: 'admin', groups: ['system:masters', 'system:authenticated'] }]]);
    const { ask } = setup({}, (backend) => rbacAccess(backend, { tokens, anonymous: false }));
    const asked = (key: string): Promise<{ readonly status: number }> =>
      ask('GET', MAPS, undefined, { authorization: 'Bearer t', 'impersonate-user': 'u', [`impersonate-extra-${key}`]: 'v' });
    for (const key of ['%zz', '%', '%ff', '%41']) expect((await asked(key)).status, key).toBe(403);
  });
});
