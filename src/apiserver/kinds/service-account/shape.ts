/** The schema of ServiceAccounts: fields, types, and the defaults that depend only on the object. */
import { bool, type Infer, list, mergeList, obj, ptr } from '../../../schema/shape/index.ts';
import { localObjectReference, type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const serviceAccountSchema = obj('ServiceAccount', {
  ...typeMeta,
  secrets: mergeList(objectReference, 'name'),
  imagePullSecrets: list(localObjectReference),
  automountServiceAccountToken: ptr(bool),
});
export type ServiceAccount = ObjectOf<'ServiceAccount', Infer<typeof serviceAccountSchema>>;
