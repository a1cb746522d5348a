/** The decision: the first rule that allows wins, otherwise it is no. Models: v1.24 plugin/pkg/auth/authorizer/rbac rbac.go. */
import { type Names, type PolicyRule, storeKey } from '../machinery/index.ts';
import type { Store } from '../store/index.ts';
import { aggregateText, compareText, labelMatcher } from '../../schema/values/index.ts';
import type { ClusterRole, Role, RoleBinding } from '../kinds/index.ts';

/** Members of this group may do everything, regardless of bindings. */
export const PRIVILEGED = 'system:masters';

export function decideAccess(store: Store, names: Names, question: AccessQuestion): Decision {
  if (question.user.groups.includes(PRIVILEGED)) return { allowed: true, reason: '' };
  const errors: string[] = [];
  const namespace = question.path === undefined ? (question.namespace ?? '') : '';
  for (const given of rulesFor(store, names, question.user, namespace)) {
    if (given.error !== undefined) errors.push(given.error);
    else if (ruleAllows(given.rule, question)) return { allowed: true, reason: `RBAC: allowed by ${given.source}` };
  }
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregateText(errors)}` };
}

/** The requesting user, with groups. A service account is a user whose name has a special form. */
export interface Subject {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Whether this user may use a verb on a resource, or on a non-resource path. */
export type AccessQuestion = { readonly user: Subject; readonly verb: string } & (
  | { readonly path: string }
  | {
      readonly path?: undefined;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly name?: string;
      readonly namespace?: string;
    }
);

export interface Decision {
  readonly allowed: boolean;
  /** The binding that allowed it, or the errors met while bindings were read; mostly empty for a denial. */
  readonly reason: string;
}

// Models: v1.24 pkg/apis/rbac/v1 evaluation_helpers.go.
const has = (list: readonly string[] | null | undefined, value: string): boolean => list?.includes(value) === true;

export function ruleAllows(rule: PolicyRule, question: AccessQuestion): boolean {
  if (!has(rule.verbs, '*') && !has(rule.verbs, question.verb)) return false;
  if (question.path !== undefined) return pathMatches(rule.nonResourceURLs, question.path);
  const { group, resource, subresource = '', name = '' } = question;
  if (!has(rule.apiGroups, '*') && !has(rule.apiGroups, group)) return false;
  if (!resourceMatches(rule.resources, resource, subresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(name);
}

/** Matches `*`, `pods`, `pods/log`, or a sub-resource of any resource, as in star-slash-scale. */
function resourceMatches(resources: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (has(resources, '*')) return true;
  if (subresource === '') return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || has(resources, `*/${subresource}`);
}

/** Matches the exact path, `*`, or a prefix that ends with `*`. */
export const pathMatches = (urls: readonly string[] | undefined, path: string): boolean =>
  (urls ?? []).some((url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))));

// Models: v1.24 pkg/controller/clusterroleaggregation.
/** The members of a role that aggregation reads, both of a stored role and of one that is about to be created. */
export interface AggregatableRole {
  readonly metadata: Pick<ClusterRole['metadata'], 'name' | 'labels'>;
  readonly aggregationRule?: ClusterRole['aggregationRule'];
  readonly rules?: readonly PolicyRule[] | null;
}

/** Returns the rules of every role that its selectors match, by name, each once; undefined for a role without aggregation. */
export function aggregatedRules(role: AggregatableRole, all: Iterable<AggregatableRole>): readonly PolicyRule[] | undefined {
  if (role.aggregationRule === undefined) return undefined;
  const byName = [...all].sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const rules = new Map<string, PolicyRule>();
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const matches = labelMatcher(selector);
    for (const other of byName) {
      if (other.metadata.name === role.metadata.name || !matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const key = JSON.stringify(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

// Models: v1.24 pkg/registry/rbac/validation
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

/** Yields the rules of a user, by bindings in order of name; for an empty `namespace` of cluster-wide bindings only. */
export function* rulesFor(store: Store, names: Names, user: Subject, namespace: string): Generator<GivenRule> {
  const group = names.group('rbac.authorization');
  for (const within of namespace === '' ? [''] : ['', namespace]) {
    const [kind, bindings] =
      within === ''
        ? ['ClusterRoleBinding', store.values('ClusterRoleBinding')]
        : ['RoleBinding', store.by('RoleBinding', 'namespace', within)];
    for (const { binding, subject } of applying(bindings, user, within)) {
      const name = within === '' ? binding.metadata.name : `${binding.metadata.name}/${within}`;
      const source = (role: string): string => `${kind} ${JSON.stringify(name)} of ${role} to ${describe(subject, within)}`;
      yield* given(store, group, binding.roleRef, within, source);
    }
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
