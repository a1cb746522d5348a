/** ServiceAccount: the identity of pods. Models: v1.24 core/v1 ServiceAccount, pkg/registry/core/serviceaccount. */
import { defineKind, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { serviceAccountColumns } from './columns.ts';
import { type ServiceAccount, serviceAccountSchema } from './shape.ts';
import { serviceAccountExample } from './example.ts';

export const serviceAccount = defineKind<ServiceAccount>({
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: serviceAccountSchema,
  subresources: ['token'],
  deleteReturns: 'object',
  validateName: subdomainName,
  validate: (object, context) => validateMeta(object, true, subdomainName, context),
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...validateMeta(object, true, subdomainName, context),
  ],
  columns: serviceAccountColumns,
  models: 'Complete; tokens are not issued. Upstream: pkg/registry/core/serviceaccount.',
  example: serviceAccountExample,
});
