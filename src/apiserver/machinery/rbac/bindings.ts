/**
 * The parts that RoleBinding and ClusterRoleBinding share: subjects and a role reference. Models: v1.24 rbac/v1, pkg/registry/rbac,
 * pkg/apis/rbac/validation.
 */
import { list, obj, req, str, type Complete, type Infer, field } from '../../../schema/shape/index.ts';
import { append, GoText, isDns1123Subdomain, isValidPathSegmentName } from '../../../schema/values/index.ts';
import { ageColumn, nameColumn, column, wideColumn } from '../columns.ts';
import { defineKind, type KindParts } from '../define-kind.ts';
import type { ColumnOf, KindContext } from '../kind.ts';
import type { Names } from '../names.ts';
import { typeMeta, type ObjectOf } from '../structs/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid, notSupported, required } from '../validation/field-errors.ts';
import { pathSegmentName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

const groupOf = (kind: unknown, { domain }: { readonly domain: string }): string =>
  kind === 'ServiceAccount' ? '' : `rbac.authorization.${domain}`;

const subjectFor = (names: Names) => {
  // Users and groups have this API group, service accounts have none.
  const complete: Complete = ({ kind, apiGroup }) =>
    apiGroup === undefined && (kind === 'User' || kind === 'Group') ? { apiGroup: groupOf(kind, names) } : undefined;
  return obj(
    'Subject',
    'A user, group or service account.',
    {
      kind: field(1, 'User, Group or ServiceAccount.', req(str())),
      apiGroup: field(2, 'Group of the kind; empty for service accounts.', str()),
      name: field(3, 'The name.', req(str())),
      namespace: field(4, 'Of a service account.', str()),
    },
    { mapType: 'atomic', complete },
  );
};
/** Returns the fields of both kinds of bindings. */
export const bindingFieldsFor = (names: Names) => {
  const complete: Complete = ({ apiGroup }) =>
    apiGroup === undefined || apiGroup === '' ? { apiGroup: groupOf('Role', names) } : undefined;
  return {
    ...typeMeta,
    subjects: field(2, 'The users, groups and service accounts that get the role.', list(subjectFor(names))),
    roleRef: field(
      3,
      'The role, of this namespace or of the cluster. Cannot be changed.',
      req(
        obj(
          'RoleRef',
          'A role.',
          {
            apiGroup: field(1, 'Its group.', req(str())),
            kind: field(2, 'Role or ClusterRole.', req(str())),
            name: field(3, 'Its name.', req(str())),
          },
          { mapType: 'atomic', complete },
        ),
      ),
    ),
  };
};
type BindingFields = Infer<{ readonly type: 'object'; readonly go: 'RoleBinding'; readonly fields: ReturnType<typeof bindingFieldsFor> }>;
/** An object of one of the two kinds. */
export type BindingOf<K extends 'RoleBinding' | 'ClusterRoleBinding'> = ObjectOf<K, BindingFields>;
type AnyBinding = ObjectOf<'RoleBinding' | 'ClusterRoleBinding', BindingFields>;
/** A subject that gets a role. */
export type Subject = NonNullable<AnyBinding['subjects']>[number];

function subjectErrors(
  { kind, name, namespace = '', apiGroup = '' }: Subject,
  namespaced: boolean,
  names: Names,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${field}.name`));
  const expected = groupOf(kind, names);
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        append(
          errors,
          isDns1123Subdomain(name).map((problem) => invalid(`${field}.name`, name, problem)),
        );
      if (apiGroup !== '') errors.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(`${field}.namespace`));
      break;
    case 'User':
    case 'Group':
      if (name === '') errors.push(invalid(`${field}.name`, name, `${kind.toLowerCase()} name cannot be empty`));
      if (apiGroup !== expected) errors.push(notSupported(`${field}.apiGroup`, apiGroup, [expected]));
      break;
    default:
      errors.push(notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

function bindingErrors(object: AnyBinding, namespaced: boolean, { names }: KindContext): FieldError[] {
  const { roleRef, subjects } = object;
  const errors: FieldError[] = [];
  const group = groupOf('Role', names);
  if (roleRef.apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup, [group]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported('roleRef.kind', roleRef.kind, kinds));
  if (roleRef.name === '') errors.push(required('roleRef.name'));
  else
    append(
      errors,
      isValidPathSegmentName(roleRef.name).map((problem) => invalid('roleRef.name', roleRef.name, problem)),
    );
  return [...errors, ...(subjects ?? []).flatMap((subject, at) => subjectErrors(subject, namespaced, names, `subjects[${at}]`))];
}

const named = (object: AnyBinding, kind: string): string =>
  (object.subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ');
const namesColumn = (name: string, kind: string): ColumnOf<AnyBinding> =>
  wideColumn(name, 'string', `${name} of the role`, (object) => named(object, kind));

/** Returns a kind of binding, with the common parts. */
export const defineBinding = <O extends AnyBinding>({ namespaced = true, ...own }: KindParts<O>) =>
  defineKind<O>({
    ...own,
    namespaced,
    groupPrefix: 'rbac.authorization',
    allowCreateOnUpdate: true,
    validateName: pathSegmentName,
    validate: (object, context) => [
      ...validateMeta(object, namespaced, pathSegmentName, context),
      ...bindingErrors(object, namespaced, context),
    ],
    validateUpdate(object, old, context) {
      const own = [...validateMeta(object, namespaced, pathSegmentName, context), ...bindingErrors(object, namespaced, context)];
      const errors = [...own, ...own, ...validateMetaUpdate(object, old, context)];
      const { roleRef } = object;
      if (!sameValue(roleRef, old.roleRef))
        errors.push(
          invalid(
            'roleRef',
            new GoText(
              `rbac.RoleRef{APIGroup:${JSON.stringify(roleRef.apiGroup)}, Kind:${JSON.stringify(roleRef.kind)}, Name:${JSON.stringify(roleRef.name)}}`,
            ),
            'cannot change roleRef',
          ),
        );
      return errors;
    },
    columns: [
      nameColumn,
      column('Role', 'string', 'Role that is granted.', (object) => `${object.roleRef.kind}/${object.roleRef.name}`),
      ageColumn,
      namesColumn('Users', 'User'),
      namesColumn('Groups', 'Group'),
      namesColumn('ServiceAccounts', 'ServiceAccount'),
    ],
    models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation.',
  });
