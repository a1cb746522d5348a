/** The schema of ResourceQuotas: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, list, obj, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, resourceList, typeMeta } from '../../machinery/index.ts';

const scopeSelector = obj(
  'ScopeSelector',
  {
    matchExpressions: list(
      obj('ScopedResourceSelectorRequirement', {
        scopeName: req(str('ResourceQuotaScope')),
        operator: req(str('ScopeSelectorOperator')),
        values: list(str()),
      }),
    ),
  },
  { mapType: 'atomic' },
);

export const resourceQuotaSchema = obj('ResourceQuota', {
  ...typeMeta,
  spec: always(obj('ResourceQuotaSpec', { hard: resourceList, scopes: list(str('ResourceQuotaScope')), scopeSelector })),
  status: always(obj('ResourceQuotaStatus', { hard: resourceList, used: resourceList })),
});
export type ResourceQuota = ObjectOf<'ResourceQuota', Infer<typeof resourceQuotaSchema>>;
