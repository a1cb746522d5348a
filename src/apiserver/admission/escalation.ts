/**
 * Prevents privilege escalation: a user may create neither roles with more rules than their own nor bindings to such roles. It runs before
 * the validation of the object, because upstream's storage of these kinds wraps the usual one. Models: v1.24
 * pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased, escalation_check.go.
 */
import { type AccessQuestion, decideAccess, describeMissing, PRIVILEGED, referredRole, rulesFor, uncoveredRules } from '../access/index.ts';
import { type ApiObject, currentOf, type PolicyRule } from '../machinery/index.ts';
import { isOf, type RoleBinding } from '../kinds/index.ts';
import { forbidden, internal, notFound, sameValue, type User } from '../request/index.ts';
import type { AdmissionPlugin, Scope } from './plugin.ts';

/** The permission needed for an aggregated role, whose rules may be anything. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], apiGroups: [], resources: [], nonResourceURLs: ['*'] },
];

export const escalation: AdmissionPlugin = {
  name: 'RBACEscalation',
  verbs: ['create', 'update'],
  kinds: ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
  mutate(scope, { resource, namespace = '', name, request }, draft, old) {
    const object = currentOf<ApiObject>(draft);
    const { user } = request;
    // The cluster's own requests have no user.
    if (user === undefined || user.groups.includes(PRIVILEGED) || (old !== undefined && onlyCollected(object, old))) return;
    const binds = resource.kind.kind.endsWith('Binding');
    // The path of a create request has no name, so a verb restricted to one role name does not help.
    if (
      binds
        ? mayBind(scope, user, object, namespace)
        : mayEscalate(scope, user, resource.kind.plural, old === undefined ? '' : name, namespace)
    )
      return;
    const lacking = (wanted: readonly PolicyRule[]): string | undefined => missingRights(scope, user, namespace, wanted);
    const refusal = lacking(binds ? boundRules(scope, object, namespace) : rulesIn(object));
    if (refusal !== undefined) throw forbidden(resource, name, refusal);
    if ((gathers(object) || (old !== undefined && gathers(old))) && lacking(EVERYTHING) !== undefined)
      throw forbidden(resource, name, 'must have cluster-admin privileges to use an aggregationRule');
  },
};

/** Whether a change affects only owners and finalizers: garbage collection may make it. */
const onlyCollected = (object: ApiObject, old: ApiObject): boolean => sameValue(uncollected(object), uncollected(old));
const uncollected = ({ metadata: { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata }, ...rest }: ApiObject) => ({
  ...rest,
  metadata,
});

const rulesIn = (object: ApiObject): readonly PolicyRule[] =>
  (isOf('Role', object) || isOf('ClusterRole', object) ? object.rules : undefined) ?? [];

const gathers = (object: ApiObject): boolean => isOf('ClusterRole', object) && object.aggregationRule !== undefined;

/** Returns the role that a binding refers to. The kind's validation ensures that it has one. */
function roleRefOf(object: ApiObject): RoleBinding['roleRef'] {
  if (isOf('RoleBinding', object) || isOf('ClusterRoleBinding', object)) return object.roleRef;
  throw internal(`a ${object.kind} refers to no role`);
}

/** Returns the permissions that the user lacks, in the words of the refusal. */
function missingRights(scope: Scope, user: User, namespace: string, wanted: readonly PolicyRule[]): string | undefined {
  const given = [...rulesFor(scope.store, scope.names, user, namespace)];
  const held = given.flatMap((each) => (each.error === undefined ? [each.rule] : []));
  const broken = given.flatMap((each) => (each.error === undefined ? [] : [each.stored]));
  const missing = uncoveredRules(held, wanted);
  return missing.length === 0 ? undefined : describeMissing(user, missing, broken);
}

function boundRules(scope: Scope, object: ApiObject, namespace: string): readonly PolicyRule[] {
  const roleRef = roleRefOf(object);
  const role = referredRole(scope.store, roleRef, namespace);
  if (typeof role === 'string') throw internal(role);
  if (role !== undefined) return role.rules ?? [];
  throw notFound(scope.resource(roleRef.kind), roleRef.name);
}

/** The verb `escalate` on roles allows it regardless. */
const mayEscalate = (scope: Scope, user: User, resource: string, name: string, namespace: string): boolean =>
  mayUse(scope, { user, verb: 'escalate', group: scope.names.group('rbac.authorization'), resource, name, namespace });

const mayUse = (scope: Scope, question: AccessQuestion): boolean => decideAccess(scope.store, scope.names, question).allowed;

/** The verb `bind` on the bound role, in the namespace of the binding, allows it regardless. */
function mayBind(scope: Scope, user: User, object: ApiObject, namespace: string): boolean {
  const { kind, name, apiGroup } = roleRefOf(object);
  const resource = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;
  return resource !== undefined && mayUse(scope, { user, verb: 'bind', group: apiGroup, resource, name, namespace });
}
