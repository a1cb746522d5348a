/** ConfigMap: settings by name. Models: v1.24 core/v1 ConfigMap, pkg/registry/core/configmap. */
import { bool, bytes, map, obj, ptr, str, type Infer } from '../../schema/index.ts';
import { byteLength, isConfigMapKey } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, tooLong } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export const configMapSchema = obj('ConfigMap', { ...typeMeta, immutable: ptr(bool), data: map(str()), binaryData: map(bytes) });
export type ConfigMap = ObjectOf<'ConfigMap', Infer<typeof configMapSchema>>;

const MAX_SIZE = 1024 * 1024;

function fieldErrors({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const problem of isConfigMapKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    if (Object.hasOwn(binaryData, key)) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    for (const problem of isConfigMapKey(key)) errors.push(invalid(`binaryData[${key}]`, key, problem));
    size += (value.length * 3) / 4 - (value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0);
  }
  if (size > MAX_SIZE) errors.push(tooLong('', '', MAX_SIZE));
  return errors;
}

const standing = (object: ConfigMap, context: KindContext): FieldError[] => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)];

function validateUpdate(now: ConfigMap, before: ConfigMap, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(now, before, context);
  if (before.immutable === true) {
    if (now.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
    for (const field of ['data', 'binaryData'] as const) if (!sameValue(now[field] ?? {}, before[field] ?? {})) errors.push(forbidden(field, 'field is immutable when `immutable` is set'));
  }
  return [...errors, ...standing(now, context)];
}

export const configMap = defineKind<ConfigMap>({
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: configMapSchema,
  validateName: subdomainName,
  validate: standing,
  validateUpdate,
  columns: [nameColumn, { name: 'Data', type: 'string', description: 'Number of entries.', priority: 0, cell: (object) => Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/core/configmap, pkg/apis/core/validation.',
});
