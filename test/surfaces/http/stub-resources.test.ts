/** Resources that clients expect and that are not simulated: listed, always empty, and never created. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const { ask, stream, store, timers } = setup();
const CORE = '/api/v1';
const FLOW = '/apis/flowcontrol.apiserver.k8s.io';
const POLICIES = '/apis/policy/v1beta1/podsecuritypolicies';
const CONTROLLERS = `${CORE}/namespaces/default/replicationcontrollers`;
const METADATA = { resourceVersion: String(store.revision) };
const PSP_WARNING = '299 - "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+"';
const flowWarning = (kind: string) =>
  `299 - "flowcontrol.apiserver.k8s.io/v1beta1 ${kind} is deprecated in v1.23+, unavailable in v1.26+; use flowcontrol.apiserver.k8s.io/v1beta2 ${kind}"`;

interface Row {
  readonly name: string;
  readonly storageVersionHash?: string;
}
const rowsAt = async (path: string, names: readonly string[]): Promise<readonly object[]> =>
  ((await ask('GET', path)).json as { readonly resources: readonly Row[] }).resources
    .filter(({ name }) => names.includes(name.split('/')[0] ?? ''))
    .map(({ storageVersionHash, ...row }) => ({ ...row, hashed: storageVersionHash !== undefined }));

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const VIEW = ['get', 'patch', 'update'];
const row = (name: string, kind: string, more: object = {}) => ({
  name,
  singularName: '',
  namespaced: false,
  kind,
  verbs: name.includes('/') ? VIEW : ALL,
  hashed: !name.includes('/'),
  ...more,
});

describe('in discovery', () => {
  it('they have their names, verbs and sub-resources', async () => {
    expect(await rowsAt(CORE, ['podtemplates', 'replicationcontrollers', 'componentstatuses'])).toEqual([
      row('componentstatuses', 'ComponentStatus', { shortNames: ['cs'], verbs: ['get', 'list'], hashed: false }),
      row('podtemplates', 'PodTemplate', { namespaced: true }),
      row('replicationcontrollers', 'ReplicationController', { namespaced: true, categories: ['all'], shortNames: ['rc'] }),
      row('replicationcontrollers/scale', 'Scale', { namespaced: true, group: 'autoscaling', version: 'v1' }),
      row('replicationcontrollers/status', 'ReplicationController', { namespaced: true }),
    ]);
    for (const version of ['v1beta1', 'v1beta2'])
      expect(await rowsAt(`${FLOW}/${version}`, ['flowschemas', 'prioritylevelconfigurations'])).toEqual([
        row('flowschemas', 'FlowSchema'),
        row('flowschemas/status', 'FlowSchema'),
        row('prioritylevelconfigurations', 'PriorityLevelConfiguration'),
        row('prioritylevelconfigurations/status', 'PriorityLevelConfiguration'),
      ]);
    expect(await rowsAt('/apis/policy/v1beta1', ['podsecuritypolicies'])).toEqual([
      row('podsecuritypolicies', 'PodSecurityPolicy', { shortNames: ['psp'] }),
    ]);
  });
});

describe('a list', () => {
  it.each<[string, string, string, readonly string[]]>([
    [`${CORE}/podtemplates`, 'v1', 'PodTemplate', []],
    [`${CORE}/namespaces/default/podtemplates`, 'v1', 'PodTemplate', []],
    [CONTROLLERS, 'v1', 'ReplicationController', []],
    [`${FLOW}/v1beta2/flowschemas`, 'flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema', []],
    [`${FLOW}/v1beta1/flowschemas`, 'flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema', [flowWarning('FlowSchema')]],
    [
      `${FLOW}/v1beta1/prioritylevelconfigurations`,
      'flowcontrol.apiserver.k8s.io/v1beta1',
      'PriorityLevelConfiguration',
      [flowWarning('PriorityLevelConfiguration')],
    ],
    [POLICIES, 'policy/v1beta1', 'PodSecurityPolicy', [PSP_WARNING]],
  ])('of %s is empty', async (path, apiVersion, kind, warnings) => {
    const answer = await ask('GET', path);
    expect(answer).toMatchObject({ status: 200, warnings });
    expect(answer.json).toEqual({ kind: `${kind}List`, apiVersion, metadata: METADATA, items: [] });
  });

  it('is a table on request', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { json } = await ask('GET', CONTROLLERS, undefined, { accept });
    expect(json).toMatchObject({
      kind: 'Table',
      metadata: METADATA,
      columnDefinitions: [
        { name: 'Name', type: 'string', description: '' },
        { name: 'Age', type: 'string', description: '' },
      ],
      rows: [],
    });
  });

  it('is refused in a format that there is not', async () => {
    expect((await ask('GET', CONTROLLERS, undefined, { accept: 'text/html' })).status).toBe(406);
  });
});

describe('a watch', () => {
  it.each([`${CONTROLLERS}?watch=1`, `${CORE}/watch/namespaces/default/replicationcontrollers`, `${CORE}/watch/podtemplates?watch=0`])(
    '%s sends nothing for half an hour',
    async (path) => {
      const watch = await stream(path);
      expect(watch.status).toBe(200);
      timers.advance(1_799_999);
      expect([watch.lines(), watch.ended()]).toEqual([[], false]);
      timers.advance(1);
      expect([watch.lines(), watch.ended()]).toEqual([[], true]);
    },
  );

  it('ends after the time that the client gives, or when the client leaves', async () => {
    const [one, left] = [await stream(`${CONTROLLERS}?watch=1&timeoutSeconds=5`), await stream(`${CONTROLLERS}?watch=1&timeoutSeconds=5`)];
    timers.advance(4_999);
    expect(one.ended()).toBe(false);
    left.close();
    timers.advance(1);
    expect([one.ended(), left.ended()]).toEqual([true, false]);
    const usual = await stream(`${CONTROLLERS}?watch=1&timeoutSeconds=0`);
    timers.advance(5_000);
    expect(usual.ended()).toBe(false);
  });

  it('is JSON', async () => {
    expect((await ask('GET', `${CONTROLLERS}?watch=1`, undefined, { accept: 'application/yaml' })).status).toBe(406);
  });
});

describe('a change', () => {
  const status = async (method: string, path: string) => {
    const { status: code, json, warnings } = await ask(method, path, method === 'GET' ? undefined : {});
    return [code, (json as { readonly message?: string }).message, warnings.length];
  };

  it('that creates is refused with the reason', async () => {
    const why = (what: string, kind: string) => `${what}: ${kind} is not simulated; the kinds that are: orchsim kinds`;
    expect([await status('POST', CONTROLLERS), await status('POST', `${FLOW}/v1beta2/flowschemas`)]).toEqual([
      [501, why('replicationcontrollers', 'ReplicationController'), 0],
      [501, why('flowschemas.flowcontrol.apiserver.k8s.io', 'FlowSchema'), 0],
    ]);
    expect((await ask('POST', CONTROLLERS, {})).json).toMatchObject({ reason: 'NotImplemented' });
  });

  it('that deletes all deletes none', async () => {
    const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
    expect((await ask('DELETE', CONTROLLERS)).json).toEqual({ ...success, details: { kind: 'replicationcontrollers' } });
    const { json, warnings } = await ask('DELETE', POLICIES);
    expect([json, warnings]).toEqual([{ ...success, details: { group: 'policy', kind: 'podsecuritypolicies' } }, [PSP_WARNING]]);
  });

  it('of one is about none that is there', async () => {
    const missing = [404, 'replicationcontrollers "x" not found', 0];
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) expect(await status(method, `${CONTROLLERS}/x`), method).toEqual(missing);
    expect(await status('GET', `${CONTROLLERS}/x/status`)).toEqual(missing);
    expect((await ask('GET', `${CONTROLLERS}/x`)).json).toMatchObject({ details: { name: 'x', kind: 'replicationcontrollers' } });
    expect(await status('GET', `${CONTROLLERS}/x/scale`)).toEqual([404, 'replicationcontrollers/scale "x" not found', 0]);
    expect((await ask('GET', `${POLICIES}/x`)).json).toMatchObject({
      message: 'podsecuritypolicies.policy "x" not found',
      details: { name: 'x', group: 'policy', kind: 'podsecuritypolicies' },
    });
  });

  it('by a method that there is not is refused', async () => {
    const why = 'the server does not allow this method on the requested resource';
    for (const [method, path] of [
      ['PUT', CONTROLLERS],
      ['PATCH', CONTROLLERS],
      ['HEAD', CONTROLLERS],
      ['POST', `${CONTROLLERS}/x`],
      ['OPTIONS', `${CONTROLLERS}/x`],
    ] as const)
      expect(await status(method, path), `${method} ${path}`).toEqual([405, why, 0]);
  });
});

it.each([
  `${CORE}/replicationcontrollers/x`,
  `${CONTROLLERS}/x/nope`,
  `${CONTROLLERS}/x/scale/more`,
  `${CORE}/proxy/namespaces/default/replicationcontrollers`,
  '/apis/policy/v1beta1/namespaces/default/podsecuritypolicies',
  `${POLICIES}/x/status`,
  `${CORE}/namespaces/default/flowschemas`,
])('there is no path %s', async (path) => {
  expect((await ask('GET', path)).json).toMatchObject({
    code: 404,
    message: 'the server could not find the requested resource',
    details: {},
  });
});

it('other versions of their groups are not served', async () => {
  for (const path of [`${FLOW}/v1/flowschemas`, '/apis/policy/v1/podsecuritypolicies'])
    expect((await ask('GET', path)).status, path).toBe(404);
});
