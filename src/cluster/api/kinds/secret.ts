/** Secret: settings by name that are not for everybody. Models: v1.24 core/v1 Secret, pkg/registry/core/secret. */
import { bool, bytes, filled, map, obj, ptr, str, type Infer } from '../../schema/index.ts';
import { isConfigMapKey } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, required, tooLong } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

export const secretSchema = obj('Secret', { ...typeMeta, immutable: ptr(bool), data: map(bytes), stringData: map(str()), type: filled(str('SecretType'), 'Opaque') });
export type Secret = ObjectOf<'Secret', Infer<typeof secretSchema>>;

const MAX_SIZE = 1024 * 1024;

function fieldErrors({ data = {}, type, metadata }: Secret, { names }: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const problem of isConfigMapKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    size += Math.floor((value.length * 3) / 4);
  }
  if (size > MAX_SIZE) errors.push(tooLong('data', '', MAX_SIZE));
  if (type === names.key('', 'service-account-token') && (metadata.annotations?.[names.key('', 'service-account.name')] ?? '') === '') errors.push(required(`metadata.annotations[${names.key('', 'service-account.name')}]`));
  if (type === names.key('', 'tls')) for (const key of ['tls.crt', 'tls.key']) if (data[key] === undefined) errors.push(required(`data[${key}]`));
  return errors;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object, context)],
  validateUpdate(now, before, context) {
    const errors = [...validateMetaUpdate(now, before, context), ...fieldErrors(now, context)];
    if (now.type !== before.type) errors.push(invalid('type', now.type, immutableText));
    if (before.immutable === true) {
      if (now.immutable !== true) errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
      if (!sameValue(now.data ?? {}, before.data ?? {})) errors.push(forbidden('data', 'field is immutable when `immutable` is set'));
    }
    return errors;
  },
  fieldSelectors: { type: (object) => object.type },
  fieldSelectorError: (label) => `field label not supported: ${label}`,
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', description: 'What the secret is for.', priority: 0, cell: (object) => object.type },
    { name: 'Data', type: 'string', description: 'Number of entries.', priority: 0, cell: (object) => Object.keys(object.data ?? {}).length },
    ageColumn,
  ],
  models: 'Complete for opaque secrets; of typed ones the required keys of tls and tokens. Upstream: pkg/registry/core/secret, pkg/apis/core/validation.',
});
