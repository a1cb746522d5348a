/** The schema of Secrets: fields, types, and the defaults that depend only on the object. */
import { bool, bytes, filled, type Infer, map, obj, ptr, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const secretSchema = obj('Secret', {
  ...typeMeta,
  immutable: ptr(bool),
  data: map(bytes),
  stringData: map(str()),
  type: filled(str('SecretType'), 'Opaque'),
});
export type Secret = ObjectOf<'Secret', Infer<typeof secretSchema>>;
