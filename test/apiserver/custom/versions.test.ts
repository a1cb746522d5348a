/** Custom resources in several versions: each is served by its own schema, and one of them is stored. */
import { describe, expect, it } from 'vitest';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup as httpSetup } from '../../surfaces/http/setup.ts';
import { rbacAccess, registerLocal } from '../../../src/surfaces/http/index.ts';
import { setup } from '../handlers/setup.ts';

const text = { type: 'string' };
const schema = (properties: object, more: object = {}) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties, ...more } } },
});
const versions = [
  { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: schema({ size: text, old: text }) },
  { name: 'v1', served: true, storage: true, schema: schema({ size: { ...text, maxLength: 3 }, mode: { ...text, default: 'auto' } }) },
  {
    name: 'v2alpha1',
    served: true,
    storage: false,
    schema: schema({ size: text, mode: text }, { required: ['mode'] }),
    additionalPrinterColumns: [{ name: 'Mode', type: 'string', jsonPath: '.spec.mode' }],
  },
];
const definition = (spec: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions, ...spec },
});
const widget = (version: string, spec: object, metadata: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Widget',
  metadata: { name: 'w', ...metadata },
  spec,
});
const path = (version: string, name = '') => `/apis/example.com/${version}/namespaces/default/widgets${name}`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function world(spec?: object) {
  const server = httpSetup();
  const made = await server.ask('POST', CRDS, definition(spec));
  expect(made.status).toBe(201);
  return server;
}

describe('a resource in several versions', () => {
  it('is written and read in each of them, by the schema of that version, and stored in one', async () => {
    const { ask, store } = await world();
    const made = await ask('POST', path('v1beta1'), widget('v1beta1', { size: 'large', old: 'x', mode: 'no' }));
    expect([made.status, made.json]).toMatchObject([201, { apiVersion: 'example.com/v1beta1', spec: { size: 'large' } }]);
    expect(store.get('Widget', 'default/w')).toMatchObject({ apiVersion: 'example.com/v1', spec: { mode: 'auto', size: 'large' } });
    expect((await ask('GET', path('v1', '/w'))).json).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { mode: 'auto', size: 'large' },
    });
    const old = (await ask('GET', path('v1beta1', '/w'))).json as { spec: object };
    expect(old).toMatchObject({ apiVersion: 'example.com/v1beta1' });
    // The field that only this version has is not stored, and that which it lacks is not shown.
    expect(old.spec).toEqual({ size: 'large' });
    // The value is too long for v1 only.
    const refused = await ask(
      'PATCH',
      path('v1', '/w'),
      { metadata: { labels: { a: 'b' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect([refused.status, (refused.json as { message: string }).message]).toEqual([
      422,
      'Widget.example.com "w" is invalid: spec.size: Too long: may not be longer than 3',
    ]);
    expect(
      (await ask('PATCH', path('v1beta1', '/w'), { spec: { size: 's' } }, { 'content-type': 'application/merge-patch+json' })).status,
    ).toBe(200);
    const list = (await ask('GET', path('v2alpha1'))).json as { items: readonly { apiVersion: string }[] };
    expect(list).toMatchObject({ apiVersion: 'example.com/v2alpha1', kind: 'WidgetList', items: [{ apiVersion: 'example.com/v2alpha1' }] });
    const wrong = await ask('POST', path('v1'), widget('v1beta1', {}));
    expect((wrong.json as { message: string }).message).toBe(
      'the API version in the data (example.com/v1beta1) does not match the expected API version (example.com/v1)',
    );
    expect((await ask('POST', path('v2alpha1'), widget('v2alpha1', {}, { name: 'x' }))).json).toMatchObject({
      message: 'Widget.example.com "x" is invalid: spec.mode: Required value',
    });
    expect((await ask('GET', path('v3'))).status).toBe(404);
    const gone = await ask('DELETE', path('v1beta1', '/w'));
    expect(gone.json).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(store.get('Widget', 'default/w')).toBeUndefined();
  });

  it('is watched in each version, and names the version of each writer in its managed fields', async () => {
    const { ask, stream } = await world();
    const events = await stream(`${path('v1beta1')}?watch=1`);
    await ask('POST', `${path('v1')}?fieldManager=one`, widget('v1', { size: 's' }));
    await ask(
      'PATCH',
      `${path('v2alpha1', '/w')}?fieldManager=two`,
      { spec: { mode: 'm' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    await ask('DELETE', path('v1', '/w'));
    expect(events.lines()).toMatchObject([
      { type: 'ADDED', object: { apiVersion: 'example.com/v1beta1', spec: { size: 's' } } },
      {
        type: 'MODIFIED',
        object: {
          apiVersion: 'example.com/v1beta1',
          metadata: {
            managedFields: [
              { manager: 'one', apiVersion: 'example.com/v1' },
              { manager: 'two', apiVersion: 'example.com/v2alpha1' },
            ],
          },
        },
      },
      { type: 'DELETED', object: { apiVersion: 'example.com/v1beta1' } },
    ]);
  });

  it('is discovered by the priority of its versions, with the columns and the warning of each', async () => {
    const { ask } = await world();
    expect((await ask('GET', '/apis/example.com')).json).toMatchObject({
      versions: [{ version: 'v1' }, { version: 'v1beta1' }, { version: 'v2alpha1' }],
      preferredVersion: { version: 'v1' },
    });
    const rows = (await ask('GET', '/apis/example.com/v2alpha1')).json as {
      resources: readonly { name: string; storageVersionHash: string }[];
    };
    const first = (await ask('GET', '/apis/example.com/v1')).json as typeof rows;
    expect(rows.resources.map(({ name }) => name)).toEqual(['widgets']);
    expect(rows.resources[0]?.storageVersionHash).toBe(first.resources[0]?.storageVersionHash);
    const old = await ask('GET', path('v1beta1'));
    expect(old.warnings).toEqual(['299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"']);
    expect((await ask('GET', path('v1beta1', '/none'))).warnings).toHaveLength(1);
    expect((await ask('GET', path('v1'))).warnings).toEqual([]);
    const table = await ask('GET', path('v2alpha1'), undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(table.json).toMatchObject({ columnDefinitions: [{ name: 'Name' }, { name: 'Mode' }] });
    const document = (await ask('GET', '/openapi/v3/apis/example.com/v1beta1')).json as { components: { schemas: Record<string, object> } };
    expect(document.components.schemas).toMatchObject({
      'io.k8s.api.example.v1beta1.Widget': { 'x-kubernetes-group-version-kind': [{ version: 'v1beta1' }] },
      'io.k8s.api.example.v1beta1.WidgetSpec': { properties: { old: {}, size: {} } },
    });
  });

  it('says in its status which versions have been stored, and keeps them until they are taken out of it', async () => {
    const { ask, store } = await world();
    await ask('POST', path('v1'), widget('v1', { size: 's', mode: 'm' }));
    const target = `${CRDS}/widgets.example.com`;
    const merge = { 'content-type': 'application/merge-patch+json' };
    const [beta, first, alpha] = versions;
    const moved = {
      spec: {
        versions: [
          { ...first, storage: false },
          { ...alpha, storage: true },
        ],
      },
    };
    expect((await ask('PATCH', target, moved, merge)).json).toMatchObject({ status: { storedVersions: ['v1', 'v2alpha1'] } });
    // What is there is stored anew when it is written next.
    expect(store.get('Widget', 'default/w')?.apiVersion).toBe('example.com/v1');
    expect((await ask('GET', path('v1', '/w'))).json).toMatchObject({ apiVersion: 'example.com/v1', spec: { mode: 'm' } });
    await ask('PATCH', path('v1', '/w'), { metadata: { labels: { a: 'b' } } }, merge);
    expect(store.get('Widget', 'default/w')?.apiVersion).toBe('example.com/v2alpha1');
    const without = { spec: { versions: [{ ...alpha, storage: true }, beta] } };
    expect((await ask('PATCH', target, without, merge)).json).toMatchObject({
      message:
        'CustomResourceDefinition.apiextensions.k8s.io "widgets.example.com" is invalid: status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
    });
    await ask('PATCH', `${target}/status`, { status: { storedVersions: ['v2alpha1'] } }, merge);
    expect((await ask('PATCH', target, without, merge)).status).toBe(200);
    expect((await ask('GET', path('v1'))).status).toBe(404);
  });

  it('need not be served in the version that is stored', async () => {
    const { ask } = await world({ versions: [versions[0], { ...versions[1], served: false }] });
    expect((await ask('GET', path('v1'))).status).toBe(404);
    expect((await ask('POST', path('v1beta1'), widget('v1beta1', { size: 's' }))).status).toBe(201);
    expect((await ask('GET', '/apis/example.com')).json).toMatchObject({ versions: [{ version: 'v1beta1' }] });
  });

  it('is written in the version of the body by who names none, and applied over what another version wrote', () => {
    const { server, ok, store } = setup();
    expect(server.handle(envelopeOf('client', { verb: 'create', kind: 'CustomResourceDefinition', body: definition() })).ok).toBe(true);
    const at = { kind: 'Widget', namespace: 'default' } as const;
    expect(ok({ verb: 'create', ...at, body: widget('v1beta1', { size: 'large' }) })).toMatchObject({
      apiVersion: 'example.com/v1beta1',
    });
    const apply = { verb: 'patch', ...at, name: 'w', patchType: 'apply', fieldManager: 'me' } as const;
    expect(ok({ ...apply, body: widget('v2alpha1', { mode: 'm' }), force: true }).apiVersion).toBe('example.com/v2alpha1');
    expect(ok({ ...apply, body: widget('v1beta1', { size: 's' }), force: true })).toMatchObject({ spec: { size: 's' } });
    expect(store.get('Widget', 'default/w')).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 's' } });
  });
});

describe('a kind whose name a built-in kind has', () => {
  const SERVICES = '/apis/serving.example.dev/v1/namespaces/default/services';
  const serving = {
    group: 'serving.example.dev',
    names: { kind: 'Service', plural: 'services', listKind: 'AllServices', shortNames: ['ksvc'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { image: { type: 'string', maxLength: 3 }, replicas: { type: 'integer' } } },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  };
  const service = (name: string, spec: object, more: object = {}) => ({
    apiVersion: 'serving.example.dev/v1',
    kind: 'Service',
    metadata: { name, ...more },
    spec,
  });

  it('has its own name for clients, in everything that they are shown', async () => {
    const { ask, stream } = httpSetup();
    await ask('POST', CRDS, { ...definition(serving), metadata: { name: 'services.serving.example.dev' } });
    const made = await ask('POST', SERVICES, service('hello', { image: 'x', replicas: 1 }));
    expect([made.status, made.json]).toMatchObject([201, { kind: 'Service', apiVersion: 'serving.example.dev/v1' }]);
    expect((await ask('GET', SERVICES)).json).toMatchObject({ kind: 'AllServices', items: [{ kind: 'Service' }] });
    expect((await stream(`${SERVICES}?watch=1`)).lines()).toMatchObject([{ object: { kind: 'Service' } }]);
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await ask('PATCH', `${SERVICES}/hello`, { spec: { image: 'y' } }, merge)).json).toMatchObject({ kind: 'Service' });
    expect((await ask('PATCH', `${SERVICES}/hello/status`, { status: { a: 1 } }, merge)).json).toMatchObject({ kind: 'Service' });
    expect((await ask('PATCH', `${SERVICES}/hello/scale`, { spec: { replicas: 2 } }, merge)).json).toMatchObject({ kind: 'Scale' });
    expect((await ask('POST', SERVICES, service('long', { image: 'xxxx' }))).json).toMatchObject({
      message: 'Service.serving.example.dev "long" is invalid: spec.image: Too long: may not be longer than 3',
      details: { kind: 'Service' },
    });
    expect((await ask('POST', SERVICES, { ...service('x', {}), kind: 'Widget' })).json).toMatchObject({
      message: 'Widget.serving.example.dev "x" is invalid: kind: Invalid value: "Widget": must be Service',
    });
    expect((await ask('GET', '/apis/serving.example.dev/v1')).json).toMatchObject({ resources: [{ kind: 'Service' }, {}, {}] });
    const texts = await Promise.all(
      ['/openapi/v2', '/openapi/v3/apis/serving.example.dev/v1', SERVICES, '/apis/serving.example.dev/v1'].map((at) => ask('GET', at)),
    );
    expect(texts.map(({ text: all }) => all.includes('Service.serving.example.dev'))).toEqual([false, false, false, false]);
    expect((await ask('GET', '/api/v1/namespaces/default/services')).json).toMatchObject({ kind: 'ServiceList' });
  });
});

describe('the groups of definitions', () => {
  it('have an APIService for each served version, while the server registers its own', async () => {
    const server = httpSetup();
    const { ask, store } = server;
    registerLocal(server.backend);
    await ask('POST', CRDS, definition());
    const names = () => [...store.values('APIService')].map(({ metadata }) => metadata.name).filter((name) => name.includes('example'));
    expect(names()).toEqual(['v1beta1.example.com', 'v1.example.com', 'v2alpha1.example.com']);
    expect(store.get('APIService', 'v1.example.com')).toMatchObject({
      metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
    await ask('DELETE', `${CRDS}/widgets.example.com`);
    expect(names()).toEqual([]);
  });
});

describe('access to custom resources', () => {
  it('is decided by their group and plural, in every version', async () => {
    const server = httpSetup({}, (backend) =>
      rbacAccess(backend, { tokens: new Map([['key', { name: 'ann', groups: [] }]]), anonymous: false }),
    );
    const { backend, ask } = server;
    const admin = (kind: string, body: object) => backend.handle({ verb: 'create', kind, body: body as never, namespace: 'default' });
    expect(admin('CustomResourceDefinition', definition()).ok).toBe(true);
    const rbac = 'rbac.authorization.k8s.io';
    const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] }];
    expect(admin('Role', { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'r' }, rules }).ok).toBe(true);
    const subjects = [{ kind: 'User', apiGroup: rbac, name: 'ann' }];
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'r' };
    expect(admin('RoleBinding', { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: 'b' }, subjects, roleRef }).ok).toBe(
      true,
    );
    const ann = { authorization: 'Bearer key' };
    for (const version of ['v1', 'v1beta1']) {
      expect((await ask('GET', path(version), undefined, ann)).status).toBe(200);
      expect((await ask('POST', path(version), widget(version, {}), ann)).json).toMatchObject({
        code: 403,
        message:
          'widgets.example.com is forbidden: User "ann" cannot create resource "widgets" in API group "example.com" in the namespace "default"',
      });
    }
  });
});
