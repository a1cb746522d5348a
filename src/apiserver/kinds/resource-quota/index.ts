/** ResourceQuota: limits the resources of a namespace. Models: v1.24 core/v1 ResourceQuota, pkg/registry/core/resourcequota. */
import { defineKind, keepSpec, keepStatus, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { resourceQuotaColumns } from './columns.ts';
import { quotaAmountErrors, quotaScopeChange, quotaSpecErrors } from './rules.ts';
import { type ResourceQuota, resourceQuotaSchema } from './shape.ts';
import { resourceQuotaExample } from './example.ts';

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
    draft.status = {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...quotaSpecErrors(object.spec)],
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...quotaSpecErrors(object.spec),
    ...quotaScopeChange(object.spec, old.spec),
  ],
  validateStatusUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...(['hard', 'used'] as const).flatMap((which) => quotaAmountErrors(object.status[which], `status.${which}`)),
  ],
  columns: resourceQuotaColumns,
  models: 'Complete. Upstream: pkg/registry/core/resourcequota.',
  example: resourceQuotaExample,
});
