/** Validation of ConfigMaps. */
import { byteLength, isConfigMapKey } from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  type KindContext,
  sameValue,
  subdomainName,
  tooLong,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { ConfigMap } from './shape.ts';

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

export const validate = (object: ConfigMap, context: KindContext): FieldError[] => [
  ...validateMeta(object, true, subdomainName, context),
  ...fieldErrors(object),
];

export function validateUpdate(now: ConfigMap, before: ConfigMap, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(now, before, context);
  if (before.immutable === true) {
    if (now.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
    for (const field of ['data', 'binaryData'] as const)
      if (!sameValue(now[field] ?? {}, before[field] ?? {})) errors.push(forbidden(field, 'field is immutable when `immutable` is set'));
  }
  return [...errors, ...validate(now, context)];
}
