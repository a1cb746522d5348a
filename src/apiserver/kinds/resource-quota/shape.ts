/** The schema of ResourceQuotas: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, list, obj, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const scopeSelector = obj(
  'ScopeSelector',
  'Objects that count.',
  {
    matchExpressions: field(
      1,
      'All must hold.',
      list(
        obj('ScopedResourceSelectorRequirement', 'One requirement.', {
          scopeName: field(1, 'The scope.', req(str('ResourceQuotaScope'))),
          operator: field(2, 'In, NotIn, Exists or DoesNotExist.', req(str('ScopeSelectorOperator'))),
          values: field(3, 'For In and NotIn.', list(str())),
        }),
      ),
    ),
  },
  { mapType: 'atomic' },
);

export const resourceQuotaSchema = obj('ResourceQuota', 'How much a namespace may have.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('ResourceQuotaSpec', 'The limits.', {
        hard: field(1, 'By resource, or count/PLURAL.GROUP.', resourceList),
        scopes: field(2, 'Only objects for which all of these hold.', list(str('ResourceQuotaScope'))),
        scopeSelector: field(3, 'The same, with values.', scopeSelector),
      }),
    ),
  ),
  status: field(
    3,
    always(
      obj('ResourceQuotaStatus', 'What is used.', {
        hard: field(1, 'The limits that hold.', resourceList),
        used: field(2, 'What there is.', resourceList),
      }),
    ),
  ),
});
export type ResourceQuota = ObjectOf<'ResourceQuota', Infer<typeof resourceQuotaSchema>>;
