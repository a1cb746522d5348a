/** Roles and bindings: who may do what. Models: v1.24 rbac/v1, pkg/registry/rbac, pkg/apis/rbac/validation. Four kinds of one idea. */
import { always, list, obj, published, req, str, type Complete, type Infer } from '../../schema/index.ts';
import { goStrings, GoText, isDns1123Subdomain, isValidPathSegmentName, labelSelectorAsSelection, validateLabelSelector } from '../../values/index.ts';
import { ageColumn, createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { ColumnOf } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import type { Names } from '../names.ts';
import { labelSelector, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid, notSupported, required } from '../validation/field-errors.ts';
import { pathSegmentName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export const policyRule = obj('PolicyRule', { verbs: published(list(str())), apiGroups: list(str()), resources: list(str()), resourceNames: list(str()), nonResourceURLs: list(str()) });
export type PolicyRule = Infer<typeof policyRule>;

export const roleSchema = obj('Role', { ...typeMeta, rules: always(list(policyRule)) });
export type Role = ObjectOf<'Role', Infer<typeof roleSchema>>;
export const clusterRoleSchema = obj('ClusterRole', { ...typeMeta, rules: always(list(policyRule)), aggregationRule: obj('AggregationRule', { clusterRoleSelectors: list(labelSelector) }) });
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

/** Both, for the rules they share. */
type AnyRole = ObjectOf<'Role' | 'ClusterRole', Infer<typeof clusterRoleSchema>>;

const groupOf = (kind: unknown, { domain }: { readonly domain: string }): string => (kind === 'ServiceAccount' ? '' : `rbac.authorization.${domain}`);

const subjectFor = (names: Names) => {
  // Users and groups are of this API's group, accounts of none.
  const complete: Complete = ({ kind, apiGroup }) => (apiGroup === undefined && (kind === 'User' || kind === 'Group') ? { apiGroup: groupOf(kind, names) } : undefined);
  return obj('Subject', { kind: req(str()), apiGroup: str(), name: req(str()), namespace: str() }, { mapType: 'atomic', complete });
};
const bindingFieldsFor = (names: Names) => {
  const complete: Complete = ({ apiGroup }) => (apiGroup === undefined || apiGroup === '' ? { apiGroup: groupOf('Role', names) } : undefined);
  return { ...typeMeta, subjects: list(subjectFor(names)), roleRef: req(obj('RoleRef', { apiGroup: req(str()), kind: req(str()), name: req(str()) }, { mapType: 'atomic', complete })) };
};
type BindingFields = Infer<{ readonly type: 'object'; readonly go: 'RoleBinding'; readonly fields: ReturnType<typeof bindingFieldsFor> }>;
export type RoleBinding = ObjectOf<'RoleBinding', BindingFields>;
export type ClusterRoleBinding = ObjectOf<'ClusterRoleBinding', BindingFields>;
export type Subject = NonNullable<RoleBinding['subjects']>[number];

function ruleErrors({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule, namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (verbs === null || verbs.length === 0) errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (nonResourceURLs.length > 0) {
    const shown = new GoText(goStrings(nonResourceURLs));
    if (namespaced) errors.push(invalid(`${field}.nonResourceURLs`, shown, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) errors.push(invalid(`${field}.nonResourceURLs`, shown, 'rules cannot apply to both regular resources and non-resource URLs'));
    return errors;
  }
  if (apiGroups.length === 0) errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  if (resources.length === 0) errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

function roleErrors({ rules, aggregationRule: aggregation }: AnyRole, namespaced: boolean): FieldError[] {
  const errors = (rules ?? []).flatMap((rule, at) => ruleErrors(rule, namespaced, `rules[${at}]`));
  if (aggregation === undefined) return errors;
  const selectors = aggregation.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return [...errors, required('aggregationRule.clusterRoleSelectors', 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return [...errors, ...selectors.flatMap((selector, at) => {
    const field = `aggregationRule.clusterRoleSelectors[${at}]`;
    return [...validateLabelSelector(selector, field), ...(labelSelectorAsSelection(selector).error === undefined ? [] : [invalid(field, 'null', 'invalid label selector.')])];
  })];
}

const roleKind = (kind: 'Role' | 'ClusterRole', plural: string, namespaced: boolean, schema: typeof roleSchema | typeof clusterRoleSchema) => defineKind<AnyRole>({
  kind, plural, namespaced, schema,
  groupPrefix: 'rbac.authorization',
  version: 'v1',
  allowCreateOnUpdate: true,
  validateName: pathSegmentName,
  validate: (object, context) => [...validateMeta(object, namespaced, pathSegmentName, context), ...roleErrors(object, namespaced)],
  validateUpdate(object, old, context) {
    const own = [...validateMeta(object, namespaced, pathSegmentName, context), ...roleErrors(object, namespaced)];
    // Upstream's rules of an update contain those of a creation and are run beside them.
    return [...own, ...own, ...validateMetaUpdate(object, old, context)];
  },
  columns: [nameColumn, createdAtColumn],
  models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation; escalation is judged by the server.',
});

export const role = roleKind('Role', 'roles', true, roleSchema);
export const clusterRole = roleKind('ClusterRole', 'clusterroles', false, clusterRoleSchema);

function subjectErrors({ kind, name, namespace = '', apiGroup = '' }: Subject, namespaced: boolean, names: Names, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${field}.name`));
  const expected = groupOf(kind, names);
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...isDns1123Subdomain(name).map((problem) => invalid(`${field}.name`, name, problem)));
      if (apiGroup !== '') errors.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(`${field}.namespace`));
      break;
    case 'User': case 'Group':
      if (name === '') errors.push(invalid(`${field}.name`, name, `${kind.toLowerCase()} name cannot be empty`));
      if (apiGroup !== expected) errors.push(notSupported(`${field}.apiGroup`, apiGroup, [expected]));
      break;
    default: errors.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

function bindingErrors(object: RoleBinding, namespaced: boolean, { names }: KindContext): FieldError[] {
  const { roleRef, subjects } = object;
  const errors: FieldError[] = [];
  const group = groupOf('Role', names);
  if (roleRef.apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup, [group]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported('roleRef.kind', roleRef.kind, kinds));
  if (roleRef.name === '') errors.push(required('roleRef.name'));
  else errors.push(...isValidPathSegmentName(roleRef.name).map((problem) => invalid('roleRef.name', roleRef.name, problem)));
  return [...errors, ...(subjects ?? []).flatMap((subject, at) => subjectErrors(subject, namespaced, names, `subjects[${at}]`))];
}

const named = (object: RoleBinding, kind: string): string => (object.subjects ?? []).filter((subject) => subject.kind === kind).map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name)).join(', ');
const namesColumn = (name: string, kind: string): ColumnOf<RoleBinding> => ({ name, type: 'string', description: `${name} of the role`, priority: 1, cell: (object) => named(object, kind) });

const bindingKind = (kind: 'RoleBinding' | 'ClusterRoleBinding', plural: string, namespaced: boolean, names: Names) => defineKind<RoleBinding>({
  kind, plural, namespaced,
  schema: obj(kind, bindingFieldsFor(names)),
  groupPrefix: 'rbac.authorization',
  version: 'v1',
  allowCreateOnUpdate: true,
  validateName: pathSegmentName,
  validate: (object, context) => [...validateMeta(object, namespaced, pathSegmentName, context), ...bindingErrors(object, namespaced, context)],
  validateUpdate(object, old, context) {
    const own = [...validateMeta(object, namespaced, pathSegmentName, context), ...bindingErrors(object, namespaced, context)];
    const errors = [...own, ...own, ...validateMetaUpdate(object, old, context)];
    const { roleRef } = object;
    if (!sameValue(roleRef, old.roleRef)) errors.push(invalid('roleRef', new GoText(`rbac.RoleRef{APIGroup:${JSON.stringify(roleRef.apiGroup)}, Kind:${JSON.stringify(roleRef.kind)}, Name:${JSON.stringify(roleRef.name)}}`), 'cannot change roleRef'));
    return errors;
  },
  columns: [
    nameColumn,
    { name: 'Role', type: 'string', description: 'Role that is granted.', priority: 0, cell: (object) => `${object.roleRef.kind}/${object.roleRef.name}` },
    ageColumn,
    namesColumn('Users', 'User'),
    namesColumn('Groups', 'Group'),
    namesColumn('ServiceAccounts', 'ServiceAccount'),
  ],
  models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation.',
});

export const roleBinding = (names: Names) => bindingKind('RoleBinding', 'rolebindings', true, names);
export const clusterRoleBinding = (names: Names) => bindingKind('ClusterRoleBinding', 'clusterrolebindings', false, names);
