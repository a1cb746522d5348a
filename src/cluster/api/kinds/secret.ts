/** Secret: settings by name that are not for everybody. Models: v1.24 core/v1 Secret, pkg/registry/core/secret. */
import { bool, bytes, filled, JsonSyntaxError, map, obj, parseJson, ptr, RawNumber, str, type Infer } from '../../schema/index.ts';
import { isConfigMapKey } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import type { Names } from '../names.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, required, tooLong } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export const secretSchema = obj('Secret', { ...typeMeta, immutable: ptr(bool), data: map(bytes), stringData: map(str()), type: filled(str('SecretType'), 'Opaque') });
export type Secret = ObjectOf<'Secret', Infer<typeof secretSchema>>;

const MAX_SIZE = 1024 * 1024;
const byteLengthOfBase64 = (text: string): number => (text.length * 3) / 4 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

function fieldErrors({ data = {}, type, metadata }: Secret, { names }: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const problem of isConfigMapKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    size += byteLengthOfBase64(value);
  }
  if (size > MAX_SIZE) errors.push(tooLong('data', '', MAX_SIZE));
  return [...errors, ...typeErrors(data, type, metadata.annotations ?? {}, names)];
}

/** What a secret of a known type cannot do without. */
function typeErrors(data: Readonly<Record<string, string>>, type: string, annotations: Readonly<Record<string, string>>, names: Names): FieldError[] {
  const missing = (...keys: readonly string[]): FieldError[] => keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case names.key('', 'service-account-token'): {
      const account = names.key('', 'service-account.name');
      return (annotations[account] ?? '') === '' ? [required(`metadata.annotations[${account}]`)] : [];
    }
    case names.key('', 'dockercfg'): return jsonErrors(data, '.dockercfg');
    case names.key('', 'dockerconfigjson'): return jsonErrors(data, '.dockerconfigjson');
    // Either will do.
    case names.key('', 'basic-auth'): { const errors = missing('username', 'password'); return errors.length === 2 ? errors : []; }
    case names.key('', 'ssh-auth'): return (data['ssh-privatekey'] ?? '') === '' ? [required('data[ssh-privatekey]')] : [];
    case names.key('', 'tls'): return missing('tls.crt', 'tls.key');
    default: return [];
  }
}

/** Credentials of registries are a JSON object. */
function jsonErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const value = data[key];
  if (value === undefined) return [required(`data[${key}]`)];
  const refuse = (detail: string): FieldError[] => [invalid(`data[${key}]`, '<secret contents redacted>', detail)];
  try {
    const { value: read } = parseJson(decode(value));
    if (read === null || (typeof read === 'object' && !Array.isArray(read) && !(read instanceof RawNumber))) return [];
    return refuse(`json: cannot unmarshal ${wordFor(read)} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refuse(error.message);
    throw error;
  }
}

const wordFor = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : value instanceof RawNumber ? 'number' : typeof value);

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Text from base64. */
function decode(base64: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const digit of base64.replaceAll('=', '')) {
    bits = ((bits << 6) | BASE64.indexOf(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** UTF-8 text in base64. */
function encode(text: string): string {
  const raw = new TextEncoder().encode(text);
  let out = '';
  for (let at = 0; at < raw.length; at += 3) {
    const bits = ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
    const rest = raw.length - at;
    out += BASE64.charAt(bits >> 18) + BASE64.charAt((bits >> 12) & 63) + (rest > 1 ? BASE64.charAt((bits >> 6) & 63) : '=') + (rest > 2 ? BASE64.charAt(bits & 63) : '=');
  }
  return out;
}

const standing = (object: Secret, context: KindContext): FieldError[] => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object, context)];

export const secret = defineKind<Secret>({
  kind: 'Secret',
  plural: 'secrets',
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: secretSchema,
  applyDefaults(draft) {
    const { stringData, data } = readDraft<Secret>(draft);
    if (stringData === undefined) return;
    draft['data'] = { ...data, ...Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, encode(value)])) };
    delete draft['stringData'];
  },
  validateName: subdomainName,
  validate: standing,
  validateUpdate(now, before, context) {
    const errors = validateMetaUpdate(now, before, context);
    if (now.type !== before.type) errors.push(invalid('type', now.type, immutableText));
    if (before.immutable === true) {
      if (now.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
      if (!sameValue(now.data ?? {}, before.data ?? {})) errors.push(forbidden('data', 'field is immutable when `immutable` is set'));
    }
    return [...errors, ...standing(now, context)];
  },
  fieldSelectors: { type: (object) => object.type },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', description: 'What the secret is for.', priority: 0, cell: (object) => object.type },
    { name: 'Data', type: 'string', description: 'Number of entries.', priority: 0, cell: (object) => Object.keys(object.data ?? {}).length },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/core/secret, pkg/apis/core/validation.',
});
