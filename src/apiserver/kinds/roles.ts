/**
 * Role and ClusterRole: permissions, in a namespace or in the whole cluster. Models: v1.24 rbac/v1, pkg/registry/rbac,
 * pkg/apis/rbac/validation.
 */
import { always, field, type Infer, list, obj } from '../../schema/shape/index.ts';
import { goStrings, GoText, labelSelectorAsSelection, validateLabelSelector } from '../../schema/values/index.ts';
import { createdAtColumn, defineKind, type KindDefinition, nameColumn } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { labelSelector, type ObjectOf, policyRule, typeMeta } from '../structs/index.ts';
import { invalid, ofEach, pathSegmentName, required } from '../validation/index.ts';

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
