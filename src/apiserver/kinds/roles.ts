/**
 * Role and ClusterRole: permissions, in a namespace or in the whole cluster. RoleBinding and ClusterRoleBinding: grant a role there. Models:
 * v1.24 rbac/v1, pkg/registry/rbac, pkg/apis/rbac/validation.
 */
import { always, type Complete, field, type Infer, list, obj, req, str } from '../../schema/shape/index.ts';
import { goStrings, GoText, labelSelectorAsSelection, validateLabelSelector } from '../../schema/values/index.ts';
import { createdAtColumn, defineKind, type KindDefinition, type KindOf, nameColumn } from '../machinery/index.ts';
import type { FieldError, KindContext, Names } from '../objects/index.ts';
import { labelSelector, type ObjectOf, policyRule, typeMeta } from '../structs/index.ts';
import { facetErrors, invalid, notSupported, ofEach, pathSegmentName, required, sameValue, shown } from '../validation/index.ts';

const roleFields = { ...typeMeta, rules: field(2, 'The permissions.', always(list(policyRule))) } as const;

const roleSchema = obj('Role', 'Permissions in a namespace.', roleFields);
export type Role = ObjectOf<'Role', Infer<typeof roleSchema>>;

const clusterRoleSchema = obj('ClusterRole', 'Permissions in the whole cluster, or, through a RoleBinding, in one namespace.', {
  ...roleFields,
  aggregationRule: field(
    3,
    'Combines the rules of other roles.',
    obj('AggregationRule', 'The roles whose rules are combined.', {
      clusterRoleSelectors: field(1, 'Selectors; a role needs to match one of them.', list(labelSelector)),
    }),
  ),
});
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

/** Paths have no namespace, so only the rules of a ClusterRole apply to them. */
const rulesErrors =
  (namespaced: boolean) =>
  ({ rules }: Role | ClusterRole): FieldError[] =>
    ofEach(rules, 'rules', ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }, field) => {
      const errors = (verbs ?? []).length === 0 ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : [];
      if (nonResourceURLs.length > 0) {
        const refuse = (why: string): unknown =>
          errors.push(invalid(`${field}.nonResourceURLs`, new GoText(goStrings(nonResourceURLs)), why));
        if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
        if (apiGroups.length + resources.length + resourceNames.length > 0)
          refuse('rules cannot apply to both regular resources and non-resource URLs');
        return errors;
      }
      if (apiGroups.length === 0) errors.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
      if (resources.length === 0) errors.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
      return errors;
    });

function aggregationErrors({ aggregationRule: aggregation }: ClusterRole): FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  if (aggregation === undefined) return [];
  if ((aggregation.clusterRoleSelectors ?? []).length === 0)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return ofEach(aggregation.clusterRoleSelectors, field, (selector, path) => [
    ...validateLabelSelector(selector, path),
    ...(labelSelectorAsSelection(selector).error === undefined ? [] : [invalid(path, 'null', 'invalid label selector.')]),
  ]);
}

/** Returns what both kinds have. Upstream's rules of updates include those of creations, and both run. */
const roleWith = <O extends Role | ClusterRole>(...rules: readonly ((object: O) => FieldError[])[]) =>
  ({
    groupPrefix: 'rbac.authorization',
    allowCreateOnUpdate: true,
    validateName: pathSegmentName,
    create: ['metadata', ...rules],
    update: ['metadata', ...rules, 'metadata', ...rules, 'changed metadata'],
    columns: [nameColumn, createdAtColumn],
    models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation; escalation is checked by the server.',
  }) satisfies Partial<KindDefinition<O>>;

export const role = defineKind<Role>({ schema: roleSchema, ...roleWith<Role>(rulesErrors(true)) });

/** A star may only be the whole last segment. */
const isPath = (path: string): boolean =>
  !path.includes('*') || path === '*' || (path.endsWith('/*') && path.indexOf('*') === path.length - 1);

export const clusterRole = defineKind<ClusterRole>({
  namespaced: false,
  schema: clusterRoleSchema,
  ...roleWith<ClusterRole>(rulesErrors(false), aggregationErrors),
  specification: [
    {
      name: 'cluster-role/star-is-the-last-step',
      field: 'rules[].nonResourceURLs',
      statement: 'A star in a path stands for the whole last segment, never for a part of it.',
      place: 'resource-api.md: Role, rules.nonResourceURLs',
      recorded: 'accepts a star anywhere, and interprets it only at the end',
      check: ({ rules }) =>
        ofEach(rules, 'rules', ({ nonResourceURLs }, field) =>
          ofEach(nonResourceURLs, `${field}.nonResourceURLs`, (path, at) =>
            isPath(path) ? [] : [invalid(at, path, "'*' is allowed only as the full last step of a path, as in '/healthz/*'")],
          ),
        ),
    },
  ],
});

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
      name: field(3, 'The name.', req(str()), { needed: true }),
      namespace: field(4, 'Of a service account.', str()),
    },
    { mapType: 'atomic', complete },
  );
};

const roleRefFor = (names: Names) => {
  const complete: Complete = ({ apiGroup }) =>
    apiGroup === undefined || apiGroup === '' ? { apiGroup: groupOf('Role', names) } : undefined;
  return obj(
    'RoleRef',
    'A role.',
    {
      apiGroup: field(1, 'Its group.', req(str())),
      kind: field(2, 'Role or ClusterRole.', req(str())),
      name: field(3, 'Its name.', req(str()), { needed: true, format: 'path segment' }),
    },
    { mapType: 'atomic', complete },
  );
};

const fieldsFor = (names: Names) => ({
  ...typeMeta,
  subjects: field(2, 'The users, groups and service accounts that get the role.', list(subjectFor(names))),
  roleRef: field(3, 'The role, of this namespace or of the cluster. Cannot be changed.', req(roleRefFor(names))),
});
type Fields = Infer<{ readonly type: 'object'; readonly go: 'RoleBinding'; readonly fields: ReturnType<typeof fieldsFor> }>;
export type RoleBinding = ObjectOf<'RoleBinding', Fields>;
export type ClusterRoleBinding = ObjectOf<'ClusterRoleBinding', Fields>;
type Binding = RoleBinding | ClusterRoleBinding;

function bindingWith<O extends Binding>(names: Names, kind: O['kind'], about: string, namespaced: boolean): KindOf<O> {
  const fields = fieldsFor(names);
  const group = groupOf('Role', names);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const bindingErrors = ({ roleRef, subjects }: Binding): FieldError[] => [
    ...(roleRef.apiGroup === group ? [] : [notSupported('roleRef.apiGroup', roleRef.apiGroup, [group])]),
    ...(kinds.includes(roleRef.kind) ? [] : [notSupported('roleRef.kind', roleRef.kind, kinds)]),
    ...facetErrors(fields.roleRef, roleRef, 'roleRef'),
    ...ofEach(subjects, 'subjects', (subject, field) => [
      ...facetErrors(fields.subjects.items, subject, field),
      ...subjectErrors(subject, namespaced, names, field),
    ]),
  ];
  const changeErrors = ({ roleRef }: Binding, _: KindContext, { roleRef: before }: Binding): FieldError[] =>
    sameValue(roleRef, before) ? [] : [invalid('roleRef', shown(roleRef, fields.roleRef, 'rbac'), 'cannot change roleRef')];
  return defineKind<O>({
    groupPrefix: 'rbac.authorization',
    namespaced,
    schema: obj(kind, about, fields),
    allowCreateOnUpdate: true,
    validateName: pathSegmentName,
    create: ['metadata', bindingErrors],
    // The rules of updates include those of creations, and both run.
    update: ['metadata', bindingErrors, 'metadata', bindingErrors, 'changed metadata', changeErrors],
    columns: [
      'Name',
      ['Role', 'string', 'Role that is granted.', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`],
      'Age',
      ['Users', 'string', 'Users of the role', (object) => named(object, 'User'), 'wide'],
      ['Groups', 'string', 'Groups of the role', (object) => named(object, 'Group'), 'wide'],
      ['ServiceAccounts', 'string', 'ServiceAccounts of the role', (object) => named(object, 'ServiceAccount'), 'wide'],
    ],
    models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation.',
  });
}

function subjectErrors(
  { kind, name, namespace = '', apiGroup = '' }: NonNullable<Binding['subjects']>[number],
  namespaced: boolean,
  names: Names,
  field: string,
): FieldError[] {
  const expected = groupOf(kind, names);
  const wrongGroup = apiGroup === expected ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [expected])];
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...(name === '' ? [] : subdomainErrors(name, `${field}.name`)),
        ...wrongGroup,
        ...(!namespaced && namespace === '' ? [required(`${field}.namespace`)] : []),
      ];
    case 'User':
    case 'Group':
      return [...(name === '' ? [invalid(`${field}.name`, name, `${kind.toLowerCase()} name cannot be empty`)] : []), ...wrongGroup];
    default:
      return [notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

const subdomainErrors = (name: string, field: string): FieldError[] => facetErrors({ ...str(), format: 'subdomain' }, name, field);

const named = ({ subjects }: Binding, wanted: string): string =>
  (subjects ?? [])
    .filter(({ kind }) => kind === wanted)
    .map(({ name, namespace }) => (wanted === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
    .join(', ');

export const roleBinding = (names: Names) =>
  bindingWith<RoleBinding>(names, 'RoleBinding', 'Grants a role to users, in one namespace.', true);
export const clusterRoleBinding = (names: Names) =>
  bindingWith<ClusterRoleBinding>(names, 'ClusterRoleBinding', 'Grants a role to users, in the whole cluster.', false);
