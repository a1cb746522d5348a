import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { PolicyRule } from '../../../src/apiserver/machinery/index.ts';
import { decideAccess, describeMissing, uncoveredRules } from '../../../src/apiserver/access/index.ts';
import { setup } from '../handlers/setup.ts';

const RBAC = 'rbac.authorization.k8s.io';
const names = namesFor('k8s.io');

interface Question {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly name?: string;
  readonly namespace?: string;
  readonly subresource?: string;
  readonly path?: string;
}

function world() {
  const { server, store } = setup('k8s.io');
  const put = (kind: string, name: string, body: object, namespace?: string) => {
    const made = server.handle(
      envelopeOf('client', {
        verb: 'create',
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        body: { apiVersion: `${RBAC}/v1`, kind, metadata: { name }, ...body },
      }),
    );
    if (!made.ok) throw new Error(made.status.message);
  };
  return {
    server,
    store,
    put,
    may: (question: Question) =>
      decideAccess(store, names, {
        verb: 'get',
        group: '',
        resource: 'pods',
        namespace: 'default',
        ...question,
        user: { name: question.user, groups: question.groups ?? [] },
      }),
  };
}

const bind = (kind: string, name: string, ...subjects: readonly object[]) => ({ roleRef: { apiGroup: RBAC, kind, name }, subjects });
const user = (name: string) => ({ kind: 'User', apiGroup: RBAC, name });

describe('decisions', () => {
  it('name the binding that allowed it', () => {
    const { put, may } = world();
    put('Role', 'r', { rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'], resourceNames: ['a'] }] }, 'default');
    put('RoleBinding', 'b', bind('Role', 'r', user('alice'), { kind: 'ServiceAccount', name: 'robot' }), 'default');
    expect(may({ user: 'alice', name: 'a' })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "alice"',
    });
    expect(may({ user: 'alice', name: 'b' })).toEqual({ allowed: false, reason: '' });
    expect(may({ user: 'alice', name: 'a', subresource: 'log' }).allowed).toBe(true);
    expect(may({ user: 'alice', name: 'a', subresource: 'exec' }).allowed).toBe(false);
    expect(may({ user: 'alice', name: 'a', namespace: 'other' }).allowed).toBe(false);
    expect(may({ user: 'system:serviceaccount:default:robot', name: 'a' }).reason).toContain('to ServiceAccount "robot/default"');
  });

  it('allow paths only by cluster roles', () => {
    const { put, may } = world();
    put('ClusterRole', 'paths', { rules: [{ nonResourceURLs: ['/healthz', '/api*'], verbs: ['get'] }] });
    put('ClusterRoleBinding', 'b', bind('ClusterRole', 'paths', { kind: 'Group', apiGroup: RBAC, name: 'dev' }));
    expect(may({ user: 'x', groups: ['dev'], path: '/apis/batch' }).allowed).toBe(true);
    expect(may({ user: 'x', groups: ['dev'], path: '/healthz/ping' }).allowed).toBe(false);
    expect(may({ user: 'x', path: '/healthz' }).allowed).toBe(false);
  });

  it('name a missing role', () => {
    const { put, may } = world();
    put('RoleBinding', 'b', bind('Role', 'gone', user('alice')), 'default');
    expect(may({ user: 'alice' })).toEqual({ allowed: false, reason: `RBAC: role.${RBAC} "gone" not found` });
  });

  it('allow everything for system:masters', () => {
    expect(world().may({ user: 'root', groups: ['system:masters'] }).allowed).toBe(true);
  });
});

describe('escalation', () => {
  const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): PolicyRule => ({
    verbs,
    apiGroups,
    resources,
  });

  it('finds the missing permissions, one rule for each resource', () => {
    const missing = uncoveredRules([rule(['get', 'list'], [''], ['pods'])], [rule(['get', 'delete'], ['', 'apps'], ['pods'])]);
    expect(describeMissing({ name: 'u', groups: ['g'] }, missing, [])).toBe(
      'user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "delete"]}',
    );
    expect(uncoveredRules([rule(['*'], ['*'], ['*'])], [rule(['x'], ['y'], ['z/w'])])).toEqual([]);
    expect(uncoveredRules([rule(['get'], ['*'], ['*/scale'])], [rule(['get'], ['apps'], ['statefulsets/scale'])])).toEqual([]);
  });

  describe('on the server', () => {
    const full = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const role = (name: string, rules: readonly object[], metadata: object = {}) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name, ...metadata },
      rules,
    });
    /** Returns a server on which the user `u` has these rules in the namespace default. */
    const held = (...rules: readonly object[]) => {
      const made = world();
      made.put('Role', 'own', { rules }, 'default');
      made.put('RoleBinding', 'own', bind('Role', 'own', user('u')), 'default');
      const u = { name: 'u', groups: ['g'] };
      return {
        ...made,
        create: (kind: string, body: object, namespace: string | undefined = 'default') =>
          made.server.handle(
            envelopeOf('client', { verb: 'create', kind, ...(namespace === undefined ? {} : { namespace }), body: body as never, user: u }),
          ),
        update: (name: string, change: (old: object) => object) =>
          made.server.handle(
            envelopeOf('client', {
              verb: 'update',
              kind: 'Role',
              namespace: 'default',
              name,
              user: u,
              body: change(made.store.get('Role', `default/${name}`) as object) as never,
            }),
          ),
      };
    };
    const binding = (name: string, roleRef: object) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: RBAC, ...roleRef },
      subjects: [user('v')],
    });

    it('held permissions may be granted and others not, regardless of other errors', () => {
      const { create } = held({ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] });
      expect(create('Role', role('a', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]))).toMatchObject({ ok: true });
      expect(create('Role', role('b', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }, { verbs: [] }]))).toMatchObject({
        ok: false,
        code: 403,
        status: {
          message: `roles.${RBAC} "b" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
        },
      });
    });

    it('`escalate` on all roles allows a create, on one role a change of it', () => {
      expect(held({ apiGroups: [RBAC], resources: ['roles'], verbs: ['escalate'] }).create('Role', role('big', full))).toMatchObject({
        ok: true,
      });
      const { create, update, put } = held({ apiGroups: [RBAC], resources: ['roles'], resourceNames: ['big'], verbs: ['escalate'] });
      expect(create('Role', role('big', full))).toMatchObject({ ok: false, code: 403 });
      put('Role', 'big', { rules: [] }, 'default');
      expect(update('big', (old) => ({ ...old, rules: full }))).toMatchObject({ ok: true });
    });

    it('a role with more permissions may not be changed, except for garbage collection', () => {
      const { update, put } = held({ apiGroups: [''], resources: ['pods'], verbs: ['get'] });
      put('Role', 'big', { rules: full }, 'default');
      const meta = (more: object) => (old: object) => ({
        ...old,
        metadata: { ...(old as { readonly metadata: object }).metadata, ...more },
      });
      expect(update('big', meta({ labels: { a: 'b' } }))).toMatchObject({ ok: false, code: 403 });
      expect(update('big', meta({ finalizers: ['x.io/y'] }))).toMatchObject({ ok: true });
    });

    it('a role may be bound by a user with its permissions or with `bind`, and must exist', () => {
      const { create, put } = held(
        { apiGroups: [RBAC], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      );
      put('ClusterRole', 'view', { rules: full });
      put('ClusterRole', 'edit', { rules: full });
      put('Role', 'small', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }, 'default');
      expect(create('RoleBinding', binding('a', { kind: 'ClusterRole', name: 'view' }))).toMatchObject({ ok: true });
      expect(create('RoleBinding', binding('b', { kind: 'ClusterRole', name: 'edit' }))).toMatchObject({ ok: false, code: 403 });
      expect(create('RoleBinding', binding('c', { kind: 'Role', name: 'small' }))).toMatchObject({ ok: true });
      expect(create('RoleBinding', binding('d', { kind: 'Role', name: 'gone' }))).toMatchObject({
        ok: false,
        code: 404,
        status: { message: `roles.${RBAC} "gone" not found`, details: { name: 'gone', group: RBAC, kind: 'roles' } },
      });
      expect(create('RoleBinding', binding('e', { kind: 'Team', name: 'x' }))).toMatchObject({
        ok: false,
        code: 500,
        status: { message: 'unsupported role reference kind: "Team"' },
      });
    });

    it('an aggregated role requires all permissions', () => {
      const { create, put } = held(...full);
      const gathering = {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRole',
        metadata: { name: 'agg' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        rules: [],
      };
      expect(create('ClusterRole', gathering, undefined)).toMatchObject({
        ok: false,
        code: 403,
        status: { message: `clusterroles.${RBAC} "agg" is forbidden: must have cluster-admin privileges to use an aggregationRule` },
      });
      put('ClusterRole', 'root', { rules: [...full, { nonResourceURLs: ['*'], verbs: ['*'] }] });
      put('ClusterRoleBinding', 'root', bind('ClusterRole', 'root', user('u')));
      expect(create('ClusterRole', gathering, undefined)).toMatchObject({ ok: true });
    });

    it('roles that were not found are named with the missing permissions', () => {
      const { create, put } = held({ apiGroups: [''], resources: ['pods'], verbs: ['get'] });
      for (const name of ['gone', 'lost']) put('RoleBinding', name, bind('Role', name, user('u')), 'default');
      expect(create('Role', role('b', full))).toMatchObject({
        status: {
          message: expect.stringMatching(/; resolution errors: \[\[roles\.\S+ "gone" not found, roles\.\S+ "lost" not found\]\]$/),
        },
      });
    });
  });

  it('is refused for users, not for processes of the cluster', () => {
    const { server } = setup('k8s.io');
    const role = {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name: 'big' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }],
    };
    const refused = server.handle(
      envelopeOf('client', { verb: 'create', kind: 'Role', namespace: 'default', body: role, user: { name: 'u', groups: [] } }),
    );
    expect(refused).toMatchObject({ ok: false, code: 403 });
    expect(server.handle(envelopeOf('client', { verb: 'create', kind: 'Role', namespace: 'default', body: role }))).toMatchObject({
      ok: true,
    });
  });
});
