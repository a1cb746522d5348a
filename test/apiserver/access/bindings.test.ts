/** Who has which rules by bindings, which rules a role aggregates, and what a user lacks of what they grant. */
import { describe, expect, it } from 'vitest';
import { aggregatedRules, decideAccess, rulesFor } from '../../../src/apiserver/access/authorizer.ts';
import { describeMissing, uncoveredRules } from '../../../src/apiserver/access/cover.ts';
import { namesFor, type PolicyRule } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const GROUP = 'rbac.authorization.k8s.io';
const names = namesFor('k8s.io');
const rule = (verb: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: [verb],
  apiGroups: [''],
  resources: ['pods'],
  ...more,
});

/** A store without the roles of a new cluster, but these objects. */
function storeOf(...objects: readonly (readonly [kind: string, name: string, rest: object, namespace?: string])[]) {
  const { store, ok } = setup();
  for (const [kind, name, rest, namespace] of objects)
    ok({
      verb: 'create',
      kind,
      body: { apiVersion: `${GROUP}/v1`, kind, metadata: { name }, ...rest },
      ...(namespace === undefined ? {} : { namespace }),
    } as never);
  return store;
}
const bind = (kind: string, name: string, ...subjects: readonly object[]) => ({ roleRef: { apiGroup: GROUP, kind, name }, subjects });
const subject = (kind: string, name: string, namespace?: string) => ({
  kind,
  name,
  ...(namespace === undefined ? { apiGroup: GROUP } : { namespace }),
});
const account = (name: string, namespace: string) => ({ kind: 'ServiceAccount', name, namespace });

describe('rules', () => {
  const store = storeOf(
    ['ClusterRole', 'wide', { rules: [rule('get'), rule('list')] }],
    ['Role', 'narrow', { rules: [rule('watch')] }, 'default'],
    ['Role', 'other', { rules: [rule('delete')] }, 'kube-system'],
    ['ClusterRoleBinding', 'b', bind('ClusterRole', 'wide', subject('Group', 'devs'), subject('User', 'ann'))],
    ['ClusterRoleBinding', 'a', bind('ClusterRole', 'gone', subject('User', 'ann'))],
    ['ClusterRoleBinding', 'c', bind('ClusterRole', 'wide', account('bot', 'default'))],
    [
      'RoleBinding',
      'd',
      bind('Role', 'narrow', subject('User', 'ann'), { kind: 'ServiceAccount', name: 'bot', namespace: 'default' }),
      'default',
    ],
    ['RoleBinding', 'e', bind('Role', 'gone', subject('User', 'ann')), 'default'],
    ['RoleBinding', 'f', bind('Role', 'other', subject('User', 'ann')), 'kube-system'],
  );
  const of = (name: string, groups: readonly string[], namespace: string) =>
    [...rulesFor(store, names, { name, groups }, namespace)].map((each) =>
      each.error === undefined ? `${each.rule.verbs?.join(',') ?? ''} by ${each.source}` : `${each.error} | ${each.stored}`,
    );

  it('are those of bindings of the cluster and of the namespace, by name', () => {
    expect(of('ann', [], 'default')).toEqual([
      'clusterrole.rbac.authorization.k8s.io "gone" not found | clusterroles.rbac.authorization.k8s.io "gone" not found',
      'get by ClusterRoleBinding "b" of ClusterRole "wide" to User "ann"',
      'list by ClusterRoleBinding "b" of ClusterRole "wide" to User "ann"',
      'watch by RoleBinding "d/default" of Role "narrow" to User "ann"',
      'role.rbac.authorization.k8s.io "gone" not found | roles.rbac.authorization.k8s.io "gone" not found',
    ]);
    expect(of('ann', ['devs'], '')).toEqual([
      'clusterrole.rbac.authorization.k8s.io "gone" not found | clusterroles.rbac.authorization.k8s.io "gone" not found',
      'get by ClusterRoleBinding "b" of ClusterRole "wide" to Group "devs"',
      'list by ClusterRoleBinding "b" of ClusterRole "wide" to Group "devs"',
    ]);
    expect(of('eve', ['devs'], 'kube-system')).toEqual([
      'get by ClusterRoleBinding "b" of ClusterRole "wide" to Group "devs"',
      'list by ClusterRoleBinding "b" of ClusterRole "wide" to Group "devs"',
    ]);
    expect(of('system:serviceaccount:default:bot', [], 'default')).toEqual([
      'get by ClusterRoleBinding "c" of ClusterRole "wide" to ServiceAccount "bot/default"',
      'list by ClusterRoleBinding "c" of ClusterRole "wide" to ServiceAccount "bot/default"',
      'watch by RoleBinding "d/default" of Role "narrow" to ServiceAccount "bot/default"',
    ]);
    expect([of('system:serviceaccount:kube-system:bot', [], 'default'), of('bot', ['ann'], ''), of('devs', [], '')]).toEqual([[], [], []]);
  });

  it('decide, and the errors of roles that are gone are the reason of a denial', () => {
    const decide = (user: string, verb: string, more: object = {}) =>
      decideAccess(store, names, { user: { name: user, groups: [] }, verb, group: '', resource: 'pods', namespace: 'default', ...more });
    expect([
      decide('ann', 'get'),
      decide('ann', 'watch'),
      decide('ann', 'delete'),
      decide('eve', 'get'),
      decide('ann', 'watch', { namespace: undefined }),
      decide('ann', 'get', { path: '/x' }),
    ]).toEqual([
      { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "wide" to User "ann"' },
      { allowed: true, reason: 'RBAC: allowed by RoleBinding "d/default" of Role "narrow" to User "ann"' },
      {
        allowed: false,
        reason: 'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "gone" not found]',
      },
      { allowed: false, reason: '' },
      { allowed: false, reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found' },
      { allowed: false, reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found' },
    ]);
    expect(decideAccess(store, names, { user: { name: 'root', groups: ['system:masters'] }, verb: 'x', path: '/y' })).toEqual({
      allowed: true,
      reason: '',
    });
  });
});

describe('an aggregated role', () => {
  const role = (name: string, labels: Readonly<Record<string, string>>, ...rules: readonly PolicyRule[]) => ({
    metadata: { name, labels },
    rules,
  });
  const all = [
    role('z', { to: 'a' }, rule('get'), rule('list')),
    role('b', { to: 'a', also: 'x' }, rule('list'), rule('watch')),
    role('c', {}, rule('delete')),
    { metadata: { name: 'd', labels: { to: 'a' } } },
  ];
  const selecting = (...matchLabels: readonly Readonly<Record<string, string>>[]) => ({
    metadata: { name: 'sum' },
    aggregationRule: { clusterRoleSelectors: matchLabels.map((each) => ({ matchLabels: each })) },
  });
  const verbs = (made: readonly PolicyRule[] | undefined) => made?.map((each) => each.verbs?.join(','));

  it('has the rules of all that its selectors match, each once, by name', () => {
    expect(verbs(aggregatedRules(selecting({ to: 'a' }), all))).toEqual(['list', 'watch', 'get']);
    expect(verbs(aggregatedRules(selecting({ also: 'x' }, { to: 'a' }), all))).toEqual(['list', 'watch', 'get']);
    expect(verbs(aggregatedRules(selecting(), all))).toEqual([]);
    expect(
      verbs(
        aggregatedRules(
          { metadata: { name: 'b', labels: { to: 'a' } }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'a' } }] } },
          all,
        ),
      ),
    ).toEqual(['get', 'list']);
    expect(aggregatedRules({ metadata: { name: 'x' } }, all)).toBeUndefined();
    expect(aggregatedRules({ metadata: { name: 'x' }, aggregationRule: {} }, all)).toEqual([]);
  });
});

describe('what is missing', () => {
  const missing = (held: readonly PolicyRule[], ...wanted: readonly PolicyRule[]) => uncoveredRules(held, wanted);

  it('is each verb, group, resource and name that no rule covers, combined by resource', () => {
    const wanted = { verbs: ['get', 'list', 'get'], apiGroups: ['', 'apps'], resources: ['pods', 'a/b'] };
    expect(missing([], wanted)).toEqual([
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['a/b'] },
      { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['pods'] },
      { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['a/b'] },
    ]);
    expect(missing([rule('get')], wanted)).toEqual([
      { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['a/b'] },
      { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['pods'] },
      { verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['a/b'] },
    ]);
    expect(missing([{ verbs: ['*'], apiGroups: ['*'], resources: ['pods', '*/b'] }], wanted)).toEqual([]);
    expect(missing([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], wanted, { ...wanted, resourceNames: ['x'] })).toEqual([]);
    expect(missing([{ verbs: ['*'], apiGroups: ['*'], resources: ['*/c', 'b'] }], { ...wanted, resources: ['a/b'] })).toHaveLength(2);
  });

  it('may be names alone', () => {
    const named = (...resourceNames: readonly string[]) => rule('get', { resourceNames });
    expect(missing([named('a')], named('a', 'b'))).toEqual([
      { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['b'] },
    ]);
    expect(missing([rule('get')], named('a'))).toEqual([]);
    expect(missing([named('a')], rule('get'))).toEqual([rule('get')]);
    expect(missing([], { verbs: null, apiGroups: [''], resources: ['pods'] }, {} as never)).toEqual([]);
  });

  it('may be paths', () => {
    const paths = (verbs: readonly string[], ...nonResourceURLs: readonly string[]): PolicyRule => ({ verbs, nonResourceURLs });
    expect(missing([paths(['get'], '/api/*')], paths(['get', 'post'], '/api/v1', '/healthz'))).toEqual([
      { verbs: ['post'], nonResourceURLs: ['/api/v1'] },
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
      { verbs: ['post'], nonResourceURLs: ['/healthz'] },
    ]);
    expect(missing([paths(['*'], '*')], paths(['get'], '/x'))).toEqual([]);
  });

  it('is described on a line for each rule, in order', () => {
    const found = missing(
      [],
      rule('get', { resourceNames: ['n'] }),
      { verbs: ['get'], nonResourceURLs: ['/x'] },
      rule('get', { resourceNames: ['n'] }),
    );
    expect(describeMissing({ name: 'u', groups: ['g', 'h'] }, found, [])).toBe(
      'user "u" (groups=["g" "h"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], ResourceNames:["n"], Verbs:["get"]}\n{NonResourceURLs:["/x"], Verbs:["get"]}',
    );
    expect(describeMissing({ name: 'u', groups: [] }, [], ['a is gone', 'b is gone'])).toBe(
      'user "u" (groups=[]) is attempting to grant RBAC permissions not currently held:\n; resolution errors: [[a is gone, b is gone]]',
    );
  });
});
