/** ServiceAccount: the identity of pods. Models: v1.24 core/v1 ServiceAccount, pkg/registry/core/serviceaccount. */
import { bool, field, type Infer, list, mergeList, obj, ptr } from '../../schema/shape/index.ts';
import { defineKind } from '../machinery/index.ts';
import { localObjectReference, type ObjectOf, objectReference, typeMeta } from '../structs/index.ts';

const serviceAccountSchema = obj('ServiceAccount', 'The identity of pods.', {
  ...typeMeta,
  secrets: field(2, 'Secrets that its pods may use.', mergeList(objectReference, 'name')),
  imagePullSecrets: field(3, 'Secrets for pulling images.', list(localObjectReference)),
  automountServiceAccountToken: field(4, 'Whether its pods get a token.', ptr(bool)),
});
type ServiceAccount = ObjectOf<'ServiceAccount', Infer<typeof serviceAccountSchema>>;

export const serviceAccount = defineKind<ServiceAccount>({
  shortNames: ['sa'],
  schema: serviceAccountSchema,
  subresources: ['token'],
  deleteReturns: 'object',
  update: ['changed metadata', 'metadata'],
  columns: [
    'Name',
    ['Secrets', 'string', 'Number of secrets of the account.', (object: ServiceAccount) => (object.secrets ?? []).length],
    'Age',
  ],
  models: 'Complete; tokens are not issued. Upstream: pkg/registry/core/serviceaccount.',
});
