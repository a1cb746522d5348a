/** ResourceQuota: how much a namespace may use. Models: v1.24 core/v1 ResourceQuota, pkg/registry/core/resourcequota. */
import { always, list, obj, req, str, type Infer } from '../../schema/index.ts';
import { nameColumn, ageColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { resourceList } from '../shapes/claims.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { quotaAmountErrors, quotaScopeChange, quotaSpecErrors } from './resource-quota-validation.ts';

const scopeSelector = obj('ScopeSelector', {
  matchExpressions: list(obj('ScopedResourceSelectorRequirement', { scopeName: req(str('ResourceQuotaScope')), operator: req(str('ScopeSelectorOperator')), values: list(str()) })),
}, { mapType: 'atomic' });

export const resourceQuotaSchema = obj('ResourceQuota', {
  ...typeMeta,
  spec: always(obj('ResourceQuotaSpec', { hard: resourceList, scopes: list(str('ResourceQuotaScope')), scopeSelector })),
  status: always(obj('ResourceQuotaStatus', { hard: resourceList, used: resourceList })),
});
export type ResourceQuota = ObjectOf<'ResourceQuota', Infer<typeof resourceQuotaSchema>>;

/** As the controller has counted: what is allowed by the specification alone is not in force yet. */
function usage({ status: { hard = {}, used = {} } }: ResourceQuota, limits: boolean): string {
  return Object.keys(hard).filter((name) => name.startsWith('limits.') === limits).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`).join(', ');
}

export const resourceQuota = defineKind<ResourceQuota>({
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: resourceQuotaSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft['status'] = {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...quotaSpecErrors(object.spec)],
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context), ...quotaSpecErrors(object.spec), ...quotaScopeChange(object.spec, old.spec)],
  validateStatusUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context), ...(['hard', 'used'] as const).flatMap((which) => quotaAmountErrors(object.status[which], `status.${which}`))],
  columns: [
    nameColumn,
    ageColumn,
    { name: 'Request', type: 'string', description: 'Used and allowed, of requests and counts.', priority: 0, cell: (object) => usage(object, false) },
    { name: 'Limit', type: 'string', description: 'Used and allowed, of limits.', priority: 0, cell: (object) => usage(object, true) },
  ],
  models: 'Complete. Upstream: pkg/registry/core/resourcequota.',
});
