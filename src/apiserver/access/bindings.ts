/**
 * The rules that bindings grant to a user: cluster-wide ones first, then those of the namespace. Models: v1.24 pkg/registry/rbac/validation
 * rule.go VisitRulesFor.
 */
import { compareText } from '../../schema/values/index.ts';
import type { ClusterRole, Role, RoleBinding } from '../kinds/index.ts';
import { type PolicyRule, storeKey } from '../machinery/index.ts';
import type { Names } from '../machinery/index.ts';
import type { Store } from '../store/index.ts';
import type { Subject } from './question.ts';

/** A rule and its origin; or a binding whose role is missing. */
export type GivenRule =
  | { readonly rule: PolicyRule; readonly source: string; readonly error?: undefined }
  | {
      readonly error: string;
      /** The same error in the words of the storage of roles: it names the resource, where caches name the kind. */ readonly stored: string;
    };

/** Returns the role that a binding refers to; or an error text where there is none. */
export function referredRole(
  store: Store,
  { kind, name }: RoleBinding['roleRef'],
  namespace: string,
): Role | ClusterRole | string | undefined {
  switch (kind) {
    case 'ClusterRole':
      return store.get('ClusterRole', name);
    case 'Role':
      return store.get('Role', storeKey(namespace, name));
    default:
      return `unsupported role reference kind: ${JSON.stringify(kind)}`;
  }
}

type BindingSubject = NonNullable<RoleBinding['subjects']>[number];

/**
 * Yields the rules of a user, with bindings ordered by name. With an empty `namespace`: cluster-wide bindings only. Upstream's cache has no
 * order; recorded decisions name the first binding.
 */
export function* rulesFor(store: Store, names: Names, user: Subject, namespace: string): Generator<GivenRule> {
  const group = names.group('rbac.authorization');
  for (const { binding, subject } of applying(store.values('ClusterRoleBinding'), user, '')) {
    const { name } = binding.metadata;
    const source = (role: string): string => `ClusterRoleBinding ${JSON.stringify(name)} of ${role} to ${describe(subject, '')}`;
    yield* given(store, group, binding.roleRef, '', source);
  }
  if (namespace === '') return;
  for (const { binding, subject } of applying(store.by('RoleBinding', 'namespace', namespace), user, namespace)) {
    const name = `${binding.metadata.name}/${namespace}`;
    const source = (role: string): string => `RoleBinding ${JSON.stringify(name)} of ${role} to ${describe(subject, namespace)}`;
    yield* given(store, group, binding.roleRef, namespace, source);
  }
}

type Binding = Pick<RoleBinding, 'metadata' | 'roleRef' | 'subjects'>;

/** Yields the bindings that apply to a user, ordered by name. */
function applying(bindings: Iterable<Binding>, user: Subject, namespace: string) {
  const found: { readonly binding: Binding; readonly subject: BindingSubject }[] = [];
  for (const binding of bindings) {
    const subject = appliesTo(binding.subjects, user, namespace);
    if (subject !== undefined) found.push({ binding, subject });
  }
  return found.sort((a, b) => compareText(a.binding.metadata.name, b.binding.metadata.name));
}

function* given(
  store: Store,
  group: string,
  roleRef: RoleBinding['roleRef'],
  namespace: string,
  source: (role: string) => string,
): Generator<GivenRule> {
  const { kind, name } = roleRef;
  const role = referredRole(store, roleRef, namespace);
  if (role === undefined || typeof role === 'string') {
    const missing = `.${group} ${JSON.stringify(name)} not found`;
    yield typeof role === 'string'
      ? { error: role, stored: role }
      : { error: `${kind.toLowerCase()}${missing}`, stored: `${kind.toLowerCase()}s${missing}` };
    return;
  }
  const from = source(`${kind} ${JSON.stringify(name)}`);
  for (const rule of role.rules ?? []) yield { rule, source: from };
}

/** Returns the first subject of a binding that matches the user. */
function appliesTo(subjects: RoleBinding['subjects'], user: Subject, namespace: string): BindingSubject | undefined {
  return subjects?.find((subject) => {
    switch (subject.kind) {
      case 'User':
        return subject.name === user.name;
      case 'Group':
        return user.groups.includes(subject.name);
      case 'ServiceAccount': {
        const home = accountNamespace(subject, namespace);
        return home !== '' && user.name === `system:serviceaccount:${home}:${subject.name}`;
      }
      default:
        return false;
    }
  });
}

const accountNamespace = ({ namespace = '' }: BindingSubject, binding: string): string => (namespace === '' ? binding : namespace);

const describe = (subject: BindingSubject, namespace: string): string =>
  `${subject.kind} ${JSON.stringify(subject.kind === 'ServiceAccount' ? `${subject.name}/${accountNamespace(subject, namespace)}` : subject.name)}`;
