/** The schema of Secrets: fields, types, and the defaults that depend only on the object. */
import { bool, bytes, filled, type Infer, map, obj, ptr, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const secretSchema = obj('Secret', "Bytes that are nobody's business.", {
  ...typeMeta,
  immutable: field(5, 'Whether it can never be changed.', ptr(bool)),
  data: field(2, 'Bytes, in base64.', map(bytes)),
  stringData: field(4, 'Texts, put into data when written; never read back.', map(str())),
  type: field(3, 'What it is for; decides which keys must be there.', filled(str('SecretType'), 'Opaque')),
});
export type Secret = ObjectOf<'Secret', Infer<typeof secretSchema>>;
