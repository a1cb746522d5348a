/** What is asked of the roles for each request, as the refusal of a user without any says it. */
import { describe, expect, it } from 'vitest';
import { rbacAccess } from '../../../../src/surfaces/http/index.ts';
import { setup } from '../setup.ts';

const tokens = new Map([
  ['root', { name: 'root', groups: ['system:masters', 'system:authenticated'] }],
  ['eve', { name: 'eve', groups: [] }],
]);
const as = (who: string, more: Readonly<Record<string, string>> = {}) => ({ authorization: `Bearer ${who}`, ...more });
const guarded = () => setup({}, (backend) => rbacAccess(backend, { tokens, anonymous: false }));
const { ask } = guarded();
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

const IN_DEFAULT = 'in the namespace "default"';
const EVERYWHERE = 'at the cluster scope';
const PODS = '/api/v1/namespaces/default/pods';
const NODES = '/api/v1/nodes';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';

describe('a refusal says', () => {
  it.each<[string, string, string, object]>([
    ['GET', PODS, `pods is forbidden: User "eve" cannot list resource "pods" in API group "" ${IN_DEFAULT}`, { kind: 'pods' }],
    ['GET', '/api/v1/pods', `pods is forbidden: User "eve" cannot list resource "pods" in API group "" ${EVERYWHERE}`, { kind: 'pods' }],
    [
      'GET',
      `${PODS}/p`,
      `pods "p" is forbidden: User "eve" cannot get resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    [
      'HEAD',
      `${PODS}/p`,
      `pods "p" is forbidden: User "eve" cannot get resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    [
      'GET',
      `${PODS}?watch=1`,
      `pods is forbidden: User "eve" cannot watch resource "pods" in API group "" ${IN_DEFAULT}`,
      { kind: 'pods' },
    ],
    [
      'GET',
      `${PODS}?watch=false`,
      `pods is forbidden: User "eve" cannot list resource "pods" in API group "" ${IN_DEFAULT}`,
      { kind: 'pods' },
    ],
    [
      'GET',
      `${PODS}?fieldSelector=metadata.name%3Dp`,
      `pods "p" is forbidden: User "eve" cannot list resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    [
      'GET',
      `${PODS}?fieldSelector=metadata.name%3Da%2Fb`,
      `pods is forbidden: User "eve" cannot list resource "pods" in API group "" ${IN_DEFAULT}`,
      { kind: 'pods' },
    ],
    [
      'GET',
      `${PODS}?fieldSelector=%3D`,
      `pods is forbidden: User "eve" cannot list resource "pods" in API group "" ${IN_DEFAULT}`,
      { kind: 'pods' },
    ],
    [
      'GET',
      `/api/v1/watch/namespaces/default/pods?fieldSelector=metadata.name%3Dp`,
      `pods "p" is forbidden: User "eve" cannot watch resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    [
      'GET',
      `/api/v1/watch/namespaces/default/pods/p`,
      `pods "p" is forbidden: User "eve" cannot watch resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    ['POST', PODS, `pods is forbidden: User "eve" cannot create resource "pods" in API group "" ${IN_DEFAULT}`, { kind: 'pods' }],
    [
      'DELETE',
      PODS,
      `pods is forbidden: User "eve" cannot deletecollection resource "pods" in API group "" ${IN_DEFAULT}`,
      { kind: 'pods' },
    ],
    [
      'DELETE',
      `${PODS}/p`,
      `pods "p" is forbidden: User "eve" cannot delete resource "pods" in API group "" ${IN_DEFAULT}`,
      { name: 'p', kind: 'pods' },
    ],
    [
      'PUT',
      `${JOBS}/j`,
      `jobs.batch "j" is forbidden: User "eve" cannot update resource "jobs" in API group "batch" ${IN_DEFAULT}`,
      { name: 'j', group: 'batch', kind: 'jobs' },
    ],
    [
      'PATCH',
      `${JOBS}/j/status`,
      `jobs.batch "j" is forbidden: User "eve" cannot patch resource "jobs/status" in API group "batch" ${IN_DEFAULT}`,
      { name: 'j', group: 'batch', kind: 'jobs' },
    ],
    ['GET', NODES, `nodes is forbidden: User "eve" cannot list resource "nodes" in API group "" ${EVERYWHERE}`, { kind: 'nodes' }],
    [
      'GET',
      '/api/v1/namespaces/x',
      'namespaces "x" is forbidden: User "eve" cannot get resource "namespaces" in API group "" in the namespace "x"',
      { name: 'x', kind: 'namespaces' },
    ],
    [
      'GET',
      '/api/v1/namespaces',
      `namespaces is forbidden: User "eve" cannot list resource "namespaces" in API group "" ${EVERYWHERE}`,
      { kind: 'namespaces' },
    ],
    ['GET', '/metrics', 'forbidden: User "eve" cannot get path "/metrics"', {}],
    ['POST', '/api/v1/', 'forbidden: User "eve" cannot post path "/api/v1/"', {}],
  ])('%s %s', async (method, path, message, details) => {
    const headers = method === 'PATCH' ? MERGE : {};
    expect((await ask(method, path, undefined, as('eve', headers))).json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    });
  });
});

/** A world in which eve may do what the rules say, everywhere. */
async function allowing(...rules: readonly object[]) {
  const world = guarded();
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = { name: 'eve' };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'eve' };
  await world.ask('POST', `${rbac}/clusterroles`, { kind: 'ClusterRole', apiVersion, metadata, rules }, as('root'));
  const subjects = [{ kind: 'User', name: 'eve', apiGroup: 'rbac.authorization.k8s.io' }];
  await world.ask(
    'POST',
    `${rbac}/clusterrolebindings`,
    { kind: 'ClusterRoleBinding', apiVersion, metadata, roleRef, subjects },
    as('root'),
  );
  return world;
}

describe('a write that creates', () => {
  const MAPS = '/api/v1/namespaces/default/configmaps';
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const lease = (name: string) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });
  const all = { apiGroups: ['*'], resources: ['*'] };

  it('needs the permission to create: an apply patch, and an update where the kind allows creation by one', async () => {
    const world = await allowing({ ...all, verbs: ['patch', 'update'] });
    const eve = async (method: string, path: string, body: object, headers = {}) => {
      const { status, json } = await world.ask(method, path, body, as('eve', headers));
      return [status, (json as { readonly message?: string }).message];
    };
    const refused = (what: string, name: string) => [403, `${what} "${name}" is forbidden: `];
    expect([
      await eve('PATCH', `${MAPS}/new?fieldManager=e`, map('new'), APPLY),
      await eve('PUT', `${LEASES}/new`, lease('new')),
      await eve('PUT', `${MAPS}/new`, map('new')),
      await eve('PATCH', `${MAPS}/new`, {}, MERGE),
    ]).toEqual([
      refused('configmaps', 'new'),
      refused('leases.coordination.k8s.io', 'new'),
      [404, 'configmaps "new" not found'],
      [404, 'configmaps "new" not found'],
    ]);
    for (const [path, body] of [
      [MAPS, map('old')],
      [LEASES, lease('old')],
    ] as const)
      await world.ask('POST', path, body, as('root'));
    expect([
      await eve('PATCH', `${MAPS}/old?fieldManager=e`, map('old'), APPLY),
      await eve('PUT', `${LEASES}/old`, lease('old')),
      await eve('PATCH', '/api/v1/namespaces/default/nopes/x', {}, APPLY),
    ]).toEqual([
      [200, undefined],
      [422, 'leases.coordination.k8s.io "old" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update'],
      [404, 'the server could not find the requested resource'],
    ]);
  });

  it('is allowed with it', async () => {
    const world = await allowing({ ...all, verbs: ['patch', 'update', 'create'] });
    expect([
      (await world.ask('PATCH', `${MAPS}/new?fieldManager=e`, map('new'), as('eve', APPLY))).status,
      (await world.ask('PUT', `${LEASES}/new`, lease('new'), as('eve'))).status,
    ]).toEqual([201, 201]);
  });
});

describe('impersonation needs the permission', () => {
  const headersOf = (more: Readonly<Record<string, string>>) => as('eve', more);
  it.each<[Readonly<Record<string, string>>, string]>([
    [
      { 'impersonate-user': 'u' },
      'users "u" is forbidden: User "eve" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns:sa' },
      'serviceaccounts "sa" is forbidden: User "eve" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:ns' },
      'users "system:serviceaccount:ns" is forbidden: User "eve" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      { 'impersonate-user': 'x:system:serviceaccount:ns:sa:' },
      'users "x:system:serviceaccount:ns:sa:" is forbidden: User "eve" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
  ])('for the user: %j', async (headers, message) => {
    expect((await ask('GET', NODES, undefined, headersOf(headers))).json).toMatchObject({ code: 403, message });
  });

  it('for each group, extra value and uid', async () => {
    const users = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['u'] };
    const groups = { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['dev'] };
    const extras = { verbs: ['impersonate'], apiGroups: ['authentication.k8s.io'], resources: ['userextras/k'], resourceNames: ['v'] };
    const world = await allowing(users, groups, extras);
    const message = async (more: Readonly<Record<string, string>>) =>
      ((await world.ask('GET', NODES, undefined, headersOf({ 'impersonate-user': 'u', ...more }))).json as { readonly message: string })
        .message;
    const asU = 'nodes is forbidden: User "u" cannot list resource "nodes" in API group "" at the cluster scope';
    const by = (resource: string, name: string, group = '') =>
      `${resource.split('/')[0]}${group === '' ? '' : `.${group}`} "${name}" is forbidden: User "eve" cannot impersonate resource "${resource}" in API group "${group}" at the cluster scope`;
    expect([
      await message({}),
      await message({ 'impersonate-group': 'dev' }),
      await message({ 'impersonate-group': 'dev,ops' }),
      await message({ 'impersonate-extra-k': 'v' }),
      await message({ 'impersonate-extra-k': 'v,w' }),
      await message({ 'impersonate-extra-j': 'v' }),
      await message({ 'impersonate-uid': 'id' }),
    ]).toEqual([
      asU,
      asU,
      by('groups', 'ops'),
      asU,
      by('userextras/k', 'w', 'authentication.k8s.io'),
      by('userextras/j', 'v', 'authentication.k8s.io'),
      by('uids', 'id', 'authentication.k8s.io'),
    ]);
  });
});

it('a binding to a role that does not exist is named as the reason of a refusal', async () => {
  const world = await allowing();
  await world.ask('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterroles/eve', undefined, as('root'));
  expect((await world.ask('GET', NODES, undefined, as('eve'))).json).toMatchObject({
    message: `nodes is forbidden: User "eve" cannot list resource "nodes" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "eve" not found`,
  });
});

it('roles that are there already are kept as they are', () => {
  const { backend, store } = guarded();
  const revision = (): string | undefined => store.get('ClusterRole', 'view')?.metadata.resourceVersion;
  const before = revision();
  rbacAccess(backend, { tokens, anonymous: false });
  expect([before === undefined, revision()]).toEqual([false, before]);
});
