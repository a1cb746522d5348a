/** Validation of reviews reports all errors at once. */
import { expect, it } from 'vitest';
import { rbacAccess } from '../../../src/surfaces/http/index.ts';
import { setup } from './setup.ts';

const { ask } = setup();
const at = '/apis/authorization.k8s.io/v1';
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
const META = (name: string, labels = 'map[string]string(nil)') =>
  `v1.ObjectMeta{Name:${JSON.stringify(name)}, GenerateName:"", Namespace:"", SelfLink:"", UID:"", ResourceVersion:"", Generation:0, CreationTimestamp:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), DeletionTimestamp:<nil>, DeletionGracePeriodSeconds:(*int64)(nil), Labels:${labels}, Annotations:map[string]string(nil), OwnerReferences:[]v1.OwnerReference(nil), Finalizers:[]string(nil), ZZZ_DeprecatedClusterName:"", ManagedFields:[]v1.ManagedFieldsEntry(nil)}`;

it('carry no metadata', async () => {
  expect((await ask('POST', `${at}/selfsubjectaccessreviews`, { metadata: { name: 'new' } })).json).toMatchObject({
    code: 422,
    message: `.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified, metadata: Invalid value: ${META('new')}: must be empty]`,
  });
  expect(
    (await ask('POST', `${at}/subjectaccessreviews`, { metadata: { labels: { a: 'b' } }, spec: { resourceAttributes } })).json,
  ).toMatchObject({
    code: 422,
    details: {
      causes: [
        { field: 'spec.user' },
        { field: 'metadata', message: `Invalid value: ${META('', 'map[string]string{"a":"b"}')}: must be empty` },
      ],
    },
  });
});

it('of a namespace have only that namespace', async () => {
  const path = `${at}/namespaces/default/localsubjectaccessreviews`;
  const spec = { user: 'u', resourceAttributes };
  expect((await ask('POST', path, { spec })).json).toMatchObject({ metadata: { namespace: 'default' }, status: { allowed: true } });
  expect((await ask('POST', path, { metadata: { namespace: 'default', name: 'x' }, spec })).json).toMatchObject({
    details: { causes: [{ field: 'metadata', message: expect.stringMatching(/must be empty except for namespace$/) }] },
  });
  expect((await ask('POST', path, { metadata: { namespace: 'other' }, spec })).status).toBe(400);
  expect((await ask('POST', path, { spec: { user: 'u', nonResourceAttributes: { path: '/x', verb: 'get' } } })).json).toMatchObject({
    details: {
      causes: [
        {
          field: 'spec.nonResourceAttributes',
          message: 'Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: disallowed on this kind of request',
        },
      ],
    },
  });
});

it('of a token need one', async () => {
  for (const body of [{}, { spec: {} }, { spec: { token: '' } }])
    expect((await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', body)).json).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  expect((await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } })).json).toMatchObject({
    status: { error: '[invalid bearer token]' },
  });
});

it('of oneself are of a later release: they are answered with compat', async () => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  expect((await ask('POST', path, body)).status).toBe(404);
  const later = setup({}, () => ({ compat: true }));
  expect((await later.ask('POST', path, body)).json).toEqual({
    ...body,
    metadata: { creationTimestamp: null },
    status: { userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } },
  });
});

it.each(['__proto__', 'constructor', 'toString', 'nopes'])('of no such kind (%s) is not served', async (name) => {
  expect((await ask('POST', `${at}/${name}`, {})).status).toBe(404);
});

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const tokens = new Map([
  ['root', { name: 'root', groups: ['system:masters'] }],
  ['eve', { name: 'eve', uid: 'eve-uid', groups: ['dev'], extra: { scopes: ['view'] } }],
]);
const as = (who: string) => ({ authorization: `Bearer ${who}` });

/** A world with roles, where every user may post reviews, and eve reads pods and a path. */
async function guarded() {
  const world = setup({}, (backend) => rbacAccess(backend, { tokens, anonymous: false }));
  const made = async (kind: string, at: string, name: string, body: object): Promise<void> => {
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const sent = { apiVersion, kind, metadata: { name }, ...body };
    expect((await world.ask('POST', `${RBAC}${at}/${kind.toLowerCase()}s`, sent, as('root'))).status).toBe(201);
  };
  const bound = (kind: string, name: string) => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  await made('ClusterRole', '', 'reviewer', {
    rules: [
      { verbs: ['create'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['get'], nonResourceURLs: ['/metrics'] },
    ],
  });
  await made('ClusterRoleBinding', '', 'reviewer', bound('ClusterRole', 'reviewer'));
  await made('Role', '/namespaces/default', 'reader', {
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['p'] }],
  });
  await made('RoleBinding', '/namespaces/default', 'reader', bound('Role', 'reader'));
  await made('RoleBinding', '/namespaces/default', 'lost', bound('Role', 'lost'));
  return world;
}

it('of rules list those of resources and of paths, and the bindings that cannot be read', async () => {
  const world = await guarded();
  const rules = async (namespace: string) =>
    (await world.ask('POST', `${at}/selfsubjectrulesreviews`, { spec: { namespace } }, as('eve'))).json;
  const review = {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
  };
  const everywhere = { verbs: ['create'], apiGroups: ['*'], resources: ['*'] };
  const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }];
  expect(await rules('other')).toEqual({
    ...review,
    spec: { namespace: 'other' },
    status: { resourceRules: [everywhere], nonResourceRules, incomplete: false },
  });
  expect(await rules('default')).toEqual({
    ...review,
    spec: { namespace: 'default' },
    status: {
      resourceRules: [everywhere, { verbs: ['get'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['p'] }],
      nonResourceRules,
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "lost" not found',
    },
  });
  expect(await rules('')).toMatchObject({ code: 400, message: 'no namespace on request' });
});

it('of rules list everything where everything is allowed', async () => {
  expect((await ask('POST', `${at}/selfsubjectrulesreviews`, { spec: { namespace: 'x' } })).json).toMatchObject({
    status: {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    },
  });
});

it('of access answer for the asker, or for the user and the groups that they name', async () => {
  const world = await guarded();
  const status = async (resource: string, spec: object, namespace = '') => {
    const path = `${at}/${namespace === '' ? '' : `namespaces/${namespace}/`}${resource}`;
    return ((await world.ask('POST', path, { spec }, as('eve'))).json as { readonly status: unknown }).status;
  };
  const p = { verb: 'get', resource: 'pods', subresource: 'log', name: 'p', namespace: 'default' };
  const allowedBy = (reason: string) => ({ allowed: true, reason: `RBAC: allowed by ${reason}` });
  const reader = allowedBy('RoleBinding "reader/default" of Role "reader" to User "eve"');
  const denied = { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "lost" not found' };
  expect([
    await status('selfsubjectaccessreviews', { resourceAttributes: p }),
    await status('selfsubjectaccessreviews', { resourceAttributes: { ...p, name: 'q' } }),
    await status('selfsubjectaccessreviews', { resourceAttributes: { ...p, subresource: 'exec' } }),
    await status('selfsubjectaccessreviews', { resourceAttributes: { ...p, group: 'apps' } }),
    await status('selfsubjectaccessreviews', { resourceAttributes: { ...p, namespace: 'other' } }),
    await status('selfsubjectaccessreviews', { resourceAttributes: {} }),
    await status('selfsubjectaccessreviews', { nonResourceAttributes: { verb: 'get', path: '/metrics' } }),
    await status('selfsubjectaccessreviews', { nonResourceAttributes: { verb: 'get' } }),
    await status('selfsubjectaccessreviews', { nonResourceAttributes: { path: '/metrics' } }),
    await status('subjectaccessreviews', { user: 'eve', resourceAttributes: p }),
    await status('subjectaccessreviews', { user: 'bob', resourceAttributes: { ...p, namespace: 'other' } }),
    await status('subjectaccessreviews', { groups: ['system:masters'], resourceAttributes: p }),
    await status('localsubjectaccessreviews', { user: 'eve', resourceAttributes: p }, 'default'),
  ]).toEqual([
    reader,
    denied,
    denied,
    denied,
    { allowed: false },
    { allowed: false },
    allowedBy('ClusterRoleBinding "reviewer" of ClusterRole "reviewer" to User "eve"'),
    { allowed: false },
    { allowed: false },
    reader,
    { allowed: false },
    { allowed: true },
    reader,
  ]);
});

it('of tokens and of oneself show the user', async () => {
  const world = await guarded();
  const review = async (spec: object) =>
    (await world.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec }, as('eve'))).json as { readonly status: unknown };
  const user = { username: 'eve', uid: 'eve-uid', groups: ['dev'], extra: { scopes: ['view'] } };
  const audiences = ['https://kubernetes.default.svc'];
  expect(await review({ token: 'eve' })).toMatchObject({ spec: { token: 'eve' }, status: { authenticated: true, user, audiences } });
  expect((await review({ token: 'eve', audiences: [...audiences, 'x'] })).status).toEqual({ authenticated: true, user, audiences });
  expect((await review({ token: 'eve', audiences: ['x'] })).status).toEqual({ user: {}, error: '[invalid bearer token]' });
});

it('are posted to exactly one path each', async () => {
  const self = 'selfsubjectaccessreviews';
  const spec = { resourceAttributes };
  const statusOf = async (method: string, path: string, headers = {}) => (await ask(method, path, { spec }, headers)).status;
  expect([
    await statusOf('POST', `${at}/${self}`),
    await statusOf('GET', `${at}/${self}`),
    await statusOf('POST', `${at}/${self}`, { accept: 'text/html' }),
    await statusOf('POST', `${at}/${self}/x`),
    await statusOf('POST', `${at}/watch/${self}`),
    await statusOf('POST', `${at}/namespaces/default/${self}`),
    await statusOf('POST', `${at}/localsubjectaccessreviews`),
    await statusOf('POST', `/apis/authorization.k8s.io/v2/${self}`),
    await statusOf('POST', `/apis/authentication.k8s.io/v1/${self}`),
  ]).toEqual([201, 405, 406, 404, 404, 404, 404, 404, 404]);
});

it.each<[string, object, readonly string[]]>([
  [
    'selfsubjectaccessreviews',
    { spec: { resourceAttributes, nonResourceAttributes: { path: '/x', verb: 'get' } } },
    [
      'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: cannot be specified in combination with resourceAttributes',
    ],
  ],
  [
    'subjectaccessreviews',
    {},
    [
      'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
  ],
  ['subjectaccessreviews', { spec: { groups: ['g'], resourceAttributes } }, []],
  ['subjectaccessreviews', { spec: { user: 'u', nonResourceAttributes: { path: '/x' } } }, []],
  ['subjectaccessreviews', { metadata: { managedFields: [{ manager: 'm' }] }, spec: { user: 'u', resourceAttributes } }, []],
  [
    'namespaces/default/localsubjectaccessreviews',
    { spec: { user: 'u', resourceAttributes: { ...resourceAttributes, namespace: 'other' } } },
    ['spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace'],
  ],
  [
    'namespaces/default/localsubjectaccessreviews',
    { spec: { user: 'u', resourceAttributes: { verb: 'get' } } },
    ['spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace'],
  ],
])('%s with %j have these errors', async (resource, body, expected) => {
  const { status, json } = await ask('POST', `${at}/${resource}`, body);
  const { details } = json as { readonly details?: { readonly causes: readonly { readonly field: string; readonly message: string }[] } };
  expect((details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
  expect(status).toBe(expected.length === 0 ? 201 : 422);
});
