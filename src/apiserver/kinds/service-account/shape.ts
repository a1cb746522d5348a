/** The schema of ServiceAccounts: fields, types, and the defaults that depend only on the object. */
import { bool, type Infer, list, mergeList, obj, ptr, field } from '../../../schema/shape/index.ts';
import { localObjectReference, type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const serviceAccountSchema = obj('ServiceAccount', 'Who pods are.', {
  ...typeMeta,
  secrets: field(2, 'Secrets that its pods may use.', mergeList(objectReference, 'name')),
  imagePullSecrets: field(3, 'Secrets to pull images with.', list(localObjectReference)),
  automountServiceAccountToken: field(4, 'Whether its pods get a token.', ptr(bool)),
});
export type ServiceAccount = ObjectOf<'ServiceAccount', Infer<typeof serviceAccountSchema>>;
