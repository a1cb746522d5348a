/** ServiceAccount: who pods are. Models: v1.24 core/v1 ServiceAccount, pkg/registry/core/serviceaccount. */
import { bool, list, mergeList, obj, ptr, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { localObjectReference, objectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const serviceAccountSchema = obj('ServiceAccount', { ...typeMeta, secrets: mergeList(objectReference, 'name'), imagePullSecrets: list(localObjectReference), automountServiceAccountToken: ptr(bool) });
export type ServiceAccount = ObjectOf<'ServiceAccount', Infer<typeof serviceAccountSchema>>;

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
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context), ...validateMeta(object, true, subdomainName, context)],
  columns: [nameColumn, { name: 'Secrets', type: 'string', description: 'Number of secrets of the account.', priority: 0, cell: (object: ServiceAccount) => (object.secrets ?? []).length }, ageColumn],
  models: 'Complete; tokens are not issued. Upstream: pkg/registry/core/serviceaccount.',
});
