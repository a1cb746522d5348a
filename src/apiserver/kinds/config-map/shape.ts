/** The schema of ConfigMaps: fields, types, and the defaults that depend only on the object. */
import { bool, bytes, type Infer, map, obj, ptr, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const configMapSchema = obj('ConfigMap', { ...typeMeta, immutable: ptr(bool), data: map(str()), binaryData: map(bytes) });
export type ConfigMap = ObjectOf<'ConfigMap', Infer<typeof configMapSchema>>;
