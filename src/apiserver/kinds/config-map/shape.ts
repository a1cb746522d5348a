/** The schema of ConfigMaps: fields, types, and the defaults that depend only on the object. */
import { bool, bytes, type Infer, map, obj, ptr, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const configMapSchema = obj('ConfigMap', 'Texts and bytes that pods read.', {
  ...typeMeta,
  immutable: field(4, 'Whether it can never be changed.', ptr(bool)),
  data: field(2, 'Texts.', map(str())),
  binaryData: field(3, 'Bytes; no key is in both.', map(bytes)),
});
export type ConfigMap = ObjectOf<'ConfigMap', Infer<typeof configMapSchema>>;
