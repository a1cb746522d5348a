import { describe, expect, it } from 'vitest';
import { namesFor, type PolicyRule } from '../../../src/cluster/api/index.ts';
import { createAuthorizer, describeMissing, uncoveredRules } from '../../../src/cluster/access/index.ts';
import { setup } from '../server/setup.ts';

const RBAC = 'rbac.authorization.k8s.io';
const names = namesFor('k8s.io');

interface Question { readonly user: string; readonly groups?: readonly string[]; readonly name?: string; readonly namespace?: string; readonly subresource?: string; readonly path?: string }

function world() {
  const { server, store } = setup('k8s.io');
  const put = (kind: string, name: string, body: object, namespace?: string) => {
    const made = server.handle({ verb: 'create', kind, ...(namespace === undefined ? {} : { namespace }), body: { apiVersion: `${RBAC}/v1`, kind, metadata: { name }, ...body } });
    if (!made.ok) throw new Error(made.status.message);
  };
  const { decide } = createAuthorizer(store, names);
  return { server, store, put, may: (question: Question) => decide({ verb: 'get', group: '', resource: 'pods', namespace: 'default', ...question, user: { name: question.user, groups: question.groups ?? [] } }) };
}

const bind = (kind: string, name: string, ...subjects: readonly object[]) => ({ roleRef: { apiGroup: RBAC, kind, name }, subjects });
const user = (name: string) => ({ kind: 'User', apiGroup: RBAC, name });

describe('decisions', () => {
  it('name the binding that allowed it', () => {
    const { put, may } = world();
    put('Role', 'r', { rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'], resourceNames: ['a'] }] }, 'default');
    put('RoleBinding', 'b', bind('Role', 'r', user('alice'), { kind: 'ServiceAccount', name: 'robot' }), 'default');
    expect(may({ user: 'alice', name: 'a' })).toEqual({ allowed: true, reason: 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "alice"' });
    expect(may({ user: 'alice', name: 'b' })).toEqual({ allowed: false, reason: '' });
    expect(may({ user: 'alice', name: 'a', subresource: 'log' }).allowed).toBe(true);
    expect(may({ user: 'alice', name: 'a', subresource: 'exec' }).allowed).toBe(false);
    expect(may({ user: 'alice', name: 'a', namespace: 'other' }).allowed).toBe(false);
    expect(may({ user: 'system:serviceaccount:default:robot', name: 'a' }).reason).toContain('to ServiceAccount "robot/default"');
  });

  it('speak of paths only by cluster roles', () => {
    const { put, may } = world();
    put('ClusterRole', 'paths', { rules: [{ nonResourceURLs: ['/healthz', '/api*'], verbs: ['get'] }] });
    put('ClusterRoleBinding', 'b', bind('ClusterRole', 'paths', { kind: 'Group', apiGroup: RBAC, name: 'dev' }));
    expect(may({ user: 'x', groups: ['dev'], path: '/apis/batch' }).allowed).toBe(true);
    expect(may({ user: 'x', groups: ['dev'], path: '/healthz/ping' }).allowed).toBe(false);
    expect(may({ user: 'x', path: '/healthz' }).allowed).toBe(false);
  });

  it('say which role is missing', () => {
    const { put, may } = world();
    put('RoleBinding', 'b', bind('Role', 'gone', user('alice')), 'default');
    expect(may({ user: 'alice' })).toEqual({ allowed: false, reason: `RBAC: role.${RBAC} "gone" not found` });
  });

  it('are yes for the masters', () => {
    expect(world().may({ user: 'root', groups: ['system:masters'] }).allowed).toBe(true);
  });
});

describe('escalation', () => {
  const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): PolicyRule => ({ verbs, apiGroups, resources });

  it('finds what is not held, a rule a resource', () => {
    const missing = uncoveredRules([rule(['get', 'list'], [''], ['pods'])], [rule(['get', 'delete'], ['', 'apps'], ['pods'])]);
    expect(describeMissing({ name: 'u', groups: ['g'] }, missing, [])).toBe('user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "delete"]}');
    expect(uncoveredRules([rule(['*'], ['*'], ['*'])], [rule(['x'], ['y'], ['z/w'])])).toEqual([]);
    expect(uncoveredRules([rule(['get'], ['*'], ['*/scale'])], [rule(['get'], ['apps'], ['statefulsets/scale'])])).toEqual([]);
  });

  it('is refused by the server for users, not for the cluster itself', () => {
    const { server } = setup('k8s.io');
    const role = { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name: 'big' }, rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['*'] }] };
    const refused = server.handle({ verb: 'create', kind: 'Role', namespace: 'default', body: role, user: { name: 'u', groups: [] } });
    expect(refused).toMatchObject({ ok: false, code: 403 });
    expect(server.handle({ verb: 'create', kind: 'Role', namespace: 'default', body: role })).toMatchObject({ ok: true });
  });
});
