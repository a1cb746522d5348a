/** Secret: confidential values by name. Models: v1.24 core/v1 Secret, pkg/registry/core/secret. */
import { bool, bytes, field, filled, JsonSyntaxError, jsonWord, map, obj, parseJson, ptr, str } from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import {
  append,
  base64OfText,
  byteLengthOfBase64,
  compareText,
  isConfigMapKey,
  isJsonMapping,
  textOfBase64,
} from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError, KindContext, Names } from '../objects/index.ts';
import { type ObjectOf, typeMeta } from '../structs/index.ts';
import { immutableDataErrors, invalid, problemsAt, required, tooLong } from '../validation/index.ts';

const secretSchema = obj('Secret', 'Confidential bytes for pods.', {
  ...typeMeta,
  immutable: field(5, 'Whether data is immutable.', ptr(bool)),
  data: field(2, 'Bytes, in base64.', map(bytes)),
  stringData: field(4, 'Texts that a write adds to data; never returned.', map(str())),
  type: field(3, 'The purpose; it determines the required keys.', filled(str('SecretType'), 'Opaque'), {
    fixed: true,
    column: ['Type', 'Purpose of the secret.'],
  }),
});
type Secret = ObjectOf<'Secret', Infer<typeof secretSchema>>;

const MAX_SIZE = 1024 * 1024;

function fieldErrors({ data = {}, type, metadata }: Secret, { names }: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    append(errors, problemsAt(isConfigMapKey(key), `data[${key}]`, key));
    size += byteLengthOfBase64(value);
  }
  if (size > MAX_SIZE) errors.push(tooLong('data', '', MAX_SIZE));
  return [...errors, ...typeErrors(data, type, metadata.annotations ?? {}, names)];
}

function typeErrors(
  data: Readonly<Record<string, string>>,
  type: string,
  annotations: Readonly<Record<string, string>>,
  names: Names,
): FieldError[] {
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case names.key('', 'service-account-token'): {
      const account = names.key('', 'service-account.name');
      return (annotations[account] ?? '') === '' ? [required(`metadata.annotations[${account}]`)] : [];
    }
    case names.key('', 'dockercfg'):
      return jsonErrors(data, '.dockercfg');
    case names.key('', 'dockerconfigjson'):
      return jsonErrors(data, '.dockerconfigjson');
    // One of the two keys is enough.
    case names.key('', 'basic-auth'): {
      const errors = missing('username', 'password');
      return errors.length === 2 ? errors : [];
    }
    case names.key('', 'ssh-auth'):
      return (data['ssh-privatekey'] ?? '') === '' ? [required('data[ssh-privatekey]')] : [];
    case names.key('', 'tls'):
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function jsonErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const value = data[key];
  if (value === undefined) return [required(`data[${key}]`)];
  const refuse = (detail: string): FieldError[] => [invalid(`data[${key}]`, '<secret contents redacted>', detail)];
  try {
    const { value: read } = parseJson(textOfBase64(value));
    if (read === null || isJsonMapping(read)) return [];
    return refuse(`json: cannot unmarshal ${jsonWord(read, false)} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refuse(error.message);
    throw error;
  }
}

const changeErrors = immutableDataErrors<Secret>('data');

export const secret = defineKind<Secret>({
  schema: secretSchema,
  applyDefaults(draft) {
    if (draft.stringData === undefined) return;
    const encoded = Object.entries(draft.stringData).map(([key, value]) => [key, base64OfText(value)] as const);
    const all = { ...draft.data, ...Object.fromEntries(encoded) };
    draft.data = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => compareText(a, b)));
    delete draft.stringData;
  },
  create: ['metadata', fieldErrors],
  update: ['changed metadata', 'fixed', changeErrors, 'metadata', fieldErrors],
  fieldSelectors: { type: (object) => object.type },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: ['Name', 'type', ['Data', 'string', 'Number of entries.', (object) => Object.keys(object.data ?? {}).length], 'Age'],
  models: 'Complete. Upstream: pkg/registry/core/secret, pkg/apis/core/validation.',
});
