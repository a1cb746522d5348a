/** The shape of a ServiceAccount: its fields, their types and the defaults that need nothing but the object. */
import { bool, type Infer, list, mergeList, obj, ptr } from '../../../grammar/schema/index.ts';
import { localObjectReference, type ObjectOf, objectReference, typeMeta } from '../../vocabulary/index.ts';

export const serviceAccountSchema = obj('ServiceAccount', {
  ...typeMeta,
  secrets: mergeList(objectReference, 'name'),
  imagePullSecrets: list(localObjectReference),
  automountServiceAccountToken: ptr(bool),
});
export type ServiceAccount = ObjectOf<'ServiceAccount', Infer<typeof serviceAccountSchema>>;
