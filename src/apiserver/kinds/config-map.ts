/** ConfigMap: settings by name. Models: v1.24 core/v1 ConfigMap, pkg/registry/core/configmap. */
import { bool, bytes, field, type Infer, map, obj, ptr, str } from '../../schema/shape/index.ts';
import { append, byteLength, byteLengthOfBase64, isConfigMapKey } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { type ObjectOf, typeMeta } from '../structs/index.ts';
import { immutableDataErrors, invalid, problemsAt, tooLong } from '../validation/index.ts';

const configMapSchema = obj('ConfigMap', 'Texts and bytes for pods.', {
  ...typeMeta,
  immutable: field(4, 'Whether data is immutable.', ptr(bool)),
  data: field(2, 'Texts.', map(str())),
  binaryData: field(3, 'Bytes; a key may not be in both.', map(bytes)),
});
export type ConfigMap = ObjectOf<'ConfigMap', Infer<typeof configMapSchema>>;

const MAX_SIZE = 1024 * 1024;

function fieldErrors({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    append(errors, problemsAt(isConfigMapKey(key), `data[${key}]`, key));
    if (Object.hasOwn(binaryData, key)) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    append(errors, problemsAt(isConfigMapKey(key), `binaryData[${key}]`, key));
    size += byteLengthOfBase64(value);
  }
  if (size > MAX_SIZE) errors.push(tooLong('', '', MAX_SIZE));
  return errors;
}

const changeErrors = immutableDataErrors<ConfigMap>('data', 'binaryData');

export const configMap = defineKind<ConfigMap>({
  shortNames: ['cm'],
  schema: configMapSchema,
  create: ['metadata', fieldErrors],
  update: ['changed metadata', changeErrors, 'metadata', fieldErrors],
  columns: [
    'Name',
    [
      'Data',
      'string',
      'Number of entries.',
      (object) => Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    ],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/core/configmap, pkg/apis/core/validation.',
});
