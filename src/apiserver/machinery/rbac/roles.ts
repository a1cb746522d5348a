/**
 * The parts that Role and ClusterRole share: rules that allow verbs on resources. Models: v1.24 rbac/v1, pkg/registry/rbac,
 * pkg/apis/rbac/validation.
 */
import { always, list, obj, published, str, type Infer, field } from '../../../schema/shape/index.ts';
import { goStrings, GoText, labelSelectorAsSelection, validateLabelSelector } from '../../../schema/values/index.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import { defineKind, type KindParts } from '../define-kind.ts';
import { labelSelector, typeMeta, type ObjectOf } from '../structs/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid, required } from '../validation/field-errors.ts';
import { pathSegmentName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const policyRule = obj('PolicyRule', 'A permission: on resources or on paths, never both.', {
  verbs: field(1, 'get, list, watch, create, update, patch, delete, deletecollection and others; * for all.', published(list(str()))),
  apiGroups: field(2, 'Groups of the resources; the core group is "", * for all.', list(str())),
  resources: field(3, 'Plurals, with a sub-resource as in jobs/status; * for all.', list(str())),
  resourceNames: field(4, 'Only objects of these names; empty: all. Does not apply to create and list.', list(str())),
  nonResourceURLs: field(5, 'Paths, with * as the whole last element. Only through a ClusterRoleBinding.', list(str())),
});
export type PolicyRule = Infer<typeof policyRule>;

/** Fields of a Role; a ClusterRole has one more. */
export const roleFields = {
  ...typeMeta,
  rules: field(2, 'The permissions.', always(list(policyRule))),
} as const;
/** A ClusterRole may be aggregated from others. */
export const clusterRoleFields = {
  ...roleFields,
  aggregationRule: field(
    3,
    'Combines the rules of other roles.',
    obj('AggregationRule', 'The roles whose rules are combined.', {
      clusterRoleSelectors: field(1, 'Selectors; a role needs to match one of them.', list(labelSelector)),
    }),
  ),
} as const;
type Fields = Infer<{ readonly type: 'object'; readonly go: 'ClusterRole'; readonly fields: typeof clusterRoleFields }>;
/** A role of either kind, for shared rules. */
export type AnyRole = ObjectOf<'Role' | 'ClusterRole', Fields>;

function ruleErrors(
  { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule,
  namespaced: boolean,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (verbs === null || verbs.length === 0) errors.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
  if (nonResourceURLs.length > 0) {
    const shown = new GoText(goStrings(nonResourceURLs));
    if (namespaced) errors.push(invalid(`${field}.nonResourceURLs`, shown, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0)
      errors.push(invalid(`${field}.nonResourceURLs`, shown, 'rules cannot apply to both regular resources and non-resource URLs'));
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
  if (selectors.length === 0)
    return [
      ...errors,
      required('aggregationRule.clusterRoleSelectors', 'at least one clusterRoleSelector required if aggregationRule is non-nil'),
    ];
  return [
    ...errors,
    ...selectors.flatMap((selector, at) => {
      const field = `aggregationRule.clusterRoleSelectors[${at}]`;
      return [
        ...validateLabelSelector(selector, field),
        ...(labelSelectorAsSelection(selector).error === undefined ? [] : [invalid(field, 'null', 'invalid label selector.')]),
      ];
    }),
  ];
}

/** Returns a kind of role, with the common parts. */
export const defineRole = <O extends AnyRole>({ namespaced = true, ...own }: KindParts<O>) =>
  defineKind<O>({
    ...own,
    namespaced,
    groupPrefix: 'rbac.authorization',
    allowCreateOnUpdate: true,
    validateName: pathSegmentName,
    validate: (object, context) => [...validateMeta(object, namespaced, pathSegmentName, context), ...roleErrors(object, namespaced)],
    validateUpdate(object, old, context) {
      const own = [...validateMeta(object, namespaced, pathSegmentName, context), ...roleErrors(object, namespaced)];
      // Upstream's rules of updates include those of creations, and both run.
      return [...own, ...own, ...validateMetaUpdate(object, old, context)];
    },
    columns: [nameColumn, createdAtColumn],
    models: 'Complete. Upstream: pkg/registry/rbac, pkg/apis/rbac/validation; escalation is checked by the server.',
  });
