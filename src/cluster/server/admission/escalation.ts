/** Nobody hands out rights they do not hold: roles with more than the writer's own rules, bindings to such roles. Models: v1.24 pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased. */
import { createAuthorizer, describeMissing, PRIVILEGED, rulesFor, uncoveredRules } from '../../access/index.ts';
import type { ApiObject } from '../../api/object.ts';
import type { ClusterRole, PolicyRule, Role, RoleBinding } from '../../api/index.ts';
import type { Door } from '../door.ts';
import { sameValue } from '../equal.ts';
import { forbidden } from '../errors.ts';
import type { User } from '../request.ts';
import type { AdmissionPlugin } from './plugin.ts';

const BINDINGS: ReadonlySet<string> = new Set(['RoleBinding', 'ClusterRoleBinding']);

export const escalation: AdmissionPlugin = {
  name: 'RBACEscalation',
  verbs: ['create', 'update'],
  kinds: ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
  validate(door, { resource, namespace = '', name, request }, object, old) {
    const { user } = request;
    // The cluster's own requests have no user.
    if (user === undefined || user.groups.includes(PRIVILEGED)) return;
    const binds = BINDINGS.has(resource.kind.kind);
    if (old !== undefined && (binds ? sameValue(object['roleRef'], old['roleRef']) && sameValue(object['subjects'], old['subjects']) : sameValue(object['rules'], old['rules']) && sameValue(object['aggregationRule'], old['aggregationRule']))) return;
    const wanted = binds ? boundRules(door, object, namespace) : givenRules(object);
    if (mayAnyway(door, user, binds ? 'bind' : 'escalate', resource.kind.kind, object, namespace)) return;
    const given = [...rulesFor(door.store, door.names, user, namespace)];
    const held = given.flatMap((each) => (each.error === undefined ? [each.rule] : []));
    const missing = uncoveredRules(held, wanted);
    if (missing.length > 0) throw forbidden(resource, name, describeMissing(user, missing, given.flatMap((each) => each.error ?? [])));
  },
};

/** A role that gathers the rules of others may gather any. */
function givenRules(object: ApiObject): readonly PolicyRule[] {
  const role = object as unknown as Role | ClusterRole;
  const all: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  return 'aggregationRule' in role && role.aggregationRule !== undefined ? [all, { verbs: ['*'], nonResourceURLs: ['*'] }] : role.rules ?? [];
}

function boundRules(door: Door, object: ApiObject, namespace: string): readonly PolicyRule[] {
  const { roleRef } = object as unknown as RoleBinding;
  const role = (roleRef.kind === 'ClusterRole' ? door.store.get('ClusterRole', roleRef.name) : door.store.get('Role', `${namespace}/${roleRef.name}`)) as unknown as Role | undefined;
  return role?.rules ?? [];
}

/** The verbs `escalate` on the role and `bind` on the role that is bound allow it all the same. */
function mayAnyway(door: Door, user: User, verb: 'bind' | 'escalate', kind: string, object: ApiObject, namespace: string): boolean {
  const role = verb === 'bind' ? (object as unknown as RoleBinding).roleRef : { kind, name: object.metadata.name };
  const resource = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  return createAuthorizer(door.store, door.names).decide({ user, verb, group: door.names.group('rbac.authorization'), resource, name: role.name, namespace }).allowed;
}
